"""A small process that holds one engine: when its input ends, or the engine does, nothing of the engine is left.

An engine is several processes, and the death of its first leaves the others alive, holding the GPU. Orphans among
them become children of this one, which ends them. Its input is a pipe that only the owner holds, so it ends with the
owner, however that dies.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NoReturn

from playsuite.core.wait import WaitTimeoutError, until

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
SWEEP_S = 30.0
"""A process that a GPU's driver holds on to dies late; longer than this is not waited."""
TIDY_S = 3.0
"""What Python's resource tracker gets to remove the shared memory of those that were killed."""
TRACKER = "multiprocessing.resource_tracker"


def main() -> int:
    """Hold the engine that a command line starts, end it when it is time, and return its exit code.

    The command line: how many seconds the engine gets to end by itself, a temporary folder of its own, its command.
    """
    grace_seconds, scratch, command = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
    _control(PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGTERM, _leave)
    # Engines leave sockets and more in the temporary folder even when they end well.
    environment = os.environ | {"TMPDIR": scratch}
    # This process has one thread, so running our own code between fork and exec is safe.
    engine = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, env=environment, preexec_fn=partial(_die_with, os.getpid())
    )
    try:
        select.select([sys.stdin, os.pidfd_open(engine.pid)], [], [])
    finally:
        _end(engine, grace_seconds)
        shutil.rmtree(scratch, ignore_errors=True)
    return engine.returncode if engine.returncode >= 0 else 128 - engine.returncode


def _end(engine: subprocess.Popen[bytes], grace_seconds: float) -> None:
    """Ask the engine to end, then kill it, then whatever it left."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # we are at it
    engine.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        engine.wait(grace_seconds)
    engine.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        engine.wait(SWEEP_S)
    with contextlib.suppress(WaitTimeoutError):
        until(partial(_swept, spare=TRACKER), timeout=TIDY_S, waiting_for="the shared memory to be removed")
    with contextlib.suppress(WaitTimeoutError):
        until(_swept, timeout=SWEEP_S, waiting_for="the engine's processes to die")


def _swept(spare: str | None = None) -> bool:
    """Kill all children, which makes their children ours; tell whether none is left. Let `spare` end by itself."""
    for child in _children():
        with contextlib.suppress(OSError):  # it has just ended
            if spare is None or spare not in Path(f"/proc/{child}/cmdline").read_text(errors="replace"):
                os.kill(child, signal.SIGKILL)
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False


def _children() -> list[int]:
    own = str(os.getpid())
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):  # it has just ended
                _, _, fields = (entry / "stat").read_text(errors="replace").rpartition(")")
                found += [int(entry.name)] if fields.split()[1] == own else []
    return found


def _die_with(keeper: int) -> None:
    """Have the kernel kill this process as soon as the keeper is gone."""
    _control(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != keeper:
        os._exit(1)


def _control(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value)


def _leave(signum: int, frame: object) -> NoReturn:
    sys.exit(128 + signum)


if __name__ == "__main__":
    sys.exit(main())
