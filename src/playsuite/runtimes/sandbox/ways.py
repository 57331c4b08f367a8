"""The ways in which this machine can build a box, found by trying, and the arguments each way needs."""

from __future__ import annotations

import contextlib
import enum
import os
import platform
import re
import resource
import secrets
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.errors import SandboxError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playsuite.core.protocols import Limits

TRANSIENT_UIDS = range(61184, 65520)
"""What systemd sets aside for services that exist only while they run: no person and no package has one."""

GUEST_UID = 1000
"""Inside a user namespace, where numbers mean nothing outside."""

NPROC_PER_NAMESPACE = (5, 14)
"""The first Linux that counts processes per user namespace; before, the limit counted all the user's own ones."""

ADDRESS_SPACE_FACTOR = 4
"""A process may reserve more than it may use; what the whole tree uses is watched from outside."""

OPEN_FILES = 1024
MB = 1 << 20
PROBE_SECONDS = 10

ISOLATION = (
    *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--hostname", "game", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
)


DROPPED_LAST = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
"""What giving up root takes."""


class Way(enum.Enum):
    """How a box is built."""

    OWN_UID = "own uid"
    """By root, without a user namespace: each game gets a user number of its own, so its processes are counted."""
    USER_NAMESPACE = "user namespace"
    NONE = "none"


BOXES = (Way.OWN_UID, Way.USER_NAMESPACE)
"""Best first."""

REMEDY = (
    "Allow user namespaces (sysctl user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1 "
    "kernel.apparmor_restrict_unprivileged_userns=0)"
)


class Guest(Struct, frozen=True):
    """Who the program in the box is."""

    uid: int
    """As seen inside."""
    arguments: tuple[str, ...]
    """Of bubblewrap: the namespaces and capabilities."""
    before: tuple[str, ...] = ()
    """A command to run bubblewrap with, that gives up root."""
    drop: tuple[str, ...] = ()
    """A command to run the program with, inside, that gives up what is left of root."""


@cache
def find_way() -> Way:
    """Return the best way that works here, by trying.

    Raises:
        SandboxError: none works, with the reason in one line.
    """
    complaints = {}
    for way in BOXES:
        complaint = complaint_about(way)
        if complaint is None:
            return way
        complaints[way.value] = complaint
    reasons = "; ".join(f"{name}: {complaint}" for name, complaint in complaints.items())
    raise SandboxError(f"no sandbox can be had here ({reasons}). {REMEDY}, or trust the game")


def complaint_about(way: Way) -> str | None:
    """Run nothing in a box built this way; return what prevents it, or None if it works."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed: apt-get install bubblewrap"
    if way is Way.OWN_UID and not _may_change_uid():
        return "this is not root"
    who = guest(way)
    root = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    command = [*who.before, "bwrap", *who.arguments, *root, "--", *who.drop, "/bin/true"]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=PROBE_SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    return done.stderr.decode(errors="replace").strip().replace("\n", " ") or f"exit code {done.returncode}"


def guest(way: Way) -> Guest:
    """Return who the program is to be, in a box built this way."""
    if way is Way.USER_NAMESPACE:
        own = ("--unshare-user", "--uid", str(GUEST_UID), "--gid", str(GUEST_UID))
        # Root is exempt from the limit on processes, in a user namespace too: a fork bomb would take the host down.
        before = _become(_free_uid()) if os.geteuid() == 0 else ()
        return Guest(uid=GUEST_UID, before=before, arguments=(*own, *ISOLATION))
    uid = _free_uid()
    kept = (option for name in DROPPED_LAST for option in ("--cap-add", name))
    return Guest(uid=uid, arguments=(*ISOLATION, *kept), drop=(*_become(uid), "--bounding-set=-all", "--"))


def limit_command(limits: Limits, way: Way) -> list[str]:
    """Return the command that sets the limits of each process inside, never above those that hold already."""
    wanted = {
        "as": (resource.RLIMIT_AS, limits.memory_mb * MB * ADDRESS_SPACE_FACTOR),
        "core": (resource.RLIMIT_CORE, 0),
        # More than a scratch folder holds: "no space left" is an error, "file too large" a signal that kills.
        "fsize": (resource.RLIMIT_FSIZE, (limits.disk_mb + 1) * MB),
        "nofile": (resource.RLIMIT_NOFILE, OPEN_FILES),
    }
    if way is not Way.NONE:
        others = 0 if way is Way.OWN_UID or _kernel() >= NPROC_PER_NAMESPACE else _threads_of(os.geteuid())
        wanted["nproc"] = (resource.RLIMIT_NPROC, limits.processes + others)
    options = [f"--{name}={_at_most(kind, value)}" for name, (kind, value) in wanted.items()]
    return ["/usr/bin/prlimit", *options, "--"]


def _become(uid: int) -> tuple[str, ...]:
    return ("/usr/bin/setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all")


def _at_most(kind: int, value: int) -> int:
    hard = resource.getrlimit(kind)[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)


def _may_change_uid() -> bool:
    if os.geteuid() != 0:
        return False
    rows = (map(int, line.split()) for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines())
    return any(first <= TRANSIENT_UIDS[0] and TRANSIENT_UIDS[-1] < first + count for first, _, count in rows)


def _free_uid() -> int:
    """Return a uid no process has, so that two games never share one limit on processes."""
    taken = {owner for owner, _ in _owners()}
    return secrets.choice([uid for uid in TRANSIENT_UIDS if uid not in taken])


def _threads_of(uid: int) -> int:
    threads = 0
    for owner, process in _owners():
        if owner == uid:
            with contextlib.suppress(OSError):  # it has just ended
                threads += len(list((process / "task").iterdir()))
    return threads


def _owners() -> Iterator[tuple[int, Path]]:
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with contextlib.suppress(OSError):  # it has just ended
                yield process.stat().st_uid, process


def _kernel() -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", platform.release())[:2])
