from __future__ import annotations

import os
from pathlib import Path

import pytest

from playsuite.core.errors import StoreError
from playsuite.runtimes.sandbox.log import BoundedLog

MB = 1 << 20


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.log"


def test_keeps_what_was_printed(path):
    with BoundedLog(path, 1) as log:
        os.write(log.fd, b"hello\n")
    assert path.read_text() == "hello\n"


def test_keeps_the_first_megabytes_and_says_what_was_dropped(path):
    with BoundedLog(path, 1) as log:
        for _ in range(3 * 16):
            os.write(log.fd, b"x" * (MB // 16))
    kept = path.read_text()
    assert kept[:MB] == "x" * MB
    assert kept[MB:] == "\n[playsuite: 2.0 MB more were printed and dropped]\n"


def test_says_nothing_when_the_limit_is_just_reached(path):
    with BoundedLog(path, 1) as log:
        for _ in range(16):
            os.write(log.fd, b"x" * (MB // 16))
    assert path.stat().st_size == MB


def test_stops_listening_to_what_prints_without_end(path):
    def print_without_end(fd):
        for _ in range(100):
            os.write(fd, b"x" * MB)

    with BoundedLog(path, 1, output_mb=2) as log:
        with pytest.raises(BrokenPipeError):
            print_without_end(log.fd)
        assert log.verdict() == "it printed more than the 2 MB allowed"


def test_says_nothing_of_output_within_bounds(path):
    with BoundedLog(path, 1) as log:
        os.write(log.fd, b"x" * MB)
    assert log.verdict() is None


def test_closing_twice_keeps_what_was_printed(path):
    log = BoundedLog(path, 1)
    os.write(log.fd, b"hello")
    log.close()
    log.close()
    assert path.read_text() == "hello"


def test_a_full_disk_of_the_host_is_no_fault_of_the_program():
    log = BoundedLog(Path("/dev/full"), 1)
    for _ in range(32):
        os.write(log.fd, b"x" * (MB // 16))  # more than a pipe holds: it would block if nobody read on
    with pytest.raises(StoreError, match="No space left"):
        log.close()


def test_gives_the_last_lines(path):
    with BoundedLog(path, 1) as log:
        os.write(log.fd, b"one\ntwo\nthree\n")
    assert log.tail(2) == "two\nthree"


def test_gives_up_on_a_pipe_that_someone_else_still_holds(path):
    log = BoundedLog(path, 1, patience_seconds=0.05)
    held = os.dup(log.fd)
    try:
        log.close()
        assert "waited 0.05 s" in path.read_text()
    finally:
        os.close(held)
