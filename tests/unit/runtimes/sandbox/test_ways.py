from __future__ import annotations

import resource

import pytest

from playsuite.core.protocols import Limits
from playsuite.runtimes.sandbox.ways import TRANSIENT_UIDS, Way, guest, limit_command


def options(command):
    return dict(word.removeprefix("--").split("=") for word in command if "=" in word)


def test_no_limit_is_above_the_one_that_holds_already():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    asked = options(limit_command(Limits(), Way.USER_NAMESPACE))
    assert int(asked["nofile"]) <= hard
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (soft, hard)


def test_processes_are_not_limited_where_the_users_own_would_count():
    assert "nproc" not in options(limit_command(Limits(), Way.NONE))


def test_two_games_are_two_users():
    uids = {guest(Way.OWN_UID).uid for _ in range(8)}
    assert len(uids) > 1
    assert uids <= set(TRANSIENT_UIDS)


@pytest.mark.parametrize("way", [Way.OWN_UID, Way.USER_NAMESPACE])
def test_no_box_has_a_network_or_a_capability_left(way):
    who = guest(way)
    assert "--unshare-net" in who.arguments
    assert who.arguments[who.arguments.index("--cap-drop") + 1] == "ALL"
