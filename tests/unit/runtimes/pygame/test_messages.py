import socket

import numpy as np
import pytest

from playsuite.core.errors import ConfigError, GameError
from playsuite.core.records import Game
from playsuite.runtimes.pygame.frames import SLOT_BYTES, SLOTS, FrameMemory, rgb
from playsuite.runtimes.pygame.manifest import read_manifest
from playsuite.runtimes.pygame.messages import LONGEST_LINE, Connection, Parked, Patience, Shot


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Connection(ours), theirs


def test_a_message_may_come_in_pieces_and_two_at_once(ends):
    connection, guest = ends
    line = b'{"kind":"parked","t":1,"frames":2,"restless":false,"shot":null}\n'
    guest.sendall(line[:10])
    guest.sendall(line[10:] + line)
    wanted = Parked(t=1, frames=2, restless=False, shot=None)
    assert [connection.receive(Patience(1.0)) for _ in range(2)] == [wanted, wanted]


@pytest.mark.parametrize(
    "line",
    [
        b"hello\n",
        b"{}\n",
        b"\xff\xfe\n",
        b'{"kind":"parked","t":-1,"frames":0,"restless":false,"shot":null}\n',
        b'{"kind":"parked","t":1e300,"frames":0,"restless":false,"shot":null}\n',
        b'{"kind":"film","index":0,"shot":{"slot":0,"width":0,"height":1,"order":"RGB"}}\n',
        b'{"kind":"film","index":0,"shot":{"slot":0,"width":99999999,"height":1,"order":"RGB"}}\n',
        b"[" * 5000 + b"\n",
        b"x" * (2 * LONGEST_LINE),
    ],
)
def test_nonsense_is_a_fault_of_the_game(line, ends):
    connection, guest = ends
    guest.setblocking(False)
    guest.send(line)
    with pytest.raises(GameError):
        connection.receive(Patience(1.0))


def test_silence_ends_with_the_patience(ends):
    connection, _ = ends
    patience = Patience(0.05)
    with pytest.raises(TimeoutError):
        connection.receive(patience)
    assert patience.left <= 0


def test_a_closed_end_is_no_message(ends):
    connection, guest = ends
    guest.close()
    assert connection.receive(Patience(1.0)) is None


def test_colours_come_out_in_the_right_order():
    pixels = bytes([3, 2, 1, 0, 30, 20, 10, 255])
    assert np.array_equal(rgb(memoryview(pixels), 2, 1, "BGRX"), [[[1, 2, 3], [10, 20, 30]]])
    assert np.array_equal(rgb(memoryview(pixels[:3]), 1, 1, "RGB"), [[[3, 2, 1]]])


@pytest.mark.parametrize("shot", [Shot(SLOTS, 10, 10, "RGB"), Shot(0, 16_000, 16_000, "BGRX")])
def test_a_picture_that_cannot_be_is_a_fault_of_the_game(shot):
    memory = FrameMemory()
    with pytest.raises(GameError, match="cannot be seen"):
        memory.read(shot)
    memory.close()
    memory.close()


def test_the_largest_window_fits():
    memory = FrameMemory()
    assert memory.read(Shot(SLOTS - 1, 2560, 1600, "BGRX")).shape == (1600, 2560, 3)
    assert SLOT_BYTES == 2560 * 1600 * 4
    memory.close()


def test_a_script_starts_in_its_own_folder_and_a_module_in_the_games():
    def folder(kind, target):
        entry = {"entry": {"kind": kind, "target": target}}
        return read_manifest(Game(id="a/b", title="B", runtime="pygame", manifest=entry)).start_folder

    assert folder("path", "usr/share/games/b/run.py") == "usr/share/games/b"
    assert folder("path", "run.py") == "."
    assert folder("module", "b.main") == "."


def test_a_misspelt_manifest_is_told():
    game = Game(id="a/b", title="B", runtime="pygame", manifest={"entrie": {}})
    with pytest.raises(ConfigError, match="entr"):
        read_manifest(game)
