"""Whether a server on a Unix socket is well, and whether a path can become one's socket."""

from __future__ import annotations

import errno
import socket
import stat
from typing import TYPE_CHECKING

from playsuite.agents.connection import SOCKET, AwayError, Connection
from playsuite.core.errors import AgentError, ConfigError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

LONGEST_PATH = 107
"""Bytes the kernel has for the path of a Unix socket."""
ANSWER_S = 5.0
OK = 200


class Health:
    """Asks a server whether it is well. A context manager."""

    def __init__(self, path: Path, *, answer_seconds: float = ANSWER_S) -> None:
        self._connection = Connection(f"{SOCKET}{path}", "")
        self._answer_seconds = answer_seconds

    def good(self) -> bool:
        """Tell whether it says that it is well: its socket's file is there minutes before the model is loaded."""
        try:
            said = self._connection.get(f"{self._connection.root}health", seconds=self._answer_seconds)
        except (AwayError, AgentError):
            return False
        return said.status == OK

    def __enter__(self) -> Health:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()


def clear_the_way(path: Path) -> None:
    """Remove the socket a dead server left at `path`.

    Raises:
        ConfigError: something else is there, a server listens on it, or it can be no socket's path.
    """
    size = len(bytes(path))
    if size > LONGEST_PATH:
        raise ConfigError(f"a Unix socket's path has at most {LONGEST_PATH} bytes; {path} has {size}. Choose a shorter")
    if not path.parent.is_dir():
        raise ConfigError(f"there is no folder {path.parent} for the socket {path.name}. Make it first")
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise ConfigError(f"{path} exists and is no socket. Choose another path")
    if _answers(path):
        raise ConfigError(f"another server listens on {path}. Stop it, or choose another path")
    path.unlink(missing_ok=True)


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(ANSWER_S)
        return probe.connect_ex(str(path)) not in {errno.ECONNREFUSED, errno.ENOENT}
