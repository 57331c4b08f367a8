from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from playsuite.core.protocols import Limits
from playsuite.core.wait import until
from playsuite.runtimes.sandbox.watch import Watch


class OneProcess:
    """Holds this very process, and only notes that it was struck."""

    def __init__(self, scratch=None):
        self.scratch = scratch
        self.struck = threading.Event()

    def processes(self):
        return [Path(f"/proc/{os.getpid()}")]

    def folder(self, place):
        return self.scratch

    def strike(self):
        self.struck.set()

    def gone(self):
        return False

    def close(self):
        pass


@pytest.fixture
def watch():
    watches = []

    def watch(leash, **limits):
        watches.append(Watch(leash, Limits(**limits)))
        return watches[-1]

    yield watch
    for it in watches:
        it.stop()


def test_within_its_limits_nothing_is_struck_and_use_is_known(watch):
    leash = OneProcess()
    seen = watch(leash, memory_mb=100_000, processes=1000)
    until(lambda: seen.usage.memory_mb > 1, timeout=5, waiting_for="the first sample")
    assert not leash.struck.is_set()
    assert seen.verdict() is None


def test_too_much_memory_is_struck_and_said(watch):
    leash = OneProcess()
    seen = watch(leash, memory_mb=1)
    assert leash.struck.wait(5)
    assert "MB of memory, more than the 1 allowed" in seen.verdict()


def test_too_many_threads_are_struck_and_said(watch):
    leash = OneProcess()
    seen = watch(leash, memory_mb=100_000, processes=1)
    assert leash.struck.wait(5)
    assert "processes and threads at once; 1 are allowed" in seen.verdict()


def test_staying_at_the_limit_of_processes_is_struck_after_a_while(watch):
    leash = OneProcess()
    watch(leash, memory_mb=100_000, processes=threading.active_count() + 2)
    assert leash.struck.wait(5)


def test_a_program_that_has_ended_uses_nothing(watch):
    leash = OneProcess()
    leash.processes = lambda: [Path("/proc/0")]
    seen = watch(leash)
    seen.stop()
    assert seen.usage.processes == 0
