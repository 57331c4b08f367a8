"""The two ways out of the sandbox: a socket for messages, one JSON object a line, and memory for pictures."""

from __future__ import annotations

import io
import json
import mmap
import os
import socket
from typing import IO, Any


class Channel:
    """The guest's end."""

    def __init__(self, socket_fd: int) -> None:
        os.set_inheritable(socket_fd, False)  # noqa: FBT003 it takes no name
        self._socket = socket.socket(fileno=socket_fd)
        self._lines: IO[bytes] = self._socket.makefile("rb")
        self._memory: mmap.mmap
        self._exit = os._exit
        self.slots = self.slot_bytes = 0

    def share(self, *, memory_fd: int, slots: int, slot_bytes: int) -> None:
        """Begin to use the memory for pictures."""
        self._memory = mmap.mmap(memory_fd, slots * slot_bytes)
        os.close(memory_fd)
        self.slots, self.slot_bytes = slots, slot_bytes

    def send(self, **message: Any) -> None:
        """Tell the host something."""
        self._socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> dict[str, Any]:
        """Wait for the host's next order; without a host there is nothing left to do."""
        line = self._lines.readline()
        if not line:
            self._exit(0)
        order: dict[str, Any] = json.loads(line)
        return order

    def leave(self) -> None:
        """Let go of the host; whoever asks it anything after that ends."""
        self._socket.close()
        self._lines = io.BytesIO()

    def write(self, slot: int, pixels: memoryview | bytes) -> None:
        """Put a picture into one slot of the shared memory."""
        begin = slot * self.slot_bytes
        self._memory[begin : begin + len(pixels)] = pixels
