"""What a Python program needs to see of the host besides itself: its environment and the interpreter below it."""

from __future__ import annotations

from pathlib import Path

from playsuite.core.errors import SandboxError
from playsuite.runtimes.sandbox.box import Bind

SYSTEM_PREFIX = Path("/usr")
"""Part of every box already."""


def interpreter_binds(python: Path) -> tuple[Bind, ...]:
    """Return the binds under which `python`, of a virtual environment or not, runs in the box at its own path.

    Raises:
        SandboxError: there is no such interpreter.
    """
    if not python.exists():
        raise SandboxError(f"no Python interpreter at {python}; install the game again")
    environment = python.absolute().parent.parent
    prefixes = {environment, python.resolve().parent.parent}
    config = environment / "pyvenv.cfg"
    if config.is_file():
        prefixes.add(_base_prefix(config))
    # The base is often reached through a linked folder, and the environment's own links spell that name.
    return tuple(Bind(prefix.resolve(), str(prefix)) for prefix in sorted(prefixes) if prefix != SYSTEM_PREFIX)


def _base_prefix(config: Path) -> Path:
    for line in config.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "home":
            return Path(value.strip()).parent
    raise SandboxError(f"{config} names no interpreter ('home = ...'); install the game again")
