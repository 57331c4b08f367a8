"""The worker processes of one run on this machine: hire them, listen to them, part with those that are gone."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from playsuite.core.errors import PlaySuiteError, boundary
from playsuite.core.protocols import Endpoint
from playsuite.core.wait import WaitTimeoutError, until
from playsuite.play.news import Began, Ended, News, WorkerOrders

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

LEAVE_S = 15.0
"""Wall seconds a worker has to close its game when it is told to leave."""


class Worker:
    """One worker process, and what it is doing."""

    def __init__(self, run: str, *, endpoint: Endpoint, trust: bool) -> None:
        self.pipe, news = os.pipe()
        orders = WorkerOrders(run, parent=os.getpid(), news=news, endpoint=endpoint, trust=trust)
        command = [sys.executable, "-m", "playsuite.play.worker", msgspec.json.encode(orders).decode()]
        try:
            # In a session of its own, so that Ctrl-C at the terminal reaches only the parent.
            self.process = subprocess.Popen(command, pass_fds=[news], stdin=subprocess.DEVNULL, start_new_session=True)
        finally:
            os.close(news)
        self.endpoint = endpoint
        self.key = ""
        """The episode it is playing, if any."""
        self.since = time.monotonic()
        self._torn = b""

    def read(self) -> list[News] | None:
        """Return what it has told since the last time, or None when it is gone."""
        data = os.read(self.pipe, 1 << 16)
        if not data:
            return None
        *lines, self._torn = (self._torn + data).split(b"\n")
        told = [msgspec.json.decode(line, type=News) for line in lines]
        for news in told:
            self._note(news)
        return told

    def _note(self, news: News) -> None:
        match news:
            case Began(key):
                self.key, self.since = key, time.monotonic()
            case Ended():
                self.key = ""
            case _:
                pass


class Crew:
    """All worker processes. A context manager; nobody is left when it closes."""

    def __init__(self, run: str, *, endpoints: Sequence[Endpoint] = (), trust: bool = False) -> None:
        self._run, self._endpoints, self._trust = run, tuple(endpoints) or (Endpoint(),), trust
        self._selector = selectors.DefaultSelector()
        self.workers: list[Worker] = []

    def hire(self) -> None:
        """Start one more worker; it asks the server that has the fewest."""
        asked = Counter(worker.endpoint for worker in self.workers)
        endpoint = min(self._endpoints, key=lambda one: asked[one])
        worker = Worker(self._run, endpoint=endpoint, trust=self._trust)
        self.workers.append(worker)
        self._selector.register(worker.pipe, selectors.EVENT_READ, worker)

    def listen(self, seconds: float) -> tuple[list[News], list[Worker]]:
        """Wait for news, at most so long; return them, and the workers that are gone."""
        told: list[News] = []
        gone: list[Worker] = []
        for key, _ in self._selector.select(seconds):
            news = key.data.read()
            if news is None:
                self._part_with(key.data)
                gone.append(key.data)
            told += news or []
        return told, gone

    def kill_overdue(self, seconds: float) -> None:
        """Kill whoever has been at one episode for longer than `seconds`."""
        for worker in self.workers:
            if worker.key and time.monotonic() - worker.since > seconds:
                worker.process.kill()

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Tell everybody to leave, and kill who does not."""
        for worker in self.workers:
            worker.process.terminate()
        try:
            until(self._all_gone, timeout=LEAVE_S, waiting_for="the workers to close their games")
        except WaitTimeoutError:
            for worker in self.workers:
                worker.process.kill()
        for worker in list(self.workers):
            self._part_with(worker)
        self._selector.close()

    def _all_gone(self) -> bool:
        return all(worker.process.poll() is not None for worker in self.workers)

    def _part_with(self, worker: Worker) -> None:
        self._selector.unregister(worker.pipe)
        os.close(worker.pipe)
        self.workers.remove(worker)
        try:
            worker.process.wait(LEAVE_S)
        except subprocess.TimeoutExpired:  # it let go of its pipe, but does not end
            worker.process.kill()
            with boundary(PlaySuiteError, f"killing the worker {worker.process.pid}"):
                worker.process.wait(LEAVE_S)
