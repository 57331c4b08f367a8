"""Keep the first megabytes of what a program prints and drop the rest, up to where a program prints without end."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from playsuite.core.errors import StoreError
from playsuite.core.wait import WaitTimeoutError, until

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

CHUNK = 1 << 16
MB = 1 << 20
END_SECONDS = 5


class BoundedLog:
    """A file that takes at most `limit_mb` of what is written to `fd`. A context manager.

    Give `fd` to the program as its stdout and stderr, then call `started`. What goes beyond the limit is read and
    dropped, so that the program does not block; after `output_mb` the pipe is closed, and writing to it fails.
    """

    def __init__(
        self, path: Path, limit_mb: int, *, output_mb: int = 256, patience_seconds: float = END_SECONDS
    ) -> None:
        self.path = path
        self._patience = patience_seconds
        self._limit = limit_mb * MB
        self._output_mb = output_mb
        self._seen = 0
        self._failure: OSError | None = None
        self._file = path.open("wb", buffering=0)
        self._read, self.fd = os.pipe()
        self._thread = threading.Thread(target=self._copy, name=f"log-{path.name}", daemon=True)
        self._thread.start()

    def started(self) -> None:
        """Let go of the writing end, now that the program holds it: the log ends when the program does."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def verdict(self) -> str | None:
        """Say in one clause that the program printed more than it may, if it did."""
        if self._seen <= self._output_mb * MB:
            return None
        return f"it printed more than the {self._output_mb} MB allowed"

    def tail(self, lines: int = 20) -> str:
        """Return the last lines that were kept."""
        return "\n".join(self.path.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])

    def close(self) -> None:
        """Wait until everything that was printed is read; calling it again does nothing.

        Raises:
            StoreError: the host has no room for the log.
        """
        self.started()
        try:
            until(
                lambda: not self._thread.is_alive(), timeout=self._patience, waiting_for="the end of the game's output"
            )
        except WaitTimeoutError as error:
            # Someone outside the box still holds the pipe. The thread is a daemon and ends with them.
            self._keep(f"\n[playsuite: {error}]\n".encode())
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise StoreError(f"writing the game's log {self.path}: {failure}")

    def __enter__(self) -> BoundedLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _copy(self) -> None:
        with self._file, os.fdopen(self._read, "rb", buffering=0) as pipe:
            while self.verdict() is None and (chunk := pipe.read(CHUNK)):
                self._keep(chunk[: max(0, self._limit - self._seen)])
                self._seen += len(chunk)
            if self._seen > self._limit:
                dropped_mb = (self._seen - self._limit) / MB
                self._keep(f"\n[playsuite: {dropped_mb:.1f} MB more were printed and dropped]\n".encode())

    def _keep(self, data: bytes) -> None:
        # Reading goes on when the host's disk is full: else the game would block or fail for it.
        try:
            self._file.write(data)
        except OSError as error:
            self._failure = self._failure or error
