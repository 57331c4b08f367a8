"""Start a program in its box, and end it with everything it started."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp
from typing import IO, TYPE_CHECKING

import msgspec
from msgspec import Struct

from playsuite.core.errors import SandboxError
from playsuite.core.wait import WaitTimeoutError, until
from playsuite.runtimes.sandbox.box import HOME, Bind, Box, environment
from playsuite.runtimes.sandbox.leash import NamespaceLeash, SessionLeash
from playsuite.runtimes.sandbox.root import mount_arguments
from playsuite.runtimes.sandbox.syscalls import compiled_filter
from playsuite.runtimes.sandbox.unboxed import outside, unboxed
from playsuite.runtimes.sandbox.watch import Usage, Watch
from playsuite.runtimes.sandbox.ways import Way, find_way, guest, limit_command

if TYPE_CHECKING:
    from types import TracebackType

START_SECONDS = 20
"""Until bubblewrap has made the namespaces; a few ms on an idle machine."""
END_SECONDS = 10
"""Until the kernel has ended every process of a box."""
SIGNALLED = 128
"""A shell's and bubblewrap's exit code for a program that a signal ended, the signal's number added."""

Output = IO[bytes] | int
"""Anything `subprocess` takes as stdout."""


class Boxed:
    """A running program and its box. A context manager; leaving it kills everything inside."""

    def __init__(self, process: subprocess.Popen[bytes], box: Box, *, first: int | None, home: Path | None) -> None:
        self.process = process
        self.kind = "none" if first is None else "bubblewrap"
        self._home = home
        self._box = box
        self._leash = SessionLeash(process.pid) if first is None else NamespaceLeash(first)
        self._watch = Watch(first or process.pid, box.limits, boxed=first is not None, kill=self._leash.strike)
        self._killed = False

    def poll(self) -> int | None:
        """Return the program's exit code (negative: the signal that ended it), or None while it runs."""
        code = self.process.poll()
        return SIGNALLED - code if code is not None and code > SIGNALLED else code

    def path(self, target: str) -> str:
        """Return what the program calls the file that is at `target` in a box."""
        return target if self._home is None else outside(target, (*self._box.binds, Bind(self._home, HOME)))

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
        if self._killed:
            return
        self._watch.stop()
        self._leash.strike()
        try:
            until(self._gone, timeout=END_SECONDS, waiting_for="every process of the game to end")
        except WaitTimeoutError as error:
            raise SandboxError(f"the game of process {self.process.pid} cannot be ended: {error}") from error
        self._leash.close()
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)
        self._killed = True

    def __enter__(self) -> Boxed:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def _gone(self) -> bool:
        return self.process.poll() is not None and self._leash.gone()


def start(
    box: Box, *, trust: bool = False, stdout: Output = subprocess.DEVNULL, stderr: Output = subprocess.DEVNULL
) -> Boxed:
    """Start a program in its box; with `trust`, and only where no box can be had, without one (kind "none").

    The program ends with the *thread* that calls this (a property of the kernel's parent-death signal).

    Raises:
        SandboxError: no box can be had here, or this one could not be built.
    """
    try:
        way = find_way()
    except SandboxError:
        if not trust:
            raise
        return _start_unboxed(box, stdout, stderr)
    return _start_boxed(box, way, stdout, stderr)


class _Info(Struct):
    """What bubblewrap tells about itself."""

    child: int = msgspec.field(name="child-pid")


def _start_boxed(box: Box, way: Way, stdout: Output, stderr: Output) -> Boxed:
    who = guest(way)
    # The environment comes last, after root is given up: LD_PRELOAD must not get into the commands before.
    variables = [f"{key}={value}" for key, value in environment(box).items()]
    program = [*limit_command(box.limits, way), *who.drop, "/usr/bin/env", "-i", *variables, *box.argv]
    with ExitStack() as opened:
        passwd = opened.enter_context(_file(f"game:x:{who.uid}:{who.uid}::{HOME}:/bin/sh\n".encode()))
        syscalls = opened.enter_context(_file(compiled_filter()))
        read, write = (
            opened.enter_context(os.fdopen(fd, mode)) for fd, mode in zip(os.pipe(), ("rb", "wb"), strict=True)
        )
        arguments = [
            *who.arguments,
            *("--seccomp", str(syscalls.fileno()), "--info-fd", str(write.fileno())),
            *mount_arguments(box.binds, disk_mb=box.limits.disk_mb, passwd_fd=passwd.fileno()),
            *("--chdir", box.chdir),
        ]
        process = subprocess.Popen(
            [str(shutil.which("bwrap")), *arguments, "--", *program],
            pass_fds=(*box.pass_fds, passwd.fileno(), syscalls.fileno(), write.fileno()),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env={},
            cwd="/",
            start_new_session=True,
        )
        write.close()
        return Boxed(process, box, first=_first_process(read, process), home=None)


def _start_unboxed(box: Box, stdout: Output, stderr: Output) -> Boxed:
    home = Path(mkdtemp(prefix="playsuite-home-"))
    plain = unboxed(box, home)
    process = subprocess.Popen(
        [*limit_command(box.limits, Way.NONE), *plain.argv],
        pass_fds=box.pass_fds,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        env=environment(plain),
        cwd=plain.chdir,
        start_new_session=True,
    )
    return Boxed(process, box, first=None, home=home)


def _file(content: bytes) -> IO[bytes]:
    file = TemporaryFile()
    file.write(content)
    file.seek(0)
    return file


def _first_process(info: IO[bytes], process: subprocess.Popen[bytes]) -> int:
    """Read from bubblewrap which process is the first in the box."""
    ready, _, _ = select.select([info], [], [], START_SECONDS)
    told = info.read() if ready else b""
    if told:
        return msgspec.json.decode(told, type=_Info).child
    process.kill()
    process.wait(timeout=END_SECONDS)
    raise SandboxError(f"bubblewrap ended with {process.returncode} before the game was started; its log says why")
