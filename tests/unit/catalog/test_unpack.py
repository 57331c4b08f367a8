"""Archives are unpacked inside their new place, or not at all."""

import zipfile

import pytest

from playsuite.catalog.unpack import copy_folder, single_folder, unpack_zip
from playsuite.core.errors import ConfigError


def zipped(path, *entries):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in entries:
            archive.writestr(name, text)
    return path


def test_files_come_out_as_they_went_in(tmp_path):
    archive = zipped(tmp_path / "game.zip", ("game/main.py", "main()"), ("game\\data\\map.txt", "x"))
    unpack_zip(archive, tmp_path / "out")
    assert (tmp_path / "out/game/main.py").read_text() == "main()"
    assert (tmp_path / "out/game/data/map.txt").read_text() == "x"
    assert single_folder(tmp_path / "out") == tmp_path / "out/game"


@pytest.mark.parametrize("name", ["../evil.py", "/etc/evil", "a/../../evil.py", "C:/evil", "..\\evil.py"])
def test_a_path_that_leads_out_is_refused(tmp_path, name):
    archive = zipped(tmp_path / "game.zip", (name, "x"))
    with pytest.raises(ConfigError, match="leads out of the archive"):
        unpack_zip(archive, tmp_path / "out")
    assert not (tmp_path / "evil.py").exists()


def test_a_link_is_refused(tmp_path):
    link = zipfile.ZipInfo("home")
    link.external_attr = 0o120777 << 16
    with pytest.raises(ConfigError, match="holds the link 'home'"):
        unpack_zip(zipped(tmp_path / "game.zip", (link, "/root")), tmp_path / "out")


def test_something_else_is_no_zip(tmp_path):
    (tmp_path / "game.zip").write_text("<html>not found</html>")
    with pytest.raises(ConfigError, match="cannot be unpacked"):
        unpack_zip(tmp_path / "game.zip", tmp_path / "out")


def test_a_folder_is_copied_without_its_links(tmp_path):
    source = tmp_path / "game"
    (source / "data").mkdir(parents=True)
    (source / "main.py").write_text("main()")
    (source / "data/secret").symlink_to("/etc/passwd")
    copy_folder(source, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").rglob("*") if path.is_file()] == ["main.py"]
