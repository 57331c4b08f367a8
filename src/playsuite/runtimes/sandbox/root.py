"""The file system inside the box: a few folders of the host, read-only, on an empty root."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from playsuite.core.errors import SandboxError
from playsuite.runtimes.sandbox.box import HOME, Bind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SYSTEM = (
    "/usr/bin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local/share/fonts",
    "/usr/share/X11",
    "/usr/share/alsa",
    "/usr/share/drirc.d",
    "/usr/share/fontconfig",
    "/usr/share/fonts",
    "/usr/share/glvnd",
    "/usr/share/icu",
    "/usr/share/locale",
    "/usr/share/mime",
    "/usr/share/misc",
    "/usr/share/perl",
    "/usr/share/perl5",
    "/usr/share/tcltk",
    "/usr/share/terminfo",
    "/usr/share/zoneinfo",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/var/cache/fontconfig",
)
"""Of the host, where it has them. No /sys, no /run, and of /etc only what names libraries and fonts."""

MERGED = ("/bin", "/lib", "/lib32", "/lib64")
"""Links into /usr on most hosts, folders on the others."""

SCRATCH = ("/dev/shm", "/tmp", HOME)
"""The only places a game can write to; in memory, each of a limited size."""

MB = 1 << 20


def mount_arguments(binds: Sequence[Bind], *, disk_mb: int, passwd_fd: int) -> list[str]:
    """Return bubblewrap's arguments that build the root, with `binds` in it.

    Raises:
        SandboxError: a bind's source does not exist.
    """
    for bind in binds:
        if not bind.source.exists():
            raise SandboxError(f"{bind.source} is to be seen in the sandbox as {bind.target}, but does not exist")
    mounts = list(opened(system_binds(), [bind.target for bind in binds]))
    arguments = ["--proc", "/proc", "--dev", "/dev"]
    for place in SCRATCH:
        arguments += [*folders([place]), "--perms", "1777", "--size", str(disk_mb * MB), "--tmpfs", place]
    arguments += folders(bind.target for bind in mounts)
    for bind in mounts:
        arguments += _mount(bind)
    for bind in sorted(binds, key=lambda bind: len(PurePosixPath(bind.target).parts)):
        arguments += [*folders([bind.target]), *_mount(bind)]
    arguments += [*folders(["/etc/passwd"]), "--perms", "0444", "--ro-bind-data", str(passwd_fd), "/etc/passwd"]
    # Without these two, a game could fill the host's memory through files in / and /dev.
    return [*arguments, "--remount-ro", "/dev", "--remount-ro", "/"]


def system_binds() -> list[Bind]:
    """Return the parts of the host every box sees."""
    return [Bind(Path(path), path) for path in (*SYSTEM, *MERGED) if Path(path).exists()]


def opened(system: Iterable[Bind], targets: Sequence[str]) -> Iterator[Bind]:
    """Replace a folder that lacks one of `targets` by its children, so that there is room to mount the target."""
    for bind in system:
        if any(_lacks(bind, target) for target in targets):
            children = sorted(bind.source.iterdir())
            yield from opened((Bind(child, f"{bind.target}/{child.name}") for child in children), targets)
        else:
            yield bind


def folders(targets: Iterable[str]) -> list[str]:
    """Return the arguments that make the parents of `targets`.

    They are made here because bubblewrap, run as root, makes them with mode 0700, and the game is not root.
    """
    parents = {str(parent) for target in targets for parent in PurePosixPath(target).parents}
    made = sorted(parents - {"/", "/dev", *SCRATCH})
    return [argument for parent in made for argument in ("--perms", "0755", "--dir", parent)]


def _lacks(bind: Bind, target: str) -> bool:
    inside = PurePosixPath(target)
    if PurePosixPath(bind.target) not in inside.parents or bind.source.is_symlink():
        return False
    return not (bind.source / inside.relative_to(bind.target)).exists()


def _mount(bind: Bind) -> list[str]:
    if bind.source.is_symlink() and bind.target == str(bind.source):
        return ["--symlink", str(bind.source.readlink()), bind.target]
    return ["--bind" if bind.writable else "--ro-bind", str(bind.source), bind.target]
