"""Make a game ready to launch: its files in place, its environment built, its record written last."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.catalog.environments import ensure_environment
from playsuite.catalog.fetch import fetch
from playsuite.catalog.locks import exclusive
from playsuite.core.errors import ConfigError, PlaySuiteError, boundary
from playsuite.core.home import Home, Installed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from playsuite.core.records import Game

AT_ONCE = 4
"""Games installed at the same time: downloads wait for the network, not for the processor."""
LONGEST_INSTALL_S = 1800.0
"""Wall seconds to wait for another process that installs the same game."""


class Outcome(Struct, frozen=True):
    """What became of one game that was to be installed."""

    game: str
    error: str = ""
    """One line; empty if the game is ready."""


def install(game: Game, home: Home) -> Installed:
    """Install one game, or return it at once if exactly this game is installed already.

    Raises:
        ConfigError: a file or a requirement cannot be had, or is another one than the row pins.
    """
    with exclusive(home.game_folder(game.id) / "lock", seconds=LONGEST_INSTALL_S):
        if not _files_are_right(game, home):
            _place_files(game, home)
        with boundary(ConfigError, f"installing {game.id}"):
            python = ensure_environment(home, game.requirements) if game.requirements else None
            return home.record(Installed(game=game, folder=home.files(game.id), python=python))


def install_all(games: Sequence[Game], home: Home) -> Iterator[Outcome]:
    """Install games side by side and yield each one's outcome as it comes; one failure does not stop the rest."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        running = [pool.submit(_outcome, game, home) for game in games]
        for done in as_completed(running):
            yield done.result()


def place(game_id: str, home: Home, fill: Callable[[Path], None]) -> Path:
    """Let `fill` write a game's files beside their place, then put them there all at once."""
    fill(fresh_part(game_id, home))
    return put_in_place(game_id, home)


def fresh_part(game_id: str, home: Home) -> Path:
    """Make the empty folder beside a game's place in which its files are made ready."""
    part = home.game_folder(game_id) / "files.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    return part


def put_in_place(game_id: str, home: Home) -> Path:
    """Put what was made ready where the game belongs, instead of what was there; its record is to be written next."""
    files = home.files(game_id)
    home.record_path(game_id).unlink(missing_ok=True)
    shutil.rmtree(files, ignore_errors=True)
    return (home.game_folder(game_id) / "files.part").rename(files)


def _outcome(game: Game, home: Home) -> Outcome:
    try:
        install(game, home)
    except PlaySuiteError as error:
        return Outcome(game.id, str(error))
    return Outcome(game.id)


def _files_are_right(game: Game, home: Home) -> bool:
    try:
        there = home.installed(game.id)
    except ConfigError:
        return False
    return there.game.artefacts == game.artefacts and there.folder.is_dir()


def _place_files(game: Game, home: Home) -> None:
    def fill(folder: Path) -> None:
        for artefact in game.artefacts:
            fetch(artefact, home, folder)

    with boundary(ConfigError, f"installing {game.id}"):
        place(game.id, home, fill)
