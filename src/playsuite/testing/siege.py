"""Attack the sandbox of this machine, live, and see whether it holds."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec

from playsuite.core.errors import SandboxError
from playsuite.core.protocols import Limits
from playsuite.runtimes.sandbox import Bind, Box, interpreter_binds, start
from playsuite.testing import attack

SECONDS = 30
LIMITS = Limits(memory_mb=512, processes=16, disk_mb=16)


def siege() -> dict[str, str]:
    """Return what each hostile act came to: why it was refused, or nothing if it succeeded.

    Raises:
        SandboxError: there is no sandbox here, or the attack told nothing.
    """
    python = Path(sys.executable)
    with socket.create_server(("127.0.0.1", 0)) as listener, NamedTemporaryFile() as secret:
        Path(secret.name).chmod(0o644)
        targets = (str(listener.getsockname()[1]), str(os.getpid()), secret.name)
        binds = (*interpreter_binds(python), Bind(Path(attack.__file__), "/game/attack.py"))
        box = Box((str(python), "-I", "/game/attack.py", *targets), binds=binds, limits=LIMITS)
        with start(box, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as boxed:
            try:
                printed, complaint = boxed.process.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired as error:
                raise SandboxError(f"the attack was still going on after {SECONDS} s") from error
            boxed.poll()
    try:
        return msgspec.json.decode(printed, type=dict[str, str])
    except msgspec.MsgspecError:
        last = (complaint.decode(errors="replace").strip().splitlines() or ["nothing"])[-1]
        raise SandboxError(f"the attack could not be made; it said: {last}") from None
