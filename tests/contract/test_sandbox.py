"""Hostile programs, really run; each assertion is about what the host sees."""

from __future__ import annotations

import atexit
import contextlib
import errno
import json
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct

from playsuite.core.errors import SandboxError
from playsuite.core.protocols import Limits
from playsuite.core.wait import until
from playsuite.runtimes.sandbox import Bind, BoundedLog, Box, Usage, interpreter_binds
from playsuite.runtimes.sandbox.start import start_boxed, start_unboxed
from playsuite.runtimes.sandbox.ways import BOXES, complaint_about, find_way
from playsuite.testing.siege import siege

HOSTILE = Path(__file__).parents[1] / "fixtures" / "hostile"
REPOSITORY = Path(__file__).parents[2]
SMALL = Limits(memory_mb=256, processes=24, disk_mb=16)


class Outcome(Struct):
    code: int | None
    """None if the program was still running at its deadline."""
    printed: str
    verdict: str | None
    usage: Usage
    seconds: float

    def told(self):
        return json.loads(self.printed)


def open_to_all(path):
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in (path, *path.parents))


PYTHON = Path(sys.executable if open_to_all(Path(sys.executable).resolve()) else "/usr/bin/python3")
"""One that the user nobody can reach too, as some ways of building a box start from there."""


@cache
def hostile_programs():
    """Return where the programs are, or where copies of them are that the user nobody can reach too."""
    if open_to_all(HOSTILE):
        return HOSTILE
    folder = Path(tempfile.mkdtemp(prefix="playsuite-hostile-"))
    atexit.register(shutil.rmtree, folder)
    shutil.copytree(HOSTILE, folder, dirs_exist_ok=True)
    folder.chmod(0o755)
    return folder


def box(program, *arguments, limits=SMALL):
    return python("-I", f"/game/{program}.py", *map(str, arguments), limits=limits)


def python(*arguments, limits=SMALL, **more):
    binds = (*interpreter_binds(PYTHON), Bind(hostile_programs(), "/game"))
    return Box((str(PYTHON), *arguments), binds=binds, limits=limits, **more)


def test_this_machine_can_build_a_box():
    """Without one every test below is skipped, and that must not pass for success."""
    assert find_way() in BOXES


@pytest.fixture(params=BOXES, ids=lambda way: way.name.lower())
def way(request):
    if complaint := complaint_about(request.param):
        pytest.skip(complaint)
    return request.param


@pytest.fixture
def run(way, tmp_path):
    """Run a hostile program to its end or to its deadline."""

    def run(program, *arguments, seconds=20.0, limits=SMALL, log_mb=1):
        begun = time.monotonic()
        with BoundedLog(tmp_path / f"{uuid.uuid4()}.log", log_mb) as log:
            with start_boxed(box(program, *arguments, limits=limits), way, stdout=log.fd, stderr=log.fd) as boxed:
                log.started()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    boxed.process.wait(timeout=seconds)
                code = boxed.poll()
            log.close()
            printed = log.path.read_text(errors="replace")
        return Outcome(code, printed, boxed.verdict(), boxed.usage(), time.monotonic() - begun)

    return run


def running(marker):
    """Return the processes of the host that have `marker` in their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_reads_and_writes_nothing_of_the_host(run):
    secrets = ["/etc/shadow", "/etc/hostname", "/root", "/home/game/..", str(Path.home() / ".bashrc"), "/sys", "/run"]
    told = run("files", *secrets, REPOSITORY / "pyproject.toml", REPOSITORY / ".git").told()
    assert {path: found for path, found in told["read"].items() if found == "read"} == {}
    assert told["read"]["/etc/shadow"] == "FileNotFoundError"
    assert told["read"][str(REPOSITORY / ".git")] == "FileNotFoundError"
    assert "sys" not in told["root"]
    assert "written" not in told["write"].values()
    assert not (hostile_programs() / "was-here").exists()


def test_reaches_no_network(run):
    name = f"playsuite-{uuid.uuid4()}"
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        server.settimeout(0)
        abstract.bind(f"\0{name}")
        abstract.listen()
        abstract.setblocking(False)
        told = run("network", server.getsockname()[1], name).told()
        for listener in (server, abstract):
            with pytest.raises(BlockingIOError):
                listener.accept()
    assert "connected" not in told.values()


def test_sees_and_kills_no_process_of_the_host(run):
    with subprocess.Popen(["sleep", "60"]) as victim:
        outcome = run("processes", victim.pid)
        alive = victim.poll() is None
        victim.kill()
    told = outcome.told()
    assert alive
    assert told["killed"] == "ProcessLookupError"
    assert told["touched"] == []
    assert len(told["seen"]) <= 2


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the program knows the numbers of x86-64 system calls")
def test_the_kernel_refuses_what_no_game_needs(run):
    told = run("kernel").told()
    assert set(told.pop("capabilities")) == {"0" * 16}
    assert told.pop("uid") != 0
    assert told.pop("set uid") in {errno.EPERM, errno.EINVAL}
    absent = {told.pop(name) for name in ("clone3", "io_uring", "memfd", "shared memory")}
    assert absent == {errno.ENOSYS}
    assert set(told.values()) == {errno.EPERM}


def test_fills_only_its_own_disk(run):
    free = shutil.disk_usage("/tmp").free
    outcome = run("disk")
    for written, error in outcome.told().values():
        assert written <= SMALL.disk_mb
        assert error == errno.ENOSPC
    assert shutil.disk_usage("/tmp").free > free - (8 << 20)
    assert outcome.verdict == "it filled /dev/shm, /home/game, /tmp; 16 MB are allowed"


def test_is_ended_when_it_makes_files_without_end(run):
    outcome = run("inodes", seconds=60)
    assert outcome.code == -signal.SIGKILL
    assert "files" in outcome.verdict


@pytest.mark.parametrize("processes", [1, 4])
def test_is_ended_when_it_allocates_without_end(run, processes):
    outcome = run("memory", processes, seconds=30)
    assert outcome.code == -signal.SIGKILL
    assert "256 allowed" in outcome.verdict
    assert outcome.usage.memory_mb < 4 * SMALL.memory_mb * processes


def test_is_ended_when_it_forks_without_end(run):
    outcome = run("forks", seconds=20)
    assert outcome.code == -signal.SIGKILL
    assert "processes" in outcome.verdict
    assert outcome.usage.processes <= SMALL.processes


def test_a_fork_bomb_starves_no_other_game(way, run):
    with start_boxed(box("forks"), way):
        assert run("forker").printed == "8\n"


def test_much_output_costs_a_megabyte_and_blocks_nothing(run):
    outcome = run("printer", 200, seconds=60)
    assert outcome.code == 0
    assert len(outcome.printed) < (1 << 20) + 200
    assert "[playsuite: 199.0 MB more were printed and dropped]" in outcome.printed


def test_one_gigabyte_of_output_ends_the_program(run):
    outcome = run("printer", 1024, seconds=60)
    assert outcome.code != 0
    assert len(outcome.printed) < (1 << 20) + 200


def test_nothing_survives_kill(way, tmp_path):
    marker = str(uuid.uuid4())
    with BoundedLog(tmp_path / "log", 1) as log:
        boxed = start_boxed(box("survivor", marker), way, stdout=log.fd)
        log.started()
        until(lambda: log.path.read_text().count("ready") == 2, timeout=20, waiting_for="both survivors")
        assert running(marker)
        boxed.kill()
        assert running(marker) == []
        boxed.kill()


def test_nothing_survives_the_harness(way):
    marker = str(uuid.uuid4())
    harness = (
        "import sys, pathlib, signal\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "import test_sandbox as it\n"
        "it.start_boxed(it.box('survivor', sys.argv[2]), it.BOXES[int(sys.argv[3])], stdout=1)\n"
        "signal.pause()\n"
    )
    command = [sys.executable, "-c", harness, str(Path(__file__).parent), marker, str(BOXES.index(way))]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        lines = [process.stdout.readline() for _ in range(2)]
        assert lines == [b"ready\n"] * 2
        process.kill()
        until(lambda: not running(marker), timeout=10, waiting_for="the game to end with its harness")


def test_ends_with_a_signal_as_any_process_does(way):
    with start_boxed(python("-c", "import os; os.abort()"), way) as boxed:
        until(lambda: boxed.poll() is not None, timeout=10, waiting_for="the crash")
        assert boxed.poll() == -signal.SIGABRT


def test_a_box_that_cannot_be_built_is_not_the_games_fault(way):
    with start_boxed(Box(("/usr/bin/true",), chdir="/nowhere"), way) as boxed:
        boxed.process.wait(timeout=10)
        with pytest.raises(SandboxError, match="could not build"):
            boxed.poll()


def test_a_program_may_end_with_any_code(way):
    with start_boxed(Box(("/usr/bin/false",)), way) as boxed:
        boxed.process.wait(timeout=10)
        assert boxed.poll() == 1


def test_descriptors_and_variables_get_in_and_nothing_else_of_the_environment(way, monkeypatch):
    monkeypatch.setenv("SECRET", "key")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        tell = f"import os, json; os.write({theirs.fileno()}, json.dumps(dict(os.environ)).encode())"
        with start_boxed(python("-c", tell, env={"SEED": "7"}, pass_fds=(theirs.fileno(),)), way):
            ours.settimeout(10)
            seen = json.loads(ours.recv(1 << 16))
    assert seen["SEED"] == "7"
    assert seen["HOME"] == "/home/game"
    assert "SECRET" not in seen


def test_folders_can_be_put_where_the_host_has_none(way):
    places = ("/usr/share/games/some/data", "/usr/lib/games/some", "/opt/some")
    reader = Box(
        ("/bin/cat", *(f"{it}/forker.py" for it in places)), tuple(Bind(hostile_programs(), it) for it in places)
    )
    with start_boxed(reader, way, stdout=subprocess.PIPE) as boxed:
        assert boxed.process.communicate(timeout=10)[0] == (hostile_programs() / "forker.py").read_bytes() * 3


def test_a_trusted_program_runs_without_a_box_in_the_hosts_paths(tmp_path):
    (tmp_path / "level.txt").write_text("1-1")
    reader = Box(("/bin/cat", "/game/level.txt"), (Bind(tmp_path, "/game"),), env={"SAVES": "/home/game/saves:/game"})
    with start_unboxed(reader, stdout=subprocess.PIPE) as boxed:
        assert boxed.kind == "none"
        assert boxed.path("/game/level.txt") == str(tmp_path / "level.txt")
        assert boxed.process.communicate(timeout=10)[0] == b"1-1"


def test_a_trusted_program_leaves_nothing_behind_either(tmp_path):
    marker = str(uuid.uuid4())
    nest = "import subprocess, sys, time; subprocess.Popen(['sleep', '60', sys.argv[1]]); print(1); time.sleep(60)"
    boxed = start_unboxed(Box((str(PYTHON), "-uc", nest, marker)), stdout=subprocess.PIPE)
    assert boxed.process.stdout.readline() == b"1\n"
    assert running(marker)
    boxed.kill()
    assert running(marker) == []


def test_the_box_lives_as_long_as_the_thread_that_made_it(way):
    made = []
    thread = threading.Thread(target=lambda: made.append(start_boxed(Box(("/bin/sleep", "60")), way)))
    thread.start()
    thread.join()
    assert made[0].process.wait(timeout=10) != 0
    made[0].kill()


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is what makes a place without namespaces")
def test_where_no_box_can_be_had_it_says_so_and_runs_only_what_is_trusted():
    harness = (
        "from playsuite.core.errors import SandboxError\n"
        "from playsuite.runtimes.sandbox import Box, start\n"
        "try:\n"
        "    start(Box(('/bin/true',)))\n"
        "except SandboxError as error:\n"
        "    print(error)\n"
        "with start(Box(('/bin/true',)), trust=True) as boxed:\n"
        "    print(boxed.kind, boxed.process.wait(10))\n"
    )
    nowhere = ["bwrap", "--unshare-user", "--disable-userns", "--uid", "1000", "--dev-bind", "/", "/"]
    command = [*nowhere, "--", sys.executable, "-c", harness]
    done = subprocess.run(command, capture_output=True, timeout=30, check=True, text=True)
    complaint, trusted = done.stdout.splitlines()
    assert complaint.startswith("no sandbox can be had here")
    assert "user namespaces" in complaint
    assert trusted == "none 0"


@pytest.mark.skipif(not any(complaint_about(it) is None for it in BOXES), reason="no box can be had here")
def test_the_doctors_attack_is_refused_in_every_act():
    refusals = siege()
    assert len(refusals) == 7
    assert all(refusals.values())
