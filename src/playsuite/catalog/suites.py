"""A suite is a list of games: `[[game]]` tables in TOML, or JSONL, found by path or by a plug-in's name."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from playsuite.core.errors import ConfigError, boundary
from playsuite.core.keys import KEYS
from playsuite.core.plugins import did_you_mean, known, load
from playsuite.core.records import Game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

GENRES = ("Puzzle", "Adventure", "Action", "Simulation", "Strategy", "Shooter", "Survival", "Racing", "Fighting")
"""The nine canonical genres (paper, A.2)."""
GAME_ID = re.compile(r"[a-z0-9]+/[A-Za-z0-9][A-Za-z0-9._-]*")
SHA256 = re.compile(r"[0-9a-f]{64}")
SUFFIXES = (".toml", ".jsonl")


def load_suite(name: str) -> tuple[Game, ...]:
    """Return the games of a suite, by a plug-in's name or by the path of a .toml or .jsonl file.

    Raises:
        ConfigError: no such suite, or a row is wrong; the message names row and field.
    """
    if Path(name).suffix in SUFFIXES:
        return read_suite(Path(name))
    made = load("suites", name)()
    if isinstance(made, str | Path):
        return read_suite(Path(made))
    return check_rows(made, source=f"suite '{name}'")


def read_suite(path: Path) -> tuple[Game, ...]:
    """Return the games in a suite file.

    Raises:
        ConfigError: it cannot be read, or a row is wrong; the message names row and field.
    """
    if path.suffix not in SUFFIXES:
        raise ConfigError(f"a suite file ends in {' or '.join(SUFFIXES)}, not '{path.name}'")
    with boundary(ConfigError, f"reading the suite {path}"):
        data = path.read_bytes()
        match path.suffix:
            case ".toml":
                rows = msgspec.toml.decode(data).get("game", [])
            case _:
                rows = [msgspec.json.decode(line) for line in data.splitlines() if line.strip()]
    if not rows:
        raise ConfigError(f"{path} has no games. A .toml file has a [[game]] table for each, a .jsonl file a line")
    return check_rows(rows, source=str(path))


def check_rows(rows: Iterable[Any], *, source: str) -> tuple[Game, ...]:
    """Turn raw rows (or `Game` records) into games.

    Raises:
        ConfigError: a row is wrong; the message names row and field.
    """
    games = tuple(_checked(row, number, source) for number, row in enumerate(rows, start=1))
    for game_id, count in Counter(game.id for game in games).items():
        if count > 1:
            raise ConfigError(f"{source}: id '{game_id}' stands in {count} rows. Give every game its own")
    return games


def select(names: Sequence[str]) -> tuple[Game, ...]:
    """Return the games meant by `names`, each the name or path of a suite or the id of a game in any known suite.

    Raises:
        ConfigError: a name means nothing.
    """
    chosen = [game for name in names for game in _meant_by(name)]
    return tuple({game.id: game for game in chosen}.values())


def _meant_by(name: str) -> tuple[Game, ...]:
    if name in known("suites") or Path(name).suffix in SUFFIXES:
        return load_suite(name)
    every = {game.id: game for suite in known("suites") for game in load_suite(suite)}
    if name in every:
        return (every[name],)
    raise ConfigError(f"no suite or game called '{name}'.{did_you_mean(name, [*known('suites'), *every])}")


def _checked(row: Any, number: int, source: str) -> Game:
    where = f"{source}: row {number}"
    if isinstance(row, dict):
        where = f"{where} ('{row.get('id', 'without an id')}')"
        for field in row.keys() - set(Game.__struct_fields__):
            raise ConfigError(f"{where}: no field '{field}'.{did_you_mean(field, list(Game.__struct_fields__))}")
    try:
        game = msgspec.convert(row, Game)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{where}: {error}") from None
    for complaint in _complaints(game):
        raise ConfigError(f"{where}: {complaint}")
    return game


def _complaints(game: Game) -> Iterator[str]:
    """Say what the types alone cannot."""
    if not GAME_ID.fullmatch(game.id):
        yield f"field 'id' should look like source/name, but is '{game.id}'"
    if game.genre and game.genre not in GENRES:
        yield f"field 'genre' is '{game.genre}'.{did_you_mean(game.genre, list(GENRES))}"
    for key in game.controls.keys:
        if key not in KEYS:
            yield f"field 'controls.keys' holds '{key}', which is no key.{did_you_mean(key, sorted(KEYS))}"
    for pin in game.requirements:
        if "==" not in pin:
            yield f"field 'requirements' holds '{pin}'. Write exact pins: name==version"
    for artefact in game.artefacts:
        if not SHA256.fullmatch(artefact.sha256):
            yield f"field 'artefacts': the sha256 of {artefact.name} should be 64 hexadecimal digits"
