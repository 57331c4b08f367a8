"""Who works on what: exclusive claims as files, on one machine or many, without a server.

The attempts at a name are numbered files. The next number may be created only by who has seen the last one end
(released, silent for too long, or its process dead), and the file system lets exactly one create it. Nothing is ever
removed, so a claim judged ended by two contenders is still taken by one.
"""

from __future__ import annotations

import os
import re
import socket
import tempfile
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from playsuite.core.errors import StoreError, boundary

if TYPE_CHECKING:
    from types import TracebackType

HEARTBEAT_S = 10.0
STALE_S = 90.0
"""A claim without a heartbeat for this long has ended; it bridges a stalled network file system."""


class Holder(Struct, frozen=True):
    """One process that works on a run; names are unique and sort by when they began."""

    name: str
    machine: str
    """Host, boot and process namespace: the same means that a process id can be looked up."""
    pid: int
    born: str
    """Start time of the process in kernel ticks: process ids are used again, these pairs are not."""

    @classmethod
    def here(cls) -> Holder:
        """Return a new holder for this process."""
        host = re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname())
        now = datetime.now(UTC)
        name = f"{now:%Y%m%dT%H%M%S.%f}-{host}-{os.getpid()}"
        return cls(name, _machine(), os.getpid(), _born(os.getpid()) or "")

    @property
    def alive(self) -> bool | None:
        """Whether the process still runs; None where we cannot tell: on another machine, or hidden from this user."""
        born = _born(self.pid) if self.machine == _machine() else None
        return born == self.born != "" if born is not None else None


class Claim:
    """The exclusive right to work on something, kept by a heartbeat until it is released."""

    def __init__(self, path: Path, *, heartbeat_s: float = HEARTBEAT_S) -> None:
        """Begin the heartbeat of a claim that `take` made."""
        self._path = path
        self._released = threading.Event()
        self._thread = threading.Thread(target=self._beat, args=(heartbeat_s,), name=f"claim {path.name}", daemon=True)
        self._thread.start()

    @property
    def held(self) -> bool:
        """Whether it is still ours; a process that was stopped for long may have lost it."""
        return not self._released.is_set() and not _next(self._path).exists()

    def release(self) -> None:
        """Give it back; giving it back twice is fine."""
        if self._released.is_set():
            return
        self._released.set()
        self._thread.join()
        with boundary(StoreError, f"releasing {self._path}"):
            os.utime(self._path, (0, 0))

    def __enter__(self) -> Claim:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _beat(self, heartbeat_s: float) -> None:
        while not self._released.wait(heartbeat_s):
            try:
                os.utime(self._path)
            except OSError:  # a file system that is away for a moment; if it stays away, the claim goes stale, rightly
                continue


def take(folder: Path, name: str, holder: Holder, *, stale_s: float = STALE_S) -> Claim | None:
    """Claim `name`, or return None while another holder has it.

    Raises:
        StoreError: the folder cannot be written.
    """
    with boundary(StoreError, f"claiming {name} in {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        last = _last(folder, name)
        if last is not None and not _ended(last, stale_s):
            return None
        path = _next(last) if last is not None else folder / f"{name}.a1"
        try:
            file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
        except FileExistsError:
            return None
        with os.fdopen(file, "wb") as content:
            content.write(msgspec.json.encode(holder))
        return Claim(path)


def holder_of(folder: Path, name: str, *, stale_s: float = STALE_S) -> Holder | None:
    """Return who has `name` claimed now, if anybody.

    Raises:
        StoreError: the folder cannot be read.
    """
    with boundary(StoreError, f"looking for claims on {name} in {folder}"):
        last = _last(folder, name)
        return _read(last) if last is not None and not _ended(last, stale_s) else None


def _last(folder: Path, name: str) -> Path | None:
    path = folder / f"{name}.a1"
    if not path.exists():
        return None
    while (after := _next(path)).exists():
        path = after
    return path


def _next(path: Path) -> Path:
    name, _, attempt = path.name.rpartition(".a")
    return path.with_name(f"{name}.a{int(attempt) + 1}")


def _ended(path: Path, stale_s: float) -> bool:
    beat = path.stat().st_mtime
    if beat == 0:
        return True
    holder = _read(path)
    if holder is not None and holder.alive is False:
        return True
    # Ages are told by the file system's own clock: those of two machines may be minutes apart.
    with tempfile.TemporaryFile(dir=path.parent) as fresh:
        return os.fstat(fresh.fileno()).st_mtime - beat > stale_s


def _read(path: Path) -> Holder | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Holder)
    except msgspec.MsgspecError:  # created this very moment and not yet written
        return None


def _machine() -> str:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{socket.gethostname()} {boot} {Path('/proc/self/ns/pid').readlink()}"


def _born(pid: int) -> str | None:
    """Return the start time of a process in kernel ticks, "" if it does not run (any more), None if it is hidden."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except PermissionError:
        return None
    except (FileNotFoundError, ProcessLookupError):
        return None if _belongs_to_another_user(pid) else ""
    state, *fields = stat.rpartition(") ")[2].split()
    return "" if state in "ZX" else fields[18]


def _belongs_to_another_user(pid: int) -> bool:
    """Tell of a process that is not in /proc whether it is hidden there (hidepid), not gone."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except ProcessLookupError:
        return False
    return False
