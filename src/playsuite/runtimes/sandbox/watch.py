"""Watch from outside what a whole tree of processes uses, and end it when it is too much."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.runtimes.sandbox.root import SCRATCH

if TYPE_CHECKING:
    from pathlib import Path

    from playsuite.core.protocols import Limits
    from playsuite.runtimes.sandbox.leash import Leash

PERIOD_S = 0.05
AT_LIMIT_S = 1.0
"""A game that stays this long at its limit on processes is a fork bomb, or will never get the ones it needs."""
MOST_FILES = 50_000
"""In each scratch folder. An empty file takes no room on a tmpfs, but a kilobyte of the host's memory."""
MEMORY = ("RssAnon", "RssShmem", "VmSwap")
"""Of /proc/PID/status, in kB: what is a process's own; mapped files cost the host nothing."""


class Usage(Struct, frozen=True):
    """The most that was seen in use at one time."""

    memory_mb: float = 0.0
    processes: int = 0
    """Threads included, as the kernel counts them."""
    full: tuple[str, ...] = ()
    """Folders of the box that had no room left."""


class Watch:
    """Samples a tree of processes on a thread of its own; strikes once, if a limit is passed."""

    def __init__(self, leash: Leash, limits: Limits) -> None:
        self.usage = Usage()
        self._leash = leash
        self._limits = limits
        self._passed: str | None = None
        self._at_limit = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sandbox-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching; what was seen is kept."""
        self._stopped.set()
        self._thread.join()

    def verdict(self) -> str | None:
        """Return which limit was passed, or else which was reached and may explain a failure."""
        return self._passed or _reached(self.usage, self._limits)

    def _run(self) -> None:
        while True:
            self._look(self._leash.processes())
            if self._passed is not None:
                return self._leash.strike()
            if self._stopped.wait(PERIOD_S):
                return None

    def _look(self, processes: list[Path]) -> None:
        statuses = [status for status in map(_status, processes) if status is not None]
        threads = sum(status.get("Threads", 0) for status in statuses)
        memory_mb = sum(status.get(kind, 0) for status in statuses for kind in MEMORY) / 1024
        if memory_mb > self._limits.memory_mb:
            # That counted pages twice that forked processes share, so count exactly before judging.
            memory_mb = sum(map(_proportional_kb, processes)) / 1024
        full, files = _scratch(self._leash)
        self.usage = Usage(
            memory_mb=max(memory_mb, self.usage.memory_mb),
            processes=max(threads, self.usage.processes),
            full=tuple(sorted({*full, *self.usage.full})),
        )
        self._at_limit = self._at_limit + 1 if threads >= self._limits.processes - 1 else 0
        if memory_mb > self._limits.memory_mb:
            self._passed = f"it used {memory_mb:.0f} MB of memory, more than the {self._limits.memory_mb} allowed"
        elif threads > self._limits.processes or self._at_limit * PERIOD_S > AT_LIMIT_S:
            self._passed = f"it ran {threads} processes and threads at once; {self._limits.processes} are allowed"
        elif files > MOST_FILES:
            self._passed = f"it made {files} files; {MOST_FILES} are allowed"


def _status(process: Path) -> dict[str, int] | None:
    try:
        lines = (process / "status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None  # it has just ended
    pairs = (line.partition(":") for line in lines)
    return {key: int(value.split()[0]) for key, _, value in pairs if key in {"Threads", *MEMORY}}


def _proportional_kb(process: Path) -> int:
    try:
        lines = (process / "smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        status = _status(process) or {}
        return sum(status.get(kind, 0) for kind in MEMORY)
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Pss_Anon:", "Pss_Shmem:", "SwapPss:")))


def _scratch(leash: Leash) -> tuple[tuple[str, ...], int]:
    """Return which scratch folders are full, and how many files the one with most has."""
    full, files = [], 0
    for place in SCRATCH:
        folder = leash.folder(place)
        try:
            if folder is None or not folder.is_mount():
                continue
            state = os.statvfs(folder)
        except OSError:
            continue  # it has just ended
        if state.f_bavail == 0:
            full.append(place)
        files = max(files, state.f_files - state.f_ffree)
    return tuple(full), files


def _reached(usage: Usage, limits: Limits) -> str | None:
    if usage.full:
        return f"it filled {', '.join(usage.full)}; {limits.disk_mb} MB are allowed"
    if usage.processes >= limits.processes - 1:
        return f"it ran {usage.processes} processes and threads at once; {limits.processes} are allowed"
    return None
