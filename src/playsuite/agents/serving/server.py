"""A model server that is started, waited for, watched, and started again when it dies."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from playsuite.agents.serving.health import ANSWER_S, Health, clear_the_way
from playsuite.agents.serving.process import EngineProcess
from playsuite.core.errors import AgentError, ConfigError, PlaySuiteError, boundary
from playsuite.core.wait import WaitTimeoutError, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from playsuite.agents.serving.command import Command

Launcher: TypeAlias = "Callable[[Path, tuple[int, ...]], Command]"
"""Says what to start for a socket and the numbers of some GPUs."""

BEAT_S = 0.5
LONGEST_PAUSE_S = 60.0


class Place(Struct, frozen=True):
    """Where one copy of a model is served."""

    socket: Path
    log: Path
    """File to which everything is added that the engine writes."""
    gpus: tuple[int, ...] = ()


class Patience(Struct, frozen=True):
    """How long is waited for an engine, and how often it is started again."""

    ready_seconds: float = 900.0
    """From the start until the model is loaded; a first start may have to fetch it."""
    silent_seconds: float = 60.0
    """An engine that is alive but does not say so for this long is killed."""
    grace_seconds: float = 15.0
    """What it gets to end by itself when it is told to."""
    steady_seconds: float = 600.0
    """Who lived this long after becoming ready starts with a clean slate."""
    restarts: int = 5
    """So often it is started again without having been steady."""
    fruitless: int = 3
    """So many starts in a row that never became ready are the last; the very first has to succeed."""


class Life(Struct, frozen=True):
    """One life of an engine."""

    why: str
    """Why it ended; empty when it was told to."""
    ready_seconds: float | None = None
    """How long it was of use; None if it never was."""


class Server:
    """Keeps a model served at one place. A context manager: started by entering, nothing is left after leaving."""

    def __init__(
        self, launch: Launcher, place: Place, *, log: Callable[[str], None], patience: Patience | None = None
    ) -> None:
        self.place = place
        self.ready = False
        """It has been ready once."""
        self.failure: PlaySuiteError | None = None
        """Why it has been given up."""
        self._launch = launch
        self._log = log
        self._patience = patience or Patience()
        self._told_to_stop = threading.Event()
        self._over = threading.Event()  # a join that a signal interrupts takes the thread for ended
        self._thread = threading.Thread(target=self._keep, name=f"serve {place.socket.name}", daemon=True)

    @property
    def url(self) -> str:
        """The base URL for clients."""
        return f"unix://{self.place.socket}"

    def tell_to_stop(self) -> None:
        """Let it end; leaving the context waits for it."""
        self._told_to_stop.set()

    def join(self, seconds: float) -> None:
        """Wait until it is stopped or given up, at most so long."""
        self._over.wait(seconds)

    def __enter__(self) -> Server:
        clear_the_way(self.place.socket)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.tell_to_stop()
        self._over.wait()  # bounded by what ending an engine may take

    def _keep(self) -> None:
        """Live one life after the other, until told to stop or until another would be no better."""
        try:
            with boundary(AgentError, f"serving on {self.place.socket}"):
                self._live_on()
        except PlaySuiteError as error:
            self.failure = error
        finally:
            self._over.set()

    def _live_on(self) -> None:
        short = fruitless = 0
        while (life := self._live()).why:
            if not self.ready:
                raise ConfigError(f"the model server {life.why}")
            steady = (life.ready_seconds or 0.0) >= self._patience.steady_seconds
            short = 1 if steady else short + 1
            fruitless = fruitless + 1 if life.ready_seconds is None else 0
            if short > self._patience.restarts or fruitless >= self._patience.fruitless:
                raise AgentError(f"the model server is given up after {short} deaths; at last it {life.why}")
            pause = _pause(short)
            self._log(f"the model server {life.why}. It is started again {f'in {pause:g} s' if pause else 'at once'}")
            if self._told_to_stop.wait(pause):
                return

    def _live(self) -> Life:
        clear_the_way(self.place.socket)
        command = self._launch(self.place.socket, self.place.gpus)
        engine = EngineProcess(command, self.place.log, grace_seconds=self._patience.grace_seconds)
        try:
            with Health(self.place.socket, answer_seconds=min(ANSWER_S, self._patience.silent_seconds)) as health:
                if why := self._load(engine, health):
                    return Life(why)
                begun, self.ready = time.monotonic(), True
                return Life(self._watch(engine, health), time.monotonic() - begun)
        finally:
            engine.end()
            self.place.socket.unlink(missing_ok=True)

    def _load(self, engine: EngineProcess, health: Health) -> str:
        """Wait until the model is loaded; return why it is not."""
        patience = self._patience.ready_seconds
        try:
            until(
                lambda: self._told_to_stop.is_set() or engine.ended or health.good(),
                timeout=patience, waiting_for="the model",
            )  # fmt: skip
        except WaitTimeoutError:
            return f"was not ready after {patience:g} s; the last it said: {engine.said()}"
        return engine.why() if engine.ended else ""

    def _watch(self, engine: EngineProcess, health: Health) -> str:
        """Wait until the engine is no longer of use, and return why; nothing when told to stop."""
        well = time.monotonic()
        while not self._told_to_stop.wait(BEAT_S):
            if engine.ended:
                return engine.why()
            if health.good():
                well = time.monotonic()
            elif time.monotonic() - well > self._patience.silent_seconds:
                return f"did not answer for {self._patience.silent_seconds:g} s and was killed: {engine.said()}"
        return ""


def _pause(deaths: int) -> float:
    """Return how long to wait before the next start: none after the first death, then 2, 4, 8... seconds."""
    return min(2.0 ** (deaths - 1), LONGEST_PAUSE_S) if deaths > 1 else 0.0
