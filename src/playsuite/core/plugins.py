"""Plug-ins are entry points; a wrong name is answered with the nearest right one."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from playsuite.core.errors import ConfigError, boundary


def known(kind: str) -> list[str]:
    """List the names of all installed plug-ins of one kind ("runtimes", "agents", "judges", "suites")."""
    return sorted(entry_points(group=f"playsuite.{kind}").names)


def load(kind: str, name: str) -> Any:
    """Import and return the plug-in `name`.

    Raises:
        ConfigError: no plug-in has that name, or importing it failed.
    """
    found = _find(kind, name)
    with boundary(ConfigError, f"loading the {kind.removesuffix('s')} '{name}'"):
        return found.load()


def version(kind: str, name: str) -> str:
    """Return which version of its behaviour a plug-in is: `VERSION` of its module, else that of its package.

    A module that says `VERSION` promises that results made under the same one can be mixed.

    Raises:
        ConfigError: no plug-in has that name, or importing it failed.
    """
    found = _find(kind, name)
    with boundary(ConfigError, f"loading the {kind.removesuffix('s')} '{name}'"):
        said = getattr(import_module(found.module), "VERSION", None)
    return str(said) if said is not None else f"package {found.dist.version if found.dist else 'unknown'}"


def _find(kind: str, name: str) -> EntryPoint:
    found = list(entry_points(group=f"playsuite.{kind}", name=name))
    if not found:
        raise ConfigError(f"no {kind.removesuffix('s')} called '{name}'.{did_you_mean(name, known(kind))}")
    return found[0]


def did_you_mean(name: str, choices: list[str]) -> str:
    """Return the end of an error message about an unknown name: the nearest choice, and all of them."""
    close = get_close_matches(name, choices, n=1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    return f"{hint} Known: {', '.join(choices) or 'none'}"
