import socket

import pytest

from playsuite.agents.serving.health import Health, clear_the_way
from playsuite.core.errors import ConfigError


def bound(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    return listener


def test_a_socket_that_nobody_listens_on_is_removed(place):
    bound(place.socket).close()
    clear_the_way(place.socket)
    assert not place.socket.exists()


def test_a_socket_that_somebody_listens_on_is_left_alone(place):
    with bound(place.socket) as listener:
        listener.listen()
        with pytest.raises(ConfigError, match="another server listens on"):
            clear_the_way(place.socket)
    assert place.socket.exists()


def test_a_file_is_never_removed(place):
    place.socket.write_text("mine")
    with pytest.raises(ConfigError, match="is no socket"):
        clear_the_way(place.socket)
    assert place.socket.read_text() == "mine"


def test_a_path_that_is_too_long_for_a_socket_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"at most 107 bytes; .* has \d+"):
        clear_the_way(tmp_path / ("x" * 107))


def test_a_folder_that_is_missing_is_said(tmp_path):
    with pytest.raises(ConfigError, match="no folder"):
        clear_the_way(tmp_path / "none" / "s")


def test_a_socket_without_a_server_behind_it_is_not_well(place):
    with bound(place.socket), Health(place.socket) as health:
        assert not health.good()
