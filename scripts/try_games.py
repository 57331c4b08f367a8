"""Try games: play each twice with the same seeded input, and write down what happened to docs/games.md.

The second launch runs beside a busy process and from another folder; both must draw the same frames. A game that fails
as its row sets it up is tried on the other rungs of the ladder. Run it again to continue; --again starts over.

    python scripts/try_games.py starter suites/playsuite_suites/tried.toml
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import xxhash
from msgspec import Struct
from msgspec.structs import replace

from playsuite.catalog.install import install
from playsuite.catalog.ladder import LADDER, on_rung
from playsuite.catalog.suites import select
from playsuite.core.actions import Action, Button, Click, Hold, Press, Wait
from playsuite.core.errors import ConfigError, PlaySuiteError
from playsuite.core.home import Home, Installed
from playsuite.core.lower import lower
from playsuite.core.plugins import load
from playsuite.core.protocols import Frame, Launch, Observation

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from playsuite.core.records import Game

ROOT = Path(__file__).parents[1]
STEP_S = 1.0
IDLE_S = 60.0
"""Game seconds a game is watched without input, to see whether input makes a difference."""
STOPPING = frozenset(("escape", "q", "p"))
"""Keys that leave or pause most games: not pressed, so that games are played."""
SEEDS = 3
LEFT_EARLY_S = 30.0
"""A game that ends this early was probably left by its menu; then another seed is played."""
SHEET_COLUMNS = 4
SHEET_SIZE = (320, 240)
BUSY = "while True: pass"
NOT_COUNTED = frozenset(("opengl", "python-2"))
"""Tags of games that the pygame runtime does not promise to play."""
INCOMPLETE = "incomplete"
"""Tag of packages without a part of the game's own code or pictures: no machine can run them."""
LONGEST_REASON = 260
BEGIN, END = "<!-- written by scripts/try_games.py: begin -->", "<!-- end -->"


class Result(Struct, frozen=True, kw_only=True):
    """What became of one game."""

    game: str
    title: str
    genre: str
    rung: str
    width: int = 0
    height: int = 0
    seconds: float = 0.0
    """Game seconds played in the first launch."""
    frames: int = 0
    over: bool = False
    """It ended by its own rules."""
    speed: float = 0.0
    """Game seconds a wall second, start included, on a machine with other work."""
    pictures: int = 0
    """Different frames among five a game second."""
    reacts: bool = False
    """The frames differ from those of the same time without input."""
    same: bool = False
    """Both launches drew the same frames."""
    seed: int = 0
    error: str = ""

    @property
    def runs(self) -> bool:
        """It played for as long as asked, or ended by its own rules."""
        return not self.error


class Chain:
    """A film sink that keeps only what is needed to compare two launches, and a few pictures to look at."""

    fps = 5.0

    def __init__(self, keep_every: float) -> None:
        self.digests: list[str] = []
        self.kept: list[Frame] = []
        self._keep_every = keep_every

    def add(self, t: float, frame: Frame) -> None:
        """Take one frame of the film."""
        self.digests.append(xxhash.xxh3_64_hexdigest(frame.data))
        if t >= len(self.kept) * self._keep_every:
            self.kept.append(frame.copy())


def actions(game: Game, first: Observation, seed: int) -> Iterator[Action]:
    """Yield one action a step for ever: a way through usual menus, then random use of the documented controls."""
    height, width, _ = first.frame.shape
    choose = random.Random(f"{game.id} {seed}")
    yield from (Wait(), Press(("enter",)), Press(("space",)), Click(width / 2, height / 2), Press(("enter",)))
    keys = [key for key in game.controls.keys if key not in STOPPING] or ["enter", "space"]
    right = "right click" in game.controls.text.lower()
    while True:
        kind = choose.random()
        if game.controls.mouse and kind < 0.5:
            button = Button.RIGHT if right and kind < 0.1 else Button.LEFT
            yield Click(choose.uniform(0, width), choose.uniform(0, height), button)
        elif kind < 0.7:
            yield Hold((choose.choice(keys),), choose.uniform(0.2, 0.9))
        elif kind < 0.98:
            yield Press((choose.choice(keys),))
        else:
            yield Press(("enter",))


def idle() -> Iterator[Action]:
    """Yield nothing to do, for ever."""
    while True:
        yield Wait()


def play(installed: Installed, seconds: float, seed: int = 0, *, touch: bool = True) -> tuple[Chain, Observation]:
    """Play one launch and return its film's digests and the last observation."""
    film = Chain(keep_every=seconds / (2 * SHEET_COLUMNS))
    launch = Launch(game=installed.game, folder=installed.folder, python=installed.python)
    with load("runtimes", installed.game.runtime)(launch, film) as session:
        seen: Observation = session.observe()
        for action in actions(installed.game, seen, seed) if touch else idle():
            if seen.over or seen.t >= seconds:
                break
            events, _ = lower([action])
            seen = session.step(events, STEP_S)
    return film, seen


def attempt(installed: Installed, rung: str, seconds: float, sheets: Path) -> Result:
    """Play a game twice, and once without input."""
    game = installed.game
    result = Result(game=game.id, title=game.title, genre=game.genre, rung=rung)
    try:
        for seed in range(SEEDS):
            started = time.monotonic()
            film, last = play(installed, seconds, seed)
            wall = time.monotonic() - started
            if not last.over or last.t >= LEFT_EARLY_S:
                break
        result = replace(result, seed=seed)
        height, width, _ = last.frame.shape
        result = replace(result, width=width, height=height, seconds=round(last.t, 1), frames=last.frames)
        result = replace(result, over=last.over, speed=round(last.t / wall, 1), pictures=len(set(film.digests)))
        write_sheet([*film.kept, last.frame], sheets / f"{game.id.replace('/', '-')}.png")
        with elsewhere(installed) as moved, busy():
            again, _ = play(moved, seconds, seed)
        untouched, _ = play(installed, min(IDLE_S, seconds), touch=False)
    except PlaySuiteError as error:
        return replace(result, error=f"{error.boundary}: {error}")
    watched = min(len(untouched.digests), len(film.digests))
    reacts = last.over or film.digests[:watched] != untouched.digests[:watched]
    return replace(result, same=film.digests == again.digests, reacts=reacts)


def climb(game: Game, home: Home, seconds: float, sheets: Path) -> Result:
    """Try a game as its row says, then on every rung; return the first result that runs, else the first of all."""
    results: list[Result] = []
    for rung, row in (("row", game), *((rung.name, on_rung(game, rung)) for rung in LADDER)):
        try:
            results.append(attempt(install(row, home), rung, seconds, sheets))
        except PlaySuiteError as error:
            results.append(Result(game=game.id, title=game.title, genre=game.genre, rung=rung, error=str(error)))
        if results[-1].runs:
            break
    install(game, home)
    return next((result for result in results if result.runs), results[0])


@contextmanager
def elsewhere(installed: Installed) -> Generator[Installed]:
    """Lend a copy of a game's files in another folder."""
    with tempfile.TemporaryDirectory(prefix="another folder ") as folder:
        moved = Path(folder) / "a copy"
        shutil.copytree(installed.folder, moved, symlinks=True)
        Path(folder).chmod(0o755)
        yield replace(installed, folder=moved)


@contextmanager
def busy() -> Generator[None]:
    """Keep one core busy, unless the machine has more work than cores already."""
    if os.getloadavg()[0] > (os.cpu_count() or 1):
        yield
        return
    with subprocess.Popen([sys.executable, "-c", BUSY]) as burner:
        try:
            yield
        finally:
            burner.kill()


def write_sheet(frames: list[Frame], path: Path) -> None:
    """Write a few moments of a game as one picture."""
    from PIL import Image

    shown = frames[: 2 * SHEET_COLUMNS]
    sheet = Image.new("RGB", (SHEET_SIZE[0] * SHEET_COLUMNS, SHEET_SIZE[1] * 2))
    for index, frame in enumerate(shown):
        picture = Image.fromarray(frame)
        picture.thumbnail(SHEET_SIZE)
        row, column = divmod(index, SHEET_COLUMNS)
        sheet.paste(picture, (column * SHEET_SIZE[0], row * SHEET_SIZE[1]))
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path)


def try_all(games: Iterable[Game], home: Home, options: argparse.Namespace) -> list[Result]:
    """Try all games that have no result yet, a few side by side, and keep each result as soon as it is there."""
    done = {} if options.again else {result.game: result for result in read(options.results)}
    options.results.parent.mkdir(parents=True, exist_ok=True)
    waiting = [game for game in games if game.id not in done]
    with ThreadPoolExecutor(options.workers) as pool, options.results.open("w" if options.again else "a") as file:
        tries = [pool.submit(climb, game, home, options.seconds, options.sheets) for game in waiting]
        for result in (tried.result() for tried in as_completed(tries)):
            done[result.game] = result
            file.write(msgspec.json.encode(result).decode() + "\n")
            file.flush()
            print(f"{result.game}: {result.rung}: {outcome(result)}", file=sys.stderr, flush=True)  # noqa: T201
    return [done[game.id] for game in games]


def read(path: Path) -> list[Result]:
    """Return the results kept so far."""
    if not path.exists():
        return []
    return [msgspec.json.decode(line, type=Result) for line in path.read_bytes().splitlines()]


def outcome(result: Result) -> str:
    """Return what became of a game, in words."""
    if result.error:
        return f"fails: {result.error}"
    how = f"ends by its own rules after {result.seconds:g} s" if result.over else f"plays {result.seconds:g} s"
    return how if result.reacts else f"{how}, no reaction in the first minute"


def write_table(games: Iterable[Game], results: Iterable[Result], seconds: float, path: Path) -> None:
    """Put the figures and the table of all results between the marks in the page at `path`."""
    rows = [(game, result) for game, result in zip(games, results, strict=True)]
    counted = [result for game, result in rows if not NOT_COUNTED & set(game.tags)]
    running = [result for result in counted if result.runs]
    whole = [result for game, result in rows if not (NOT_COUNTED | {INCOMPLETE}) & set(game.tags)]
    same = [result for result in running if result.same]
    lines = [
        BEGIN,
        "",
        f"* {len(rows)} games tried; {len(counted)} of them are neither OpenGL nor Python 2.",
        f"* {len(running)} of these {len(counted)} ({len(running) / len(counted):.0%}) start and play {seconds:g} game "
        "seconds or end by their own rules.",
        f"* Without the {len(counted) - len(whole)} packages that leave out code or pictures (tag `{INCOMPLETE}`): "
        f"{len(running)} of {len(whole)} ({len(running) / len(whole):.0%}).",
        f"* {len(same)} of these {len(running)} ({len(same) / len(running):.0%}) draw the same frames in both.",
        f"* {sum(result.reacts for result in running)} of the {len(running)} react to the input they got.",
        "",
        "| game | id | picture | set-up | outcome | frames drawn | same frames twice |",
        "|---|---|---|---|---|---|---|",
        *(_row(game, result) for game, result in sorted(rows, key=lambda pair: (not pair[1].runs, pair[0].id))),
        "",
        END,
    ]
    page = path.read_text()
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    path.write_text(before + "\n".join(lines) + after)


def _row(game: Game, result: Result) -> str:
    title = f"[{game.title}]({game.url})" if game.url else game.title
    said = outcome(result).replace("|", "/").replace("\n", " ")[:LONGEST_REASON]
    same = ("yes" if result.same else "no") if result.runs else ""
    size = f"{result.width}x{result.height}" if result.width else ""
    rung = result.rung if result.runs else ""
    return f"| {title} | `{game.id}` | {size} | {rung} | {said} | {result.frames or ''} | {same} |"


def main() -> None:
    """Try the games of the suites named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+", help="suites by name or path, or ids of games")
    parser.add_argument("--seconds", type=float, default=300.0, help="game seconds to play")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="forget the results kept so far")
    parser.add_argument("--results", type=Path, default=ROOT / "build/tried.jsonl")
    parser.add_argument("--sheets", type=Path, default=ROOT / "build/sheets")
    parser.add_argument("--page", type=Path, help="page to write the table to, for example docs/games.md")
    options = parser.parse_args()
    try:
        games = select(options.suites)
        results = try_all(games, Home.here(), options)
    except ConfigError as error:
        sys.exit(f"try_games: {error}")
    if options.page:
        write_table(games, results, options.seconds, options.page)


if __name__ == "__main__":
    main()
