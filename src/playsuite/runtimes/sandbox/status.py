"""What bubblewrap tells about a box: which process is the first in it, and whether the program was ever started."""

from __future__ import annotations

import os

import msgspec

from playsuite.core.errors import SandboxError
from playsuite.core.wait import WaitTimeoutError, until

BUILT = b"exit-code"
"""Bubblewrap tells an exit code only of a program that it had started."""
CHUNK = 4096
MADE_SECONDS = 20
"""Until bubblewrap has made the namespaces; a few ms on an idle machine."""


class Status:
    """The reading end of bubblewrap's `--json-status-fd`: a line of JSON at the start, another at the end."""

    def __init__(self) -> None:
        self._fd, self.write_end = os.pipe()
        os.set_blocking(self._fd, False)
        self._told = b""
        self._ended = False

    def first_process(self) -> int:
        """Wait until the box is made; return the first process in it.

        Raises:
            SandboxError: bubblewrap gave up, or took too long.
        """
        try:
            until(lambda: b"\n" in self._read() or self._ended, timeout=MADE_SECONDS, waiting_for="bubblewrap")
        except WaitTimeoutError as error:
            raise SandboxError(f"no box was made: {error}") from error
        line, end, _ = self._told.partition(b"\n")
        if not end:
            raise SandboxError("bubblewrap gave up before it made a box; the last line of the game's log says why")
        return int(msgspec.json.decode(line)["child-pid"])

    def program_started(self) -> bool:
        """Tell, once bubblewrap has ended, whether it had come to start the program."""
        return BUILT in self._read()

    def started(self) -> None:
        """Let go of the writing end, now that bubblewrap holds it."""
        os.close(self.write_end)

    def close(self) -> None:
        """Keep what was told, and let go."""
        self._read()
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _read(self) -> bytes:
        while self._fd >= 0 and not self._ended:
            try:
                chunk = os.read(self._fd, CHUNK)
            except BlockingIOError:
                break
            self._told += chunk
            self._ended = not chunk
        return self._told
