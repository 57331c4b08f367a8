"""What the catalog tells this runtime about one game."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from playsuite.core.errors import ConfigError

if TYPE_CHECKING:
    from playsuite.core.records import Game


class EntryKind(StrEnum):
    """How a game starts."""

    PATH = "path"
    """A script: target is its path in the game's folder."""
    MODULE = "module"
    """As `python -m target`."""
    FUNCTION = "function"
    """Target is `package.module:function`, as in an entry point."""


class Capture(StrEnum):
    """Which picture counts as what a player sees."""

    FLIP = "flip"
    """The last one the game presented, as on a screen. Costs at most 0.1 ms a frame."""
    STEP = "step"
    """The window's surface at the instant of the observation: for games that draw without ever presenting it."""


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """What to start."""

    kind: EntryKind
    target: str


class PygameManifest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How to start a game, and which of the remedies for special games it needs. All paths are in its folder."""

    entry: Entry
    argv: tuple[str, ...] = ()
    cwd: str | None = None
    """By default the script's own folder; for modules and functions the game's folder."""
    path: tuple[str, ...] = ()
    """Further folders Python imports from."""
    stdin: str = ""
    """What a game that asks questions on the console is answered."""
    env: dict[str, str] = {}
    mounts: dict[str, str] = {}
    """Absolute path in the sandbox -> path in the game's folder, for games that look in fixed places."""
    desktop: tuple[int, int] = (1280, 720)
    """Size of the screen a full-screen game fills."""
    capture: Capture = Capture.FLIP
    compat: bool = False
    """Bring back what Python and numpy have removed, and repair paths written for other systems."""
    writable: bool = False
    """Run in a private copy, because it writes beside itself."""

    @property
    def start_folder(self) -> str:
        """Return the folder the game starts in."""
        if self.cwd is not None:
            return self.cwd
        return str(PurePosixPath(self.entry.target).parent) if self.entry.kind is EntryKind.PATH else "."


def read_manifest(game: Game) -> PygameManifest:
    """Return the checked manifest of a game.

    Raises:
        ConfigError: it is not one for this runtime, or a path in it leads out of the game's folder.
    """
    try:
        manifest = msgspec.convert(game.manifest, PygameManifest)
    except msgspec.ValidationError as error:
        raise ConfigError(f"the manifest of '{game.id}' is not one for the pygame runtime: {error}") from error
    script = [manifest.entry.target] if manifest.entry.kind is EntryKind.PATH else []
    for path in (*script, manifest.start_folder, *manifest.path, *manifest.mounts.values()):
        if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
            raise ConfigError(f"the manifest of '{game.id}' names '{path}', which is not a path in the game's folder")
    return manifest
