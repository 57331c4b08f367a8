"""Add a pygame game of the user's own: read it, install it, and try set-ups until one runs."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from playsuite.catalog.clients import run, uv
from playsuite.catalog.documents import controls, licence, text_of
from playsuite.catalog.environments import ensure_environment
from playsuite.catalog.install import LONGEST_INSTALL_S, fresh_part, put_in_place
from playsuite.catalog.ladder import LADDER, Rung, on_rung, trial
from playsuite.catalog.locks import exclusive
from playsuite.catalog.source import Reading, entries, python_files, read
from playsuite.catalog.unpack import copy_folder, single_folder, unpack_zip
from playsuite.core.errors import ConfigError, GameError
from playsuite.core.home import Home, Installed
from playsuite.core.plugins import load
from playsuite.core.records import Artefact, Game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

PACKAGES = {
    "appdirs": "appdirs", "cv2": "opencv-python-headless", "dotenv": "python-dotenv", "fysom": "fysom", "glm": "PyGLM",
    "numpy": "numpy", "perlin_noise": "perlin-noise", "PIL": "pillow", "platformdirs": "platformdirs",
    "pygame_gui": "pygame-gui", "pygame_menu": "pygame-menu", "pgzero": "pgzero", "pgzrun": "pgzero",
    "pymunk": "pymunk", "pyscroll": "pyscroll", "pytmx": "pytmx", "scipy": "scipy", "six": "six",
    "thorpy": "thorpy", "typing_extensions": "typing-extensions", "yaml": "PyYAML",
}  # fmt: skip
"""Which package brings a module; a module that is not here is left out, and the trial says what is missing."""
OURS = re.compile(r"(pygame|pygame-ce|numpy)==")
MOST_ENTRIES = 3
"""Files worth trying as the one a game starts from."""
DESCRIPTION_LENGTH = 600


def add_local(path: Path, home: Home, *, title: str = "", progress: Callable[[str], None]) -> Installed:
    """Install the game in the folder or zip at `path` as `local/<slug>` and return it on the first rung that works.

    Raises:
        ConfigError: there is no game in it, it is Python 2, or it runs on no rung; the message says why.
        SandboxError: no game may run on this machine.
    """
    if not path.exists():
        raise ConfigError(f"there is nothing at '{path}'. Give a folder or a zip file")
    name = title or (path.stem if path.is_file() else path.resolve().name)
    game_id = f"local/{slug(name)}"
    with exclusive(home.game_folder(game_id) / "lock", seconds=LONGEST_INSTALL_S):
        part = fresh_part(game_id, home)
        copy_folder(path, part) if path.is_dir() else unpack_zip(path, part)
        ready = _climb(_candidates(game_id, name, part, path), part, home, progress)
        # Only now: a game of that name that works is not given up for one that may not.
        return home.record(replace(ready, folder=put_in_place(game_id, home)))


def _candidates(game_id: str, title: str, files: Path, path: Path) -> list[Game]:
    root = single_folder(files)
    content = Artefact(kind="local", name=slug(title), version="", sha256=tree_digest(files))
    games = (describe(game_id, title, files, root, entry) for entry in _readable_entries(root, path))
    return [replace(game, artefacts=(content,)) for game in games]


def slug(name: str) -> str:
    """Return a name as part of an id: lower case, dashes.

    Raises:
        ConfigError: nothing of it is left.
    """
    made = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if not made:
        raise ConfigError(f"no id can be made of the name '{name}'. Give one with letters: --title NAME")
    return made


def tree_digest(root: Path) -> str:
    """Return the SHA-256 over the names and contents of all files below `root`: an edited game is another game."""
    found = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        for part in (str(path.relative_to(root)).encode(), path.read_bytes()):
            found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()


def describe(game_id: str, title: str, files: Path, root: Path, entry: Path) -> Game:
    """Return the row of a game that starts from `entry`, a path relative to `root`."""
    readme = text_of(root, "readme", "how", "instructions")
    sources = ((root / path).read_text(errors="replace") for path in python_files(root))
    return Game(
        id=game_id,
        title=title,
        runtime="pygame",
        engine="pygame",
        manifest={"entry": {"kind": "path", "target": str((root / entry).relative_to(files))}},
        requirements=_pins(read(root, entry)),
        description=readme[:DESCRIPTION_LENGTH].strip(),
        controls=controls(readme, sources),
        licence=licence(text_of(root, "licen", "copying", "unlicense")),
    )


def _readable_entries(root: Path, path: Path) -> list[Path]:
    ranked = entries(root)
    if not ranked:
        raise ConfigError(f"no Python game in '{path}': no file in it looks like one to start from")
    readings = {entry: read(root, entry) for entry in ranked[:MOST_ENTRIES]}
    if reason := readings[ranked[0]].unreadable:
        raise ConfigError(f"'{path}' cannot be played: {reason}")
    return [entry for entry, reading in readings.items() if not reading.unreadable]


def _pins(reading: Reading) -> tuple[str, ...]:
    """Return exact pins of everything the imports need, dependencies included, pygame and numpy left to the rung."""
    wanted = sorted({PACKAGES[name] for name in reading.imports if name in PACKAGES} - {"numpy"})
    if not wanted:
        return ()
    command = [uv(), "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--only-binary", ":all:", "-"]
    printed = run(command, doing=f"resolving {', '.join(wanted)}", given="\n".join(wanted))
    pins = (line.partition(";")[0].strip() for line in printed.splitlines())
    return tuple(pin for pin in pins if pin and not OURS.match(pin))


def _climb(candidates: list[Game], files: Path, home: Home, progress: Callable[[str], None]) -> Installed:
    runtime = load("runtimes", "pygame")
    failures: list[str] = []
    for game, rung in _steps(candidates):
        made = on_rung(game, rung)
        where = f"{rung.name} rung, from {made.manifest['entry']['target']}"
        tried = Installed(game=made, folder=files, python=ensure_environment(home, made.requirements))
        try:
            trial(tried, runtime)
        except GameError as error:
            failures.append(f"{where}: {error}")
            progress(failures[-1])
            continue
        progress(f"{where}: runs")
        return replace(tried, game=replace(made, notes=_notes(rung, failures)))
    raise ConfigError(f"'{candidates[0].title}' runs on no rung. {' | '.join(failures)}")


def _steps(candidates: list[Game]) -> Iterator[tuple[Game, Rung]]:
    """Try every likely entry plainly before any other set-up: a wrong entry is commoner than a hard game."""
    plain, *others = LADDER
    yield from ((game, plain) for game in candidates)
    yield from ((candidates[0], rung) for rung in others)


def _notes(rung: Rung, failures: Iterable[str]) -> str:
    return " | ".join([f"runs on the {rung.name} rung", *failures])
