"""Where installed games, their environments and downloads live on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from playsuite.core.errors import ConfigError
from playsuite.core.records import Game


class Installed(Struct, frozen=True):
    """A game that is ready to be launched."""

    game: Game
    folder: Path
    python: Path | None = None


class Home(Struct, frozen=True):
    """The folder of this machine's installations: `$PLAYSUITE_HOME`, else `~/.local/share/playsuite`."""

    root: Path

    @classmethod
    def here(cls) -> Home:
        """Return the home the environment names."""
        named = os.environ.get("PLAYSUITE_HOME") or os.environ.get("XDG_DATA_HOME")
        if os.environ.get("PLAYSUITE_HOME"):
            return cls(Path(str(named)).expanduser().absolute())
        return cls((Path(named) if named else Path.home() / ".local" / "share") / "playsuite")

    def game_folder(self, game_id: str) -> Path:
        """Return where one game is (or would be) installed: `record.json` and `files/` in it."""
        return self.root / "games" / game_id

    def record_path(self, game_id: str) -> Path:
        """Return the file that holds an installed game's record; it is written last, so it marks completeness."""
        return self.game_folder(game_id) / "installed.json"

    def files(self, game_id: str) -> Path:
        """Return the folder with the game's own files."""
        return self.game_folder(game_id) / "files"

    def environment(self, digest: str) -> Path:
        """Return where a Python environment with this digest of requirements is (or would be)."""
        return self.root / "environments" / digest[:16]

    @property
    def downloads(self) -> Path:
        """The cache of downloaded artefacts."""
        return self.root / "downloads"

    def installed(self, game_id: str) -> Installed:
        """Return one installed game.

        Raises:
            ConfigError: it is not installed, or its record cannot be read.
        """
        path = self.record_path(game_id)
        try:
            return msgspec.json.decode(path.read_bytes(), type=Installed, dec_hook=_from_text)
        except FileNotFoundError:
            raise ConfigError(
                f"game '{game_id}' is not installed. Install it: playsuite games install {game_id}"
            ) from None
        except (msgspec.MsgspecError, OSError) as error:
            raise ConfigError(f"the record of game '{game_id}' cannot be read ({error}). Install it again") from error

    def record(self, installed: Installed) -> Installed:
        """Write the record that says a game is complete, in one step, so that no reader ever sees half of it."""
        path = self.record_path(installed.game.id)
        part = path.with_suffix(".part")
        part.write_bytes(msgspec.json.format(msgspec.json.encode(installed, enc_hook=str)))
        part.replace(path)
        return installed

    def all_installed(self) -> list[str]:
        """List the ids of all installed games."""
        games = self.root / "games"
        return sorted(str(path.parent.relative_to(games)) for path in games.glob("*/*/installed.json"))


def _from_text(kind: type[Any], text: str) -> Any:
    """Read what JSON has no word for: a path."""
    if kind is Path:
        return Path(text)
    raise NotImplementedError(f"no way to read a {kind.__name__}")
