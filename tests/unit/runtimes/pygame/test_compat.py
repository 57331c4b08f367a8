import os
from pathlib import Path

import pytest

from playsuite.runtimes.pygame.guest.compat import package_folders, repaired
from playsuite.runtimes.pygame.guest.entropy import Entries


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "Assets" / "shoot").mkdir(parents=True)
    (tmp_path / "Assets" / "shoot" / "Bang.WAV").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", ["assets\\shoot\\bang.wav", "Assets/shoot/Bang.WAV", "./ASSETS/SHOOT/BANG.wav"])
def test_a_path_written_for_another_system_is_found(path, folder):
    assert Path(repaired(path, os.listdir)).samefile(folder / "Assets" / "shoot" / "Bang.WAV")


@pytest.mark.parametrize("path", ["assets/none.wav", "", None, 3, b"x"])
def test_what_cannot_be_found_stays_as_it_is(path, folder):
    assert repaired(path, os.listdir) == path


def test_folders_with_python_files_are_searched(folder):
    (folder / "lib").mkdir()
    (folder / "lib" / "states.py").write_text("")
    (folder / "venv").mkdir()
    (folder / "venv" / "x.py").write_text("")
    assert package_folders(folder) == [str(folder / "lib")]


def test_entries_of_a_folder_come_by_name_and_only_once(tmp_path):
    for name in "cab":
        (tmp_path / name).write_text("")
    with Entries(os.scandir(tmp_path)) as entries:
        assert [entry.name for entry in entries] == ["a", "b", "c"]
        assert list(entries) == []
