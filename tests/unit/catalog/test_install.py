"""Installing: complete or absent, never half; one failure does not stop the rest."""

import pytest
from msgspec.structs import replace

from playsuite.catalog.environments import ensure_environment
from playsuite.catalog.install import install, install_all, place
from playsuite.core.errors import ConfigError
from playsuite.core.home import Home
from playsuite.core.records import Artefact, Game

GAME = Game(id="test/empty", title="Empty", runtime="fake", manifest={})
UNKNOWN = replace(GAME, id="test/odd", artefacts=(Artefact(kind="floppy", name="disk", version="1", sha256="0" * 64),))


def test_an_installed_game_is_read_back_as_it_was_written(tmp_path):
    home = Home(tmp_path)
    written = install(GAME, home)
    assert home.installed(GAME.id) == written
    assert home.all_installed() == [GAME.id]
    assert written.folder.is_dir()


def test_installing_again_keeps_the_files_and_takes_the_new_row(tmp_path):
    home = Home(tmp_path)
    kept = install(GAME, home).folder / "kept"
    kept.write_text("here")
    install(replace(GAME, title="New title"), home)
    assert kept.exists()
    assert home.installed(GAME.id).game.title == "New title"


def test_one_game_that_cannot_be_had_does_not_stop_the_rest(tmp_path):
    outcomes = {outcome.game: outcome.error for outcome in install_all([UNKNOWN, GAME], Home(tmp_path))}
    assert outcomes[GAME.id] == ""
    assert outcomes[UNKNOWN.id] == "artefact 'disk' is of kind 'floppy'. Known: debian, pypi"
    assert Home(tmp_path).all_installed() == [GAME.id]


def test_files_that_cannot_be_completed_leave_the_old_ones_in_place(tmp_path):
    home = Home(tmp_path)
    old = install(GAME, home).folder

    def fill(folder):
        (folder / "half").write_text("")
        raise ConfigError("the network went away")

    with pytest.raises(ConfigError):
        place(GAME.id, home, fill)
    assert old.is_dir()
    assert not (old / "half").exists()


@pytest.mark.parametrize("pin", ["pygame", "pygame>=2", "pygame==2.6.1; python_version>'3'", "--index-url=x==1"])
def test_only_exact_pins_make_an_environment(tmp_path, pin):
    with pytest.raises(ConfigError, match=r"is no exact pin\. Write it as name==version"):
        ensure_environment(Home(tmp_path), [pin])
