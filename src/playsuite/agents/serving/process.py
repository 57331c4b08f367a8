"""One life of an engine: its processes and what they write, from start to end."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from playsuite.agents.serving.reasons import reason
from playsuite.core.errors import PlaySuiteError, boundary
from playsuite.core.wait import WaitTimeoutError, until

if TYPE_CHECKING:
    from pathlib import Path

    from playsuite.agents.serving.command import Command

MARGIN_S = 45.0
"""What the keeper may take beyond the grace: killing what holds a GPU is slow."""
LAST_OF_LOG = 1 << 18
"""Bytes at the end of a log in which a reason is looked for."""


class EngineProcess:
    """A running engine, held by a keeper that ends it with us."""

    def __init__(self, command: Command, log: Path, *, grace_seconds: float) -> None:
        self._grace_seconds = grace_seconds
        self._log = log
        self._scratch = tempfile.mkdtemp(prefix="engine-")
        keeper = [sys.executable, "-P", "-m", "playsuite.agents.serving.keeper", str(grace_seconds), self._scratch]
        with log.open("ab") as written:
            written.write(f"--- {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC: {shlex.join(command.argv)}\n".encode())
            self._log_begins = written.tell()
            # In a session of its own, so that Ctrl-C at the terminal reaches only us, and we decide.
            self._keeper = subprocess.Popen(
                [*keeper, *command.argv],
                stdin=subprocess.PIPE, stdout=written, stderr=subprocess.STDOUT,
                env=os.environ | command.environment, start_new_session=True,
            )  # fmt: skip

    @property
    def ended(self) -> bool:
        """Whether it has ended by itself; it is not buried, so that its number stays its own until `end`."""
        if self._keeper.returncode is not None:
            return True
        return os.waitid(os.P_PID, self._keeper.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def end(self) -> int:
        """End it and everything it started; return its exit code."""
        if self._keeper.returncode is not None:
            return self._keeper.returncode
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()
        with contextlib.suppress(WaitTimeoutError):
            until(lambda: self.ended, timeout=self._grace_seconds + MARGIN_S, waiting_for="the keeper to end")
        # The keeper may have been killed itself: what it left has still its group, and its folder.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._keeper.pid, signal.SIGKILL)
        shutil.rmtree(self._scratch, ignore_errors=True)
        with boundary(PlaySuiteError, f"killing the engine held by process {self._keeper.pid}"):
            return self._keeper.wait(MARGIN_S)

    def why(self) -> str:
        """Say how it ended and the most telling thing it wrote."""
        return f"{_how(self.end())}: {self.said()}"

    def said(self) -> str:
        """Return the most telling line of what it has written so far, and where the rest is."""
        with self._log.open("rb") as written:
            end = written.seek(0, os.SEEK_END)
            written.seek(max(self._log_begins, end - LAST_OF_LOG))
            text = written.read().decode("utf-8", "replace")
        return f"{reason(text)} (log: {self._log})"


def _how(code: int) -> str:
    """Say what an exit code means; the keeper ends with 128 + N if the engine was killed by signal N."""
    number = -code if code < 0 else code - 128
    if number == signal.SIGKILL:
        return "was killed, by somebody or because memory ran out"
    with contextlib.suppress(ValueError):
        return f"was ended by {signal.Signals(number).name}"
    return f"ended with exit code {code}"
