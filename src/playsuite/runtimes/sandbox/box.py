"""What a program may see and use: plain data, the same for every kind of sandbox."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, field

from playsuite.core.protocols import Limits

HOME = "/home/game"
"""The game's home inside the box: empty at the start, writable, gone at the end."""

BASE_ENVIRONMENT = {
    "HOME": HOME,
    "LANG": "C.UTF-8",
    "LOGNAME": "game",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "TZ": "UTC",
    "USER": "game",
    # One core per game: numerical libraries else start a thread per core and run into the limit on processes.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


class Bind(Struct, frozen=True):
    """A file or folder of the host that is visible inside the box."""

    source: Path
    target: str
    """Absolute path inside."""
    writable: bool = False


class Box(Struct, frozen=True):
    """A program, what it sees and what it may use."""

    argv: tuple[str, ...]
    """The program and its arguments, in paths of the box."""
    binds: tuple[Bind, ...] = ()
    chdir: str = HOME
    env: dict[str, str] = {}
    """Added to the base environment; nothing of the host's environment gets in."""
    limits: Limits = field(default_factory=Limits)
    pass_fds: tuple[int, ...] = ()
    """Inherited under the same numbers."""


def environment(box: Box) -> dict[str, str]:
    """Return the program's whole environment."""
    return {**BASE_ENVIRONMENT, **box.env}
