"""Runtimes in which a game second takes a second of the clock on the wall. Only for comparison."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from playsuite.core.plugins import load
from playsuite.core.wait import until

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from playsuite.core.actions import InputEvent
    from playsuite.core.protocols import FrameSink, Launch, Observation, Session

VERSION = 1
PATIENCE_S = 5.0


def pygame(launch: Launch, film: FrameSink | None = None) -> Session:
    """Start a pygame game."""
    return PacedSession(load("runtimes", "pygame")(launch, film))


def fake(launch: Launch, film: FrameSink | None = None) -> Session:
    """Start the fake game."""
    return PacedSession(load("runtimes", "fake")(launch, film))


class PacedSession:
    """A running game whose steps take as long as they last."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._late = 0.0
        """Wall seconds the last step took too long by; the next one takes less, so that steps are right on average."""

    @property
    def clock(self):
        return self._session.clock

    def observe(self, seat: int = 0) -> Observation:
        return self._session.observe(seat)

    def step(self, events: Sequence[InputEvent], seconds: float) -> Observation:
        end = time.monotonic() + seconds - self._late
        seen = self._session.step(events, seconds)
        until(lambda: time.monotonic() >= end, timeout=seconds + PATIENCE_S, waiting_for="the clock on the wall")
        # A game that is slower than real time is no reason to hurry afterwards.
        self._late = min(time.monotonic() - end, 0.2)
        return seen

    def close(self) -> None:
        self._session.close()

    def __enter__(self) -> PacedSession:
        self._session.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session.__exit__(kind, error, trace)
