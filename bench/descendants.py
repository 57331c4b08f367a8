"""What the processes below this one use, sampled from outside: the kernel tells nothing of a killed PID namespace."""

from __future__ import annotations

import os
import threading
from pathlib import Path

PERIOD_S = 0.02
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20


class Descendants:
    """Samples processor time and memory of all processes below this one. A context manager."""

    def __init__(self) -> None:
        self.memory_mb = 0.0
        """The most that was resident at one time, shared pages counted with each process."""
        self._cpu: dict[int, float] = {}
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def cpu(self) -> float:
        """Processor seconds of all of them, up to the last sample of each."""
        return sum(self._cpu.values())

    def __enter__(self) -> Descendants:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def look(self) -> None:
        """Take a sample now."""
        table = _processes()
        below, found = {os.getpid()}, []
        while new := [pid for pid, (parent, _, _) in table.items() if parent in below and pid not in below]:
            below.update(new)
            found += new
        for pid in found:
            self._cpu[pid] = max(self._cpu.get(pid, 0.0), table[pid][1])
        self.memory_mb = max(self.memory_mb, sum(table[pid][2] for pid in found))

    def _run(self) -> None:
        while not self._stopped.wait(PERIOD_S):
            self.look()


def _processes() -> dict[int, tuple[int, float, float]]:
    """Return parent, processor seconds and resident megabytes of every process."""
    table = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        cpu = (int(fields[11]) + int(fields[12])) * TICK_S
        table[int(folder.name)] = (int(fields[1]), cpu, int(fields[21]) * PAGE_MB)
    return table
