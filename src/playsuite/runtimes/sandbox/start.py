"""Start a program in its box."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp
from typing import IO

from playsuite.core.errors import SandboxError
from playsuite.runtimes.sandbox.box import HOME, Box, environment
from playsuite.runtimes.sandbox.boxed import Boxed
from playsuite.runtimes.sandbox.leash import NamespaceLeash, SessionLeash
from playsuite.runtimes.sandbox.root import mount_arguments
from playsuite.runtimes.sandbox.status import Status
from playsuite.runtimes.sandbox.syscalls import compiled_filter
from playsuite.runtimes.sandbox.unboxed import unboxed
from playsuite.runtimes.sandbox.ways import Way, find_way, guest, limit_command

END_SECONDS = 5

Output = IO[bytes] | int
"""Anything `subprocess` takes as stdout."""


def start(
    box: Box, *, trust: bool = False, stdout: Output = subprocess.DEVNULL, stderr: Output = subprocess.DEVNULL
) -> Boxed:
    """Start a program in its box; with `trust`, and only where no box can be had, without one (kind "none").

    The program ends with the *thread* that calls this, as the kernel ties it to that and not to the process.

    Raises:
        SandboxError: no box can be had here, or this one could not be built.
    """
    try:
        way = find_way()
    except SandboxError:
        if not trust:
            raise
        return start_unboxed(box, stdout=stdout, stderr=stderr)
    return start_boxed(box, way, stdout=stdout, stderr=stderr)


def start_boxed(
    box: Box, way: Way, *, stdout: Output = subprocess.DEVNULL, stderr: Output = subprocess.DEVNULL
) -> Boxed:
    """Start a program in a box built one way.

    Raises:
        SandboxError: the box could not be built.
    """
    with ExitStack() as opened:
        status = Status()
        opened.callback(status.started)
        command, inherited = _command(box, way, status, opened)
        try:
            process = subprocess.Popen(
                command,
                pass_fds=(*box.pass_fds, *inherited),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                env={},
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            status.close()
            raise SandboxError(f"bubblewrap could not be started: {error}") from error
    try:
        leash = NamespaceLeash(status.first_process())
    except SandboxError:
        process.kill()
        process.wait(timeout=END_SECONDS)
        status.close()
        raise
    return Boxed(process, box, leash, status=status, home=None)


def start_unboxed(box: Box, *, stdout: Output = subprocess.DEVNULL, stderr: Output = subprocess.DEVNULL) -> Boxed:
    """Start a trusted program without a box, in a home of its own."""
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
    return Boxed(process, box, SessionLeash(process.pid), status=None, home=home)


def _command(box: Box, way: Way, status: Status, opened: ExitStack) -> tuple[list[str], tuple[int, ...]]:
    """Return the whole command line, and the descriptors it needs, which are open until `opened` ends."""
    who = guest(way)
    passwd = opened.enter_context(_file(f"game:x:{who.uid}:{who.uid}::{HOME}:/bin/sh\n".encode())).fileno()
    syscalls = opened.enter_context(_file(compiled_filter())).fileno()
    # The environment comes last, when root is given up: LD_PRELOAD must not get into the commands before.
    variables = [f"{key}={value}" for key, value in environment(box).items()]
    command = [
        *(*who.before, str(shutil.which("bwrap")), *who.arguments),
        *("--seccomp", str(syscalls), "--json-status-fd", str(status.write_end)),
        *mount_arguments(box.binds, disk_mb=box.limits.disk_mb, passwd_fd=passwd),
        *("--chdir", box.chdir, "--"),
        *(*limit_command(box.limits, way), *who.drop, "/usr/bin/env", "-i", *variables, *box.argv),
    ]
    return command, (passwd, syscalls, status.write_end)


def _file(content: bytes) -> IO[bytes]:
    """Return an open file in memory, to be inherited."""
    file = os.fdopen(os.memfd_create("playsuite"), "w+b")
    file.write(content)
    file.seek(0)
    return file
