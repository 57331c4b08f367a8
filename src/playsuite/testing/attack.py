"""A hostile program, run inside the sandbox by `playsuite doctor`; it prints what each of its acts came to.

It imports nothing of ours, as nothing of ours is in the box, and each act is bounded, in case the box does not hold.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

NEW_USER_NAMESPACE = 0x10000000
MOST_FORKS = 200
MOST_MB = 64
MB = b"x" * (1 << 20)


def read_host_files(secret: str) -> None:
    """Read a file that everyone on the host may read."""
    Path(secret).read_bytes()


def reach_the_network(port: int) -> None:
    """Connect to a listener of the host."""
    socket.create_connection(("127.0.0.1", port), timeout=2).close()


def signal_the_host(process: int) -> None:
    """Ask whether a process of the host can be signalled."""
    os.kill(process, 0)


def write_outside_scratch() -> None:
    """Leave a file beside the game."""
    Path("/game/was-here").write_text("x", encoding="utf-8")


def fill_the_disk() -> None:
    """Write far more than is allowed."""
    with Path("/tmp/big").open("wb", buffering=0) as file:
        for _ in range(MOST_MB):
            if file.write(MB) < len(MB):
                file.write(MB)


def fork_without_end() -> None:
    """Fork far more often than is allowed."""
    hold, release = os.pipe()
    children: list[int] = []
    try:
        while len(children) < MOST_FORKS:
            child = os.fork()
            if child == 0:
                os.read(hold, 1)
                os._exit(0)
            children.append(child)
    finally:
        os.write(release, b"x" * len(children))
        for child in children:
            os.waitpid(child, 0)


def make_a_user_namespace() -> None:
    """Become root of a namespace, the first step of most ways out."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEW_USER_NAMESPACE):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def outcome(act: Callable[..., None], *arguments: int | str) -> str:
    """Return why an act was refused, or nothing if it succeeded."""
    try:
        act(*arguments)
    except OSError as error:
        return str(error.strerror or error)
    return ""


def main(port: int, process: int, secret: str) -> None:
    """Try every act and print a JSON object: why each was refused, empty if it was not."""
    acts: dict[str, str] = {
        "read host files": outcome(read_host_files, secret),
        "reach the network": outcome(reach_the_network, port),
        "signal host processes": outcome(signal_the_host, process),
        "write beside the game": outcome(write_outside_scratch),
        "fill the disk": outcome(fill_the_disk),
        "fork without end": outcome(fork_without_end),
        "make a user namespace": outcome(make_a_user_namespace),
    }
    sys.stdout.write(json.dumps(acts))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
