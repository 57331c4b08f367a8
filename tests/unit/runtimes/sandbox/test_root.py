from __future__ import annotations

from pathlib import Path

import pytest

from playsuite.core.errors import SandboxError
from playsuite.runtimes.sandbox.box import Bind
from playsuite.runtimes.sandbox.root import folders, mount_arguments, opened


@pytest.fixture
def usr(tmp_path):
    (tmp_path / "usr" / "share" / "fonts").mkdir(parents=True)
    (tmp_path / "usr" / "share" / "zoneinfo").mkdir()
    (tmp_path / "usr" / "share" / "link").symlink_to("fonts")
    return Bind(tmp_path / "usr", "/usr")


def seen(binds):
    return [bind.target for bind in binds]


def test_a_folder_stays_whole_when_nothing_is_to_be_put_in_it(usr):
    assert seen(opened([usr], ["/game", "/usr-local"])) == ["/usr"]


def test_a_folder_stays_whole_when_it_has_the_place_already(usr):
    assert seen(opened([usr], ["/usr/share/fonts"])) == ["/usr"]


def test_a_folder_is_opened_down_to_where_a_place_is_missing(usr):
    assert seen(opened([usr], ["/usr/share/games/some"])) == [
        "/usr/share/fonts",
        "/usr/share/link",
        "/usr/share/zoneinfo",
    ]


def test_links_of_an_opened_folder_stay_links(usr, tmp_path):
    (tmp_path / "data").mkdir()
    (link,) = [bind for bind in opened([usr], ["/usr/share/games"]) if bind.target == "/usr/share/link"]
    assert link.source.is_symlink()


def test_every_parent_is_made_before_its_children_and_once():
    made = folders(["/opt/games/some/data", "/opt/games/other"])
    assert made[3::4] == ["/opt", "/opt/games", "/opt/games/some"]


def test_a_bind_may_lie_inside_another_whatever_their_order(tmp_path):
    outer, inner = Bind(tmp_path, "/game"), Bind(tmp_path, "/game/save", writable=True)
    arguments = mount_arguments([inner, outer], disk_mb=1, passwd_fd=9)
    assert arguments.index("/game") < arguments.index("/game/save")


def test_only_what_is_said_to_be_writable_is(tmp_path):
    arguments = mount_arguments(
        [Bind(tmp_path, "/game"), Bind(tmp_path, "/save", writable=True)], disk_mb=1, passwd_fd=9
    )
    assert [arguments[at - 1] for at, word in enumerate(arguments) if word == str(tmp_path)] == ["--ro-bind", "--bind"]


def test_a_missing_source_is_named():
    with pytest.raises(SandboxError, match="/nowhere is to be seen in the sandbox as /game"):
        mount_arguments([Bind(Path("/nowhere"), "/game")], disk_mb=1, passwd_fd=9)
