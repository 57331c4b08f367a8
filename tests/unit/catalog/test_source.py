"""Reading source without running it."""

from pathlib import Path

from playsuite.catalog.source import entries, read


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def test_run_game_comes_before_main_and_tools_come_last(tmp_path):
    write(tmp_path, {"main.py": "main()", "run_game.py": "", "level_editor.py": "set_mode(", "test.py": ""})
    assert entries(tmp_path) == [Path("run_game.py"), Path("main.py")]


def test_a_file_that_opens_a_window_is_found_whatever_its_name(tmp_path):
    write(tmp_path, {"snake.py": "pygame.display.set_mode((1, 1))\npygame.display.flip()\n", "data.py": ""})
    assert entries(tmp_path) == [Path("snake.py")]


def test_environments_inside_the_folder_are_not_the_game(tmp_path):
    write(tmp_path, {"venv/main.py": "main()", "main.py": "main()"})
    assert entries(tmp_path) == [Path("main.py")]


def test_imports_are_followed_through_the_games_own_modules(tmp_path):
    write(
        tmp_path,
        {
            "main.py": "import os, pygame\nfrom lib import player\nimport hidden",
            "lib/player.py": "import pytmx.util_pygame",
            "lib/other/hidden.py": "import six",
            "unused.py": "import scipy",
        },
    )
    assert read(tmp_path, Path("main.py")).imports == ("pygame", "pytmx", "six")


def test_python_2_is_recognised_with_its_place(tmp_path):
    write(tmp_path, {"main.py": "import engine", "engine.py": "x = 1\nprint 'hello'\n"})
    assert read(tmp_path, Path("main.py")).unreadable.startswith("engine.py line 2: Missing parentheses in call to")


def test_python_2_in_a_file_that_is_never_imported_does_no_harm(tmp_path):
    write(tmp_path, {"main.py": "import pygame", "upload.py": "print 'hello'"})
    assert not read(tmp_path, Path("main.py")).unreadable
