"""`playsuite games`: install games, list them, show one, add your own."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 cyclopts reads the annotations at run time
from typing import TYPE_CHECKING

import cyclopts
import msgspec

from playsuite.catalog.suites import load_suite, select
from playsuite.cli import DONE, WITH_FAULTS, log
from playsuite.core.errors import ConfigError
from playsuite.core.home import Home
from playsuite.core.plugins import did_you_mean, known

if TYPE_CHECKING:
    from playsuite.core.records import Game

games = cyclopts.App(name="games", help="Install, list, show and add games.")


@games.command
def install(*names: str) -> int:
    """Install suites or single games by name; what is there already is left as it is.

    Parameters
    ----------
    names
        Suites (by name or file) or ids of games; without any, the starter suite.
    """
    from playsuite.catalog.install import install_all

    wanted = select(names or ("starter",))
    failed = 0
    for done, outcome in enumerate(install_all(wanted, Home.here()), start=1):
        failed += bool(outcome.error)
        log(f"[{done}/{len(wanted)}] {outcome.game}: {outcome.error or 'ready'}")
    log(f"{len(wanted) - failed} of {len(wanted)} games ready")
    return WITH_FAULTS if failed else DONE


@games.command(name="list")
def list_(*, installed: bool = False, json: bool = False) -> None:
    """List the games of all known suites and those you added.

    Parameters
    ----------
    installed
        Only those that are ready to be played.
    json
        One JSON record a line instead of a table.
    """
    home = Home.here()
    ready = set(home.all_installed())
    rows = [game for game in _known_games(home) if game.id in ready or not installed]
    if json:
        for game in rows:
            _write_json(game)
        return
    for game in rows:
        state = "ready" if game.id in ready else "-"
        _write(f"{game.id:<32} {state:<6} {game.genre:<11} {game.title} ({game.licence or 'licence not stated'})")


@games.command
def show(game_id: str, *, json: bool = False) -> None:
    """Show all that is known about one game.

    Parameters
    ----------
    game_id
        Its id, as `playsuite games list` shows it.
    json
        The whole record as JSON.
    """
    every = {game.id: game for game in _known_games(Home.here())}
    if game_id not in every:
        raise ConfigError(f"no game called '{game_id}'.{did_you_mean(game_id, list(every))}")
    if json:
        _write_json(every[game_id])
        return
    for name, value in _facts(every[game_id]).items():
        _write(f"{name:<12} {value}")


@games.command
def add(path: Path, *, title: str = "") -> int:
    """Add a pygame game of your own: a folder or a zip file.

    It is copied, its needs are found by reading its source, and it is tried in the sandbox until one set-up runs.

    Parameters
    ----------
    path
        The game's folder, or a zip of it.
    title
        What to call it; without it, the name of the folder.
    """
    from playsuite.catalog.local import add_local

    added = add_local(path, Home.here(), title=title, progress=log)
    _write(added.game.id)
    return DONE


def _known_games(home: Home) -> list[Game]:
    """Return every game of every suite, and those of no suite that are installed."""
    every = {game.id: game for suite in known("suites") for game in load_suite(suite)}
    for game_id in home.all_installed():
        every.setdefault(game_id, home.installed(game_id).game)
    return list(every.values())


def _facts(game: Game) -> dict[str, str]:
    keys = ", ".join((*game.controls.keys, *(("mouse",) if game.controls.mouse else ())))
    facts = {
        "id": game.id,
        "title": game.title,
        "author": game.author,
        "genre": game.genre,
        "licence": game.licence,
        "url": game.url,
        "tags": ", ".join(game.tags),
        "description": game.description,
        "controls": game.controls.text,
        "keys": keys,
        "runtime": game.runtime,
        "files": ", ".join(f"{part.kind} {part.name} {part.version}" for part in game.artefacts),
        "environment": ", ".join(game.requirements),
        "notes": game.notes,
    }
    return {name: value for name, value in facts.items() if value}


def _write_json(game: Game) -> None:
    _write(msgspec.json.encode(game).decode())


def _write(line: str) -> None:
    print(line)  # noqa: T201 data go to stdout
