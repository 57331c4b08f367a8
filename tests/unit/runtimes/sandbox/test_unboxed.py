from __future__ import annotations

from pathlib import Path

from playsuite.runtimes.sandbox.box import Bind, Box
from playsuite.runtimes.sandbox.unboxed import outside, unboxed

PLACES = (Bind(Path("/games/one/files"), "/game"), Bind(Path("/saves"), "/game/saves"))


def test_a_path_of_the_box_becomes_the_hosts():
    assert outside("/game/main.py", PLACES) == "/games/one/files/main.py"


def test_the_innermost_place_decides():
    assert outside("/game/saves/1", PLACES) == "/saves/1"


def test_a_list_of_paths_is_translated_one_by_one():
    assert outside("/game:/usr/lib:/game/saves", PLACES) == "/games/one/files:/usr/lib:/saves"


def test_a_name_that_only_begins_alike_stays():
    assert outside("/gamepad", PLACES) == "/gamepad"


def test_the_home_of_the_box_becomes_the_one_given():
    plain = unboxed(Box(("/bin/ls", "/home/game/x"), PLACES), Path("/tmp/home"))
    assert plain.argv == ("/bin/ls", "/tmp/home/x")
    assert plain.chdir == "/tmp/home"
    assert plain.env["HOME"] == "/tmp/home"
