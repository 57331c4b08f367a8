"""Games that do their worst: each becomes a fault that says what happened, and the rest of the run goes on."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from playsuite.catalog.environments import ensure_environment
from playsuite.core.home import Home, Installed
from playsuite.core.records import Ending, Episode, Game
from playsuite.core.store import Run

PROGRAMS = Path(__file__).resolve().parents[1] / "fixtures" / "hostile_games"
REQUIREMENTS = ("pygame-ce==2.5.8",)
WANTED = {
    "crashes": "ValueError: the level file is broken",
    "hangs": "hung",
    "never_draws": "its first frame, which did not come",
    "allocates": "MB of memory, more than",
    "forks": "processes and threads at once",
    "writes": "filled the disk space it may use",
    "connects": "Connection refused",
    "reads_host": "/etc/shadow",
    "exits": "without a picture",
    "prints": "it printed more than",
}
LONGEST_RUN_S = 420


@pytest.fixture(scope="module")
def episodes(games_home: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Episode]:
    """Play every program for ten game seconds in one run."""
    folder = tmp_path_factory.mktemp("hostile")
    home, python = Home(folder / "home"), ensure_environment(Home(games_home), REQUIREMENTS)
    names = [*WANTED, "behaves"]
    for name in names:
        install(home, name, python)
    suite = folder / "suite.jsonl"
    suite.write_bytes(b"\n".join(msgspec.json.encode(game(name)) for name in names) + b"\n")
    command = [Path(sys.executable).with_name("playsuite"), "run", "--suite", suite, "--name", "hostile"]
    options = ["--agent", "random", "--seconds", "10", "--rate", "1", "--workers", "2"]
    done = subprocess.run(
        [*command, *options], cwd=folder, env=environment(home), timeout=LONGEST_RUN_S, check=False, capture_output=True
    )
    assert done.returncode == 1, done.stderr.decode()[-2000:]
    return {episode.game: episode for episode in Run.open(folder / "runs" / "hostile").results().values()}


def environment(home: Home) -> dict[str, str]:
    return {**os.environ, "PLAYSUITE_HOME": str(home.root)}


def game(name: str) -> Game:
    manifest = {"entry": {"kind": "path", "target": f"{name}.py"}}
    return Game(id=f"local/{name}", title=name, runtime="pygame", requirements=REQUIREMENTS, manifest=manifest)


def install(home: Home, name: str, python: Path) -> None:
    record = game(name)
    files = home.files(record.id)
    files.mkdir(parents=True)
    (files / f"{name}.py").write_text((PROGRAMS / f"{name}.py").read_text())
    home.record(Installed(record, files, python))


@pytest.mark.games
@pytest.mark.timeout(LONGEST_RUN_S + 60)
@pytest.mark.parametrize("name", WANTED)
def test_a_hostile_game_is_a_fault_that_says_why(name: str, episodes: dict[str, Episode]) -> None:
    episode = episodes[f"local/{name}"]
    assert episode.ending is Ending.FAULT
    assert episode.fault is not None
    assert episode.fault.boundary == "game"
    assert WANTED[name].lower() in episode.fault.message.lower()
    assert "\n" not in episode.fault.message


@pytest.mark.games
def test_the_well_behaved_game_beside_them_plays_on(episodes: dict[str, Episode]) -> None:
    episode = episodes["local/behaves"]
    assert episode.ending is Ending.TIME_UP
    assert episode.seconds == pytest.approx(10)
