"""The command line in an empty folder, and suites of fake games for it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from playsuite.core.home import Home, Installed
from playsuite.core.records import Controls, Game

PLAYSUITE = Path(sys.executable).with_name("playsuite")
Playsuite = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("PLAYSUITE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return Home(tmp_path / "home")


@pytest.fixture
def playsuite() -> Playsuite:
    def call(*arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [PLAYSUITE, *map(str, arguments)], capture_output=True, text=True, timeout=100, check=False
        )

    return call


def suite(home: Home, *manifests: dict[str, object]) -> list[Game]:
    """Install one fake game for each manifest, and write the suite of them."""
    controls = Controls(keys=("left", "right"))
    games = [
        Game(id=f"test/coins{number}", title="Coins", runtime="fake", manifest=manifest, controls=controls)
        for number, manifest in enumerate(manifests)
    ]
    for game in games:
        home.game_folder(game.id).mkdir(parents=True)
        home.record(Installed(game, home.files(game.id)))
    Path("suite.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(games))
    return games
