"""Real games: fetched by name and checksum, refused when they are not the pinned ones, played twice alike."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from playsuite.catalog.environments import ensure_environment
from playsuite.catalog.install import install
from playsuite.catalog.suites import load_suite
from playsuite.core.actions import Hold, Press
from playsuite.core.errors import ConfigError
from playsuite.core.home import Home
from playsuite.core.lower import lower
from playsuite.core.plugins import load
from playsuite.core.protocols import Launch

pytestmark = pytest.mark.games

STARTER = {game.id: game for game in load_suite("starter")}
FROM_WHEEL = min((game for game in STARTER.values() if game.id.startswith("pypi/")), key=lambda game: game.id)
FROM_DEBIAN = min((game for game in STARTER.values() if game.id.startswith("debian/")), key=lambda game: game.id)
ACTIONS = (Press(("enter",)), Press(("space",)), Hold(("right",), 0.5), Press(("up",)))


def frames_of(installed):
    with load("runtimes", "pygame")(
        Launch(game=installed.game, folder=installed.folder, python=installed.python)
    ) as session:
        seen = [session.observe(), *(session.step(lower([action])[0], 1.0) for action in ACTIONS)]
    return [observation.frame.tobytes() for observation in seen]


@pytest.mark.parametrize("game", [FROM_WHEEL, FROM_DEBIAN], ids=lambda game: game.id)
def test_a_game_is_fetched_by_name_and_plays_the_same_twice(game, games_home):
    installed = install(game, Home(games_home))
    first = frames_of(installed)
    assert len(set(first)) > 1
    assert frames_of(installed) == first


@pytest.mark.parametrize("game", [FROM_WHEEL, FROM_DEBIAN], ids=lambda game: game.id)
def test_a_file_with_another_checksum_is_refused_and_nothing_is_installed(game, tmp_path):
    pinned = replace(game.artefacts[0], sha256="0" * 64)
    with pytest.raises(
        ConfigError, match=rf"should have sha256 0{{64}}, but the one fetched has {game.artefacts[0].sha256}"
    ):
        install(replace(game, artefacts=(pinned,), requirements=()), Home(tmp_path))
    assert Home(tmp_path).all_installed() == []


@pytest.mark.parametrize("game", [FROM_WHEEL, FROM_DEBIAN], ids=lambda game: game.id)
def test_a_version_that_is_not_to_be_had_is_one_clear_line(game, tmp_path):
    gone = replace(game.artefacts[0], version="0.0.0.1")
    with pytest.raises(ConfigError, match="0\\.0\\.0\\.1") as caught:
        install(replace(game, artefacts=(gone,)), Home(tmp_path))
    assert "\n" not in str(caught.value)


def test_two_games_that_need_the_same_environment_build_it_once(tmp_path):
    home = Home(tmp_path)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: ensure_environment(home, ["pygame-ce==2.5.8"]), range(2))
    assert first == second
    assert [path.is_dir() for path in first.parents[2].iterdir() if path.suffix != ".lock"] == [True]


def test_an_environment_that_holds_both_pygames_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot hold both pygame and pygame-ce"):
        ensure_environment(Home(tmp_path), ["pygame-ce==2.5.8", "pygame==2.6.1"])


def test_a_folder_of_ones_own_is_added_and_the_set_up_that_works_is_recorded(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/run_game.py").write_text(
        "import pygame\n"
        "screen, clock = pygame.display.set_mode((120, 80)), pygame.time.Clock()\n"
        "while not pygame.event.get(pygame.QUIT):\n"
        "    screen.fill((0, clock.tick(30), pygame.key.get_pressed()[pygame.K_RIGHT] * 255))\n"
        "    pygame.display.flip()\n"
    )
    done = subprocess.run(
        [Path(sys.executable).with_name("playsuite"), "games", "add", tmp_path / "mine", "--title", "My own"],
        env={**os.environ, "PLAYSUITE_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "local/my-own\n"), done.stderr
    added = Home(tmp_path / "home").installed("local/my-own").game
    assert added.notes == "runs on the plain rung"
    assert "right" in added.controls.keys
