"""A user's own game: what is said of it before anything runs."""

from pathlib import Path

import pytest

from playsuite.catalog.local import add_local, describe, slug, tree_digest
from playsuite.core.errors import ConfigError
from playsuite.core.home import Home, Installed
from playsuite.core.records import Game


def ignore(_: str) -> None:
    pass


def test_a_name_becomes_a_slug():
    assert slug("My Game! 2") == "my-game-2"
    with pytest.raises(ConfigError, match="no id can be made"):
        slug("??")


def test_what_is_no_game_is_refused_with_the_reason(tmp_path):
    with pytest.raises(ConfigError, match="there is nothing at"):
        add_local(tmp_path / "nowhere", Home(tmp_path / "home"), progress=ignore)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/readme.txt").write_text("hello")
    with pytest.raises(ConfigError, match="no Python game in"):
        add_local(tmp_path / "notes", Home(tmp_path / "home"), progress=ignore)


def test_python_2_is_refused_with_file_line_and_reason(tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old/run_game.py").write_text("import pygame\nprint 'hello'\n")
    with pytest.raises(ConfigError, match=r"run_game.py line 2: Missing parentheses.*It is Python 2, or broken"):
        add_local(tmp_path / "old", Home(tmp_path / "home"), progress=ignore)


def test_a_game_is_described_from_its_own_documents(tmp_path):
    (tmp_path / "README.md").write_text("# Snake\n\n## Controls\nArrow keys move, Space starts.\n")
    (tmp_path / "LICENSE").write_text("MIT License\n")
    (tmp_path / "main.py").write_text("import pygame\npygame.display.set_mode((100, 100))\n")
    game = describe("local/snake", "Snake", tmp_path, tmp_path, Path("main.py"))
    assert game.manifest == {"entry": {"kind": "path", "target": "main.py"}}
    assert game.licence == "MIT"
    assert set(game.controls.keys) == {"left", "right", "up", "down", "space"}
    assert game.requirements == ()


def test_an_edited_or_renamed_file_makes_it_another_game(tmp_path):
    (tmp_path / "main.py").write_text("import pygame\n")
    first = tree_digest(tmp_path)
    assert tree_digest(tmp_path) == first
    (tmp_path / "main.py").write_text("import pygame \n")
    edited = tree_digest(tmp_path)
    (tmp_path / "main.py").rename(tmp_path / "game.py")
    assert len({first, edited, tree_digest(tmp_path)}) == 3


def test_a_game_that_works_is_not_given_up_for_one_that_does_not(tmp_path):
    home = Home(tmp_path / "home")
    files = home.files("local/old")
    files.mkdir(parents=True)
    (files / "main.py").write_text("import pygame\n")
    good = home.record(Installed(Game(id="local/old", title="old", runtime="pygame", manifest={}), files))
    (tmp_path / "old").mkdir()
    (tmp_path / "old/run_game.py").write_text("import pygame\nprint 'hello'\n")
    with pytest.raises(ConfigError):
        add_local(tmp_path / "old", home, progress=ignore)
    assert home.installed("local/old") == good
    assert (files / "main.py").exists()
