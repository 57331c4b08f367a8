"""Ways to end a whole tree of processes and to see that it is gone."""

from __future__ import annotations

import contextlib
import os
import select
import signal

from playsuite.runtimes.sandbox.watch import descendants


class NamespaceLeash:
    """Holds the first process of a PID namespace: when it dies, the kernel ends all the others."""

    def __init__(self, first: int) -> None:
        try:
            self._fd = os.pidfd_open(first)
        except ProcessLookupError:
            self._fd = -1  # it has ended already

    def strike(self) -> None:
        """Kill everything."""
        if self._fd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._fd, signal.SIGKILL)

    def gone(self) -> bool:
        """Tell whether nothing is left; a pidfd is readable once its process, and so its namespace, has ended."""
        return self._fd < 0 or bool(select.select([self._fd], [], [], 0)[0])

    def close(self) -> None:
        """Let go."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class SessionLeash:
    """Holds a process and whatever descends from it or is in its session: what can be had without a namespace."""

    def __init__(self, first: int) -> None:
        self._first = first

    def strike(self) -> None:
        """Kill everything that can be found."""
        for process in descendants(self._first):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process.name), signal.SIGKILL)

    def gone(self) -> bool:
        """Tell whether nothing is found any more; strikes again at what was started in between."""
        self.strike()
        return not any(True for _ in descendants(self._first))

    def close(self) -> None:
        """Let go."""
