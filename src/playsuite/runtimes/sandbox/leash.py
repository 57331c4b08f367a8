"""Ways to hold a whole tree of processes: list it, look into it, end it."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from pathlib import Path
from typing import Protocol

PROC = Path("/proc")


class Leash(Protocol):
    """Holds a program and everything it started."""

    def processes(self) -> list[Path]:
        """Return the /proc folders of the program and all it started."""
        ...

    def folder(self, place: str) -> Path | None:
        """Return where this process finds the box's `place`, if it is the box's own."""
        ...

    def strike(self) -> None:
        """Kill everything."""
        ...

    def gone(self) -> bool:
        """Tell whether nothing is left."""
        ...

    def close(self) -> None:
        """Let go."""
        ...


class NamespaceLeash:
    """Holds the first process of a PID namespace: when it dies, the kernel ends all the others."""

    def __init__(self, first: int) -> None:
        self._root = PROC / str(first) / "root"
        try:
            self._fd = os.pidfd_open(first)
        except ProcessLookupError:
            self._fd = -1  # it has ended already

    def processes(self) -> list[Path]:
        """List the namespace through its own /proc; its first process is bubblewrap's."""
        proc = self.folder("/proc")
        try:
            return [entry for entry in proc.iterdir() if entry.name.isdigit() and entry.name != "1"] if proc else []
        except OSError:
            return []  # it has just ended

    def folder(self, place: str) -> Path | None:
        """Look through the root of the first process; until bubblewrap has changed it, that is the host's own."""
        try:
            if self._root.stat().st_dev == Path("/").stat().st_dev:
                return None
        except OSError:
            return None  # it has just ended
        return self._root / place.lstrip("/")

    def strike(self) -> None:
        """Kill the first process, and with it the namespace."""
        if self._fd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._fd, signal.SIGKILL)

    def gone(self) -> bool:
        """Tell whether the first process has ended, which it does last: then its pidfd can be read."""
        return self._fd < 0 or bool(select.select([self._fd], [], [], 0)[0])

    def close(self) -> None:
        """Let go of the pidfd."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class SessionLeash:
    """Holds a process, its session and all descendants: what can be had without a namespace."""

    def __init__(self, first: int) -> None:
        self._first = first

    def processes(self) -> list[Path]:
        """List them by their sessions and parents, among all processes of the host."""
        parents: dict[int, int] = {}
        found = {self._first}
        for entry in (entry for entry in PROC.iterdir() if entry.name.isdigit()):
            try:
                _, _, fields = (entry / "stat").read_text(errors="replace").rpartition(")")
            except OSError:
                continue  # it has just ended
            state, parent, _, session = fields.split()[:4]
            if state == "Z":
                continue
            parents[int(entry.name)] = int(parent)
            if int(session) == self._first:
                found.add(int(entry.name))
        while grown := {child for child, parent in parents.items() if parent in found} - found:
            found |= grown
        return [PROC / str(pid) for pid in found & parents.keys()]

    def folder(self, place: str) -> None:
        """Return nothing: all its folders are the host's."""

    def strike(self) -> None:
        """Kill everything that can be found."""
        for process in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process.name), signal.SIGKILL)

    def gone(self) -> bool:
        """Tell whether nothing is found; strike again at what was started in between."""
        self.strike()
        return not self.processes()

    def close(self) -> None:
        """Let go."""
