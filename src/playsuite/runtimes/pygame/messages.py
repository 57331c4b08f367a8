"""What guest and host say to each other: one JSON object a line. Whatever the guest says is checked first."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from playsuite.core.errors import GameError

if TYPE_CHECKING:
    import socket

LONGEST_LINE = 1 << 16
CHUNK = 1 << 12
LARGEST_SIDE = 16_384
"""Pixels."""

Count = Annotated[int, Meta(ge=0, lt=2**53)]
Side = Annotated[int, Meta(gt=0, le=LARGEST_SIDE)]


class Shot(Struct, frozen=True):
    """Where in the shared memory a picture is, and how its bytes are ordered."""

    slot: Count
    width: Side
    height: Side
    order: Literal["BGRX", "RGB"]


class Parked(Struct, frozen=True, tag_field="kind", tag="parked"):
    """The game stands still."""

    t: Count
    """Nanoseconds since the first frame."""
    frames: Count
    restless: bool
    shot: Shot | None


class Filmed(Struct, frozen=True, tag_field="kind", tag="film"):
    """A frame of the film is in its slot."""

    index: Count
    shot: Shot | None


class Ended(Struct, frozen=True, tag_field="kind", tag="end"):
    """The game has ended."""

    t: Count
    frames: Count
    restless: bool
    shot: Shot | None
    code: Annotated[int, Meta(ge=-(2**53), lt=2**53)]
    error: str


Message = Parked | Filmed | Ended


class Patience:
    """Wall seconds left to wait for the guest; what the host does in between is not counted."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.left = seconds


class Connection:
    """The host's end of the socket."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._buffer = b""
        self._decoder = msgspec.json.Decoder(Message)

    def send(self, patience: Patience, order: dict[str, Any]) -> None:
        """Give the guest an order.

        Raises:
            TimeoutError: it did not take it.
            ConnectionError: it is gone.
        """
        self._socket.settimeout(max(patience.left, 0.001))
        self._socket.sendall(msgspec.json.encode(order) + b"\n")

    def receive(self, patience: Patience) -> Message | None:
        """Return the next message; None if the guest is gone.

        Raises:
            GameError: what came is no message.
            TimeoutError: nothing came.
        """
        begin = time.monotonic()
        try:
            line = self._line(begin + patience.left)
        finally:
            patience.left -= time.monotonic() - begin
        if line is None:
            return None
        try:
            return self._decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise GameError(f"the game's process sent something that is no message of the runtime: {error}") from error

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def _line(self, deadline: float) -> bytes | None:
        while b"\n" not in self._buffer:
            if len(self._buffer) > LONGEST_LINE:
                raise GameError(f"the game's process sent a message longer than {LONGEST_LINE} bytes")
            self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
            try:
                chunk = self._socket.recv(CHUNK)
            except ConnectionError:
                return None
            if not chunk:
                return None
            self._buffer += chunk
            if time.monotonic() > deadline:
                raise TimeoutError
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line
