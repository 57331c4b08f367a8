"""One process at a time, held by the kernel: a lock dies with its holder, so none is ever left behind."""

from __future__ import annotations

import fcntl
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from playsuite.core.errors import StoreError, boundary
from playsuite.core.wait import until

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@contextmanager
def exclusive(path: Path, *, seconds: float) -> Generator[None]:
    """Hold the lock file at `path` inside the block, waiting at most `seconds` for it.

    Raises:
        WaitTimeoutError: another process kept it for longer than that.
        StoreError: the lock file cannot be made.
    """
    with boundary(StoreError, f"locking {path.parent}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        opened = path.open("ab")
    with opened as file:
        until(lambda: _try_lock(file), timeout=seconds, waiting_for=f"another process to finish with {path.parent}")
        yield


def _try_lock(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
