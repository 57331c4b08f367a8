"""The ways in which this machine can build a box, found by trying, and the arguments each way needs."""

from __future__ import annotations

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


class Way(enum.Enum):
    """How a box is built."""

    OWN_UID = "own uid"
    """By root, without a user namespace: each game gets a user number of its own, so its processes are counted."""
    USER_NAMESPACE = "user namespace"
    NONE = "none"


class Guest(Struct, frozen=True):
    """Who the program in the box is."""

    uid: int
    arguments: tuple[str, ...]
    """Of bubblewrap: the namespaces and capabilities."""
    drop: tuple[str, ...]
    """A command, run inside before the program, that gives up what is left of root."""


@cache
def find_way() -> Way:
    """Return the first way that works here, by trying each.

    Raises:
        SandboxError: none works, with the reason in one line.
    """
    if shutil.which("bwrap") is None:
        raise SandboxError("no sandbox: bubblewrap is not installed. Install it: apt-get install bubblewrap")
    ways = [Way.OWN_UID, Way.USER_NAMESPACE] if _may_change_uid() else [Way.USER_NAMESPACE]
    reasons = []
    for way in ways:
        complaint = _try(way)
        if complaint is None:
            return way
        reasons.append(f"{way.value}: {complaint}")
    raise SandboxError(
        f"no sandbox: {'; '.join(reasons)}. Allow user namespaces (sysctl user.max_user_namespaces, "
        "kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns), or trust the game"
    )


def guest(way: Way) -> Guest:
    """Return who the program is to be, in a box built this way."""
    if way is Way.USER_NAMESPACE:
        own = ["--unshare-user", "--uid", str(GUEST_UID), "--gid", str(GUEST_UID)]
        return Guest(GUEST_UID, (*own, *ISOLATION), ())
    uid = _free_uid()
    drop = ("/usr/bin/setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all", "--")
    return Guest(uid, (*ISOLATION, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"), drop)


def limit_command(limits: Limits, way: Way) -> list[str]:
    """Return the command that sets the limits of each process inside, never above those that hold already."""
    wanted = {
        "as": (resource.RLIMIT_AS, limits.memory_mb * MB * ADDRESS_SPACE_FACTOR),
        "core": (resource.RLIMIT_CORE, 0),
        "fsize": (resource.RLIMIT_FSIZE, limits.disk_mb * MB),
        "nofile": (resource.RLIMIT_NOFILE, OPEN_FILES),
    }
    if way is Way.OWN_UID or (way is Way.USER_NAMESPACE and _kernel() >= NPROC_PER_NAMESPACE):
        wanted["nproc"] = (resource.RLIMIT_NPROC, limits.processes)
    options = [f"--{name}={_at_most(kind, value)}" for name, (kind, value) in wanted.items()]
    return ["/usr/bin/prlimit", *options, "--"]


def _at_most(kind: int, value: int) -> int:
    hard = resource.getrlimit(kind)[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)


def _try(way: Way) -> str | None:
    """Run nothing in a box built this way; return bubblewrap's complaint, if any."""
    who = guest(way)
    root = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    command = ["bwrap", *who.arguments, *root, "--", *who.drop, "/bin/true"]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=PROBE_SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    return done.stderr.decode(errors="replace").strip().replace("\n", " ") or f"exit code {done.returncode}"


def _may_change_uid() -> bool:
    if os.geteuid() != 0:
        return False
    rows = (map(int, line.split()) for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines())
    return any(first <= TRANSIENT_UIDS[0] and TRANSIENT_UIDS[-1] < first + count for first, _, count in rows)


def _free_uid() -> int:
    """Return a uid no process has, so that two games never share one limit on processes."""
    taken = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                taken.add(entry.stat().st_uid)
            except FileNotFoundError:
                continue
    return secrets.choice([uid for uid in TRANSIENT_UIDS if uid not in taken])


def _kernel() -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", platform.release())[:2])
