"""Plug-ins are entry points; a wrong name is answered with the nearest right one."""

from __future__ import annotations

from difflib import get_close_matches
from importlib.metadata import entry_points
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
    found = list(entry_points(group=f"playsuite.{kind}", name=name))
    if not found:
        raise ConfigError(f"no {kind.removesuffix('s')} called '{name}'.{did_you_mean(name, known(kind))}")
    with boundary(ConfigError, f"loading the {kind.removesuffix('s')} '{name}'"):
        return found[0].load()


def did_you_mean(name: str, choices: list[str]) -> str:
    """Return the end of an error message about an unknown name: the nearest choice, and all of them."""
    close = get_close_matches(name, choices, n=1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    return f"{hint} Known: {', '.join(choices) or 'none'}"
