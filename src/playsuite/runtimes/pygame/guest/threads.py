"""The game's other threads: they wait in virtual time, one at a time, and the game stands still only when all do.

The main thread owns time. Whenever it starts or wakes another thread, and before it moves time, it lets the others run
until every one of them waits for something. So what they do between two waits happens at one instant of game time, no
matter how busy the machine is.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.patch import patch
from playsuite.runtimes.pygame.guest.timeline import NS

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from playsuite.runtimes.pygame.guest.timeline import Timeline

PAUSE_S = 0.0005
"""Real seconds the main thread stands aside for the others, again and again."""
PATIENCE_S = 20.0
"""Real seconds it stands aside in all; a thread that never waits would use up any number."""


class Threads:
    """Knows which thread is asking, and waits for the others to come to rest."""

    def __init__(self, timeline: Timeline, real: ModuleType) -> None:
        self._timeline = timeline
        self._real = real
        self._main = threading.get_ident()
        self._rested: list[tuple[str, str]] = []
        self._patience = PATIENCE_S
        self.restless = False
        """Some thread never came to rest, so the game depends on real time."""

    def is_main(self) -> bool:
        """Tell whether the calling thread owns time."""
        return threading.get_ident() == self._main

    def sleep(self, duration: int) -> None:
        """Let a thread other than the main one wait for `duration` nanoseconds."""
        alarm = threading.Lock()
        alarm.acquire()
        self._timeline.at(self._timeline.now + max(duration, 0), lambda: self.wake(alarm))
        alarm.acquire()

    def wake(self, lock: Any) -> None:
        """Release what a thread waits for, and let it run until it waits again."""
        if lock.locked():
            lock.release()
        self.settle()

    def settle(self) -> None:
        """Stand aside until every other thread waits for something."""
        if threading.active_count() == 1 or self.restless:
            return
        others = [thread.native_id for thread in threading.enumerate() if thread.ident != self._main]
        seen = [_activity(thread) for thread in others]
        while seen != self._rested or any(state not in "SI" for state, _ in seen):
            if self._patience <= 0:
                self.restless = True
                return
            self._patience -= PAUSE_S
            self._rested = seen
            self._real.sleep(PAUSE_S)
            seen = [_activity(thread) for thread in others]


def _activity(thread: int | None) -> tuple[str, str]:
    """Return the state of a thread (S: sleeps) and how long it has run: two equal answers mean that it waits."""
    try:
        with open(f"/proc/self/task/{thread}/stat", encoding="ascii") as stat:  # noqa: PTH123 pathlib is slower
            state = stat.read().rpartition(")")[2].split()[0]
        with open(f"/proc/self/task/{thread}/schedstat", encoding="ascii") as ran:  # noqa: PTH123
            return state, ran.read().split()[0]
    except (OSError, IndexError):
        return "S", "gone"


class VirtualThreading:
    """What replaces the waiting methods of `threading`: waits end when virtual time says so."""

    def __init__(self, threads: Threads, timeline: Timeline, doze: Callable[[int | None], None]) -> None:
        self._threads = threads
        self._timeline = timeline
        self._doze = doze
        self._real_start, self._real_join = threading.Thread.start, threading.Thread.join
        self._real_wait = threading.Condition.wait
        self._starting: set[int] = set()

    def install(self) -> None:
        """Replace them."""

        def start(thread: threading.Thread) -> None:
            self._start(thread)
            if self._threads.is_main():
                self._threads.settle()

        def join(thread: threading.Thread, timeout: float | None = None) -> None:
            if not self._threads.is_main():
                self._real_join(thread, timeout)
            elif self._main_waits(lambda: not thread.is_alive(), timeout):
                self._real_join(thread)

        def wait(condition: Any, timeout: float | None = None) -> bool:
            return self._wait(condition, timeout)

        patch(threading.Thread, start=start, join=join)
        patch(threading.Condition, wait=wait)

    def _start(self, thread: threading.Thread) -> None:
        """Start a thread; until it runs, which takes real time only, its starter must not let game time pass."""
        starter = threading.get_ident()
        self._starting.add(starter)
        try:
            self._real_start(thread)
        finally:
            self._starting.discard(starter)

    def _wait(self, condition: Any, timeout: float | None) -> bool:
        """Do what `Condition.wait` does."""
        if threading.get_ident() in self._starting:
            return self._real_wait(condition, timeout)
        if not condition._is_owned():
            raise RuntimeError("cannot wait on un-acquired lock")
        waiter = threading.Lock()
        waiter.acquire()
        condition._waiters.append(waiter)
        state = condition._release_save()
        try:
            woken = self._wait_for(waiter, timeout)
            if not woken and waiter in condition._waiters:
                condition._waiters.remove(waiter)
            return woken
        finally:
            condition._acquire_restore(state)

    def _wait_for(self, waiter: Any, timeout: float | None) -> bool:
        if self._threads.is_main():
            return self._main_waits(lambda: bool(waiter.acquire(blocking=False)), timeout)
        if timeout is None:
            return bool(waiter.acquire())
        return self._thread_waits(waiter, timeout)

    def _thread_waits(self, waiter: Any, timeout: float) -> bool:
        done: list[str] = []

        def expire() -> None:
            if not done and waiter.locked():
                done.append("expired")
                self._threads.wake(waiter)

        self._timeline.at(self._end(timeout), expire)
        waiter.acquire()
        done.append("woken")
        return done[0] == "woken"

    def _main_waits(self, done: Callable[[], bool], timeout: float | None) -> bool:
        end = None if timeout is None else self._end(timeout)
        self._threads.settle()
        while not done():
            if end is not None and self._timeline.now >= end:
                return False
            self._doze(end)
            self._threads.settle()
        return True

    def _end(self, timeout: float) -> int:
        return self._timeline.now + int(max(timeout, 0) * NS)
