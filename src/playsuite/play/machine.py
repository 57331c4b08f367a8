"""What this machine has left for another worker: idle processors and free memory, of those we may use."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from msgspec import Struct

TICKS_A_SECOND = 100
"""What /proc/stat counts in, on every Linux of today."""
PROC, CGROUP = Path("/proc"), Path("/sys/fs/cgroup")


class Spare(Struct, frozen=True):
    """What was left over since the last look."""

    idle: float
    """Share of our processors' time that nobody used, 0 to 1."""
    memory_mb: int
    """What could be taken now without swapping."""


class Meter:
    """Measures what is spare, from one look to the next; a container's or a job's own limits count."""

    def __init__(self, *, proc: Path = PROC, cgroup: Path | None = None) -> None:
        self._proc = proc
        self._cgroup = _own_group() if cgroup is None else cgroup
        self.cores = len(os.sched_getaffinity(0))
        """Processors we may use."""
        self._before = self._times()

    def look(self) -> Spare:
        """Return what was spare since the last look, or since the beginning."""
        before, self._before = self._before, self._times()
        idle = 1.0
        for (used_before, at_before), (used, at) in zip(before, self._before, strict=True):
            idle = min(idle, 1 - (used - used_before) / max(at - at_before, 1e-9))
        return Spare(max(idle, 0.0), self._memory_mb())

    def _times(self) -> list[tuple[float, float]]:
        """Return (seconds used, seconds there were) of our processors, and of the quota if there is one."""
        return [self._of_processors(), *self._of_quota()]

    def _of_processors(self) -> tuple[float, float]:
        ours = {f"cpu{number}" for number in os.sched_getaffinity(0)}
        used = every = 0
        for line in (self._proc / "stat").read_text().splitlines():
            name, *fields = line.split()
            if name in ours:
                ticks = [int(field) for field in fields[:8]]  # what follows is counted in these already
                every += sum(ticks)
                used += sum(ticks) - ticks[3] - ticks[4]  # idle, and waiting for a disk
        return used / TICKS_A_SECOND, every / TICKS_A_SECOND

    def _of_quota(self) -> list[tuple[float, float]]:
        quota, _, period = self._read("cpu.max").partition(" ")
        used = re.search(r"^usage_usec (\d+)", self._read("cpu.stat"), re.MULTILINE)
        if not (quota.isdigit() and used):
            return []
        return [(int(used[1]) / 1e6, time.monotonic() * int(quota) / int(period))]

    def _memory_mb(self) -> int:
        there = re.search(r"^MemAvailable:\s+(\d+) kB", (self._proc / "meminfo").read_text(), re.MULTILINE)
        limit, taken = self._read("memory.max").strip(), self._read("memory.current").strip()
        of_machine = int(there[1]) // 1024 if there else 0
        if not (limit.isdigit() and taken.isdigit()):
            return of_machine
        return min(of_machine, max(int(limit) - int(taken), 0) // 2**20)

    def _read(self, name: str) -> str:
        """Read a file of our control group; empty where there is none."""
        try:
            return (self._cgroup / name).read_text()
        except OSError:
            return ""


def _own_group() -> Path:
    """Return the control group we are in, as a cluster or a container has made one (version 2 of them only)."""
    try:
        own = re.search(r"^0::/(.*)$", (PROC / "self" / "cgroup").read_text(), re.MULTILINE)
    except OSError:
        return CGROUP
    return CGROUP / (own[1] if own else "")
