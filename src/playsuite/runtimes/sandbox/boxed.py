"""A running program and its box."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from playsuite.core.errors import SandboxError
from playsuite.core.wait import WaitTimeoutError, until
from playsuite.runtimes.sandbox.box import HOME, Bind, Box
from playsuite.runtimes.sandbox.unboxed import outside
from playsuite.runtimes.sandbox.watch import Usage, Watch

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path
    from types import TracebackType

    from playsuite.runtimes.sandbox.leash import Leash
    from playsuite.runtimes.sandbox.status import Status

END_SECONDS = 10
"""Until the kernel has ended every process of a box."""
SIGNALLED = 128
"""A shell's and bubblewrap's exit code for a program that a signal ended, less the signal's number."""
SETUP_FAILED = 1
"""Bubblewrap's own exit code, which a program may have too."""


class Boxed:
    """A running program, `kind` of sandbox ("bubblewrap" or "none") included. Leaving it kills everything inside."""

    def __init__(
        self, process: subprocess.Popen[bytes], box: Box, leash: Leash, *, status: Status | None, home: Path | None
    ) -> None:
        self.process = process
        self.kind = "bubblewrap" if home is None else "none"
        self._leash = leash
        self._status = status
        self._home = home
        self._places = box.binds if home is None else (*box.binds, Bind(home, HOME))
        self._watch = Watch(leash, box.limits)
        self._closed = False

    def poll(self) -> int | None:
        """Return the program's exit code (negative: the signal that ended it), or None while it runs.

        Raises:
            SandboxError: the box could not be built, so the program was never started.
        """
        code = self.process.poll()
        if code == SETUP_FAILED and self._status is not None and not self._status.program_started():
            raise SandboxError("bubblewrap could not build the box; the last line of the game's log says why")
        return SIGNALLED - code if code is not None and code > SIGNALLED else code

    def path(self, target: str) -> str:
        """Return what the program calls the file that is at `target` in a box."""
        return target if self._home is None else outside(target, self._places)

    def usage(self) -> Usage:
        """Return the most the whole tree of processes was seen to use."""
        return self._watch.usage

    def verdict(self) -> str | None:
        """Say in one clause which limit the program ran into ("it used ..."), if any is known."""
        return self._watch.verdict()

    def kill(self) -> None:
        """End everything in the box and wait until it is gone; calling it again does nothing.

        Raises:
            SandboxError: something is still alive after the deadline.
        """
        if self._closed:
            return
        self._watch.stop()
        self._leash.strike()
        try:
            until(self._gone, timeout=END_SECONDS, waiting_for="every process of the game to end")
        except WaitTimeoutError as error:
            raise SandboxError(f"the game of process {self.process.pid} cannot be ended: {error}") from error
        self._leash.close()
        if self._status is not None:
            self._status.close()
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)
        self._closed = True

    def __enter__(self) -> Boxed:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def _gone(self) -> bool:
        return self.process.poll() is not None and self._leash.gone()
