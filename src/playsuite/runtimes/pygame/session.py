"""A running pygame game, seen from outside: orders go in, observations and film frames come out."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from playsuite.core.errors import DriverError, GameError
from playsuite.core.protocols import Frame, FrameSink, Limits, Observation
from playsuite.core.records import ClockReport
from playsuite.runtimes.pygame.messages import Connection, Ended, Filmed, Parked, Patience
from playsuite.runtimes.timeline import NS, instant, nanoseconds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from playsuite.core.actions import InputEvent
    from playsuite.runtimes.pygame.autopsy import Autopsy
    from playsuite.runtimes.pygame.frames import FrameMemory
    from playsuite.runtimes.pygame.messages import Message, Shot

SLOWEST = 3.0
"""Wall seconds a game second may take in a long step before the game counts as hung."""


class PygameSession:
    """A game in its process; frozen except inside `step`."""

    def __init__(
        self,
        connection: Connection,
        memory: FrameMemory,
        autopsy: Autopsy,
        *,
        limits: Limits,
        film: FrameSink | None,
    ) -> None:
        self._connection = connection
        self._memory = memory
        self._autopsy = autopsy
        self._resources = ExitStack()
        self._limits = limits
        self._film = film
        self._filmed = 0
        self._seconds = 0.0
        self._last: Observation | None = None
        self.clock = ClockReport(driver="pygame-heap", exact=True, deterministic=True, sandbox=autopsy.sandbox)

    def begin(self, config: dict[str, object]) -> None:
        """Configure the guest and wait for the first frame."""
        self._exchange(Patience(self._limits.first_frame_seconds), "its first frame", config)

    def keep(self, resources: ExitStack) -> None:
        """Take over what must be given back at the end."""
        self._resources = resources

    def observe(self, seat: int = 0) -> Observation:
        """Look at the game as it is now."""
        if self._last is not None and self._last.over:
            return self._last
        return self._exchange(Patience(self._limits.step_seconds), "a look at it", {"do": "look"})

    def step(self, events: Sequence[InputEvent], seconds: float) -> Observation:
        """Let the game run for exactly `seconds`, or until it ends by its own rules."""
        if self._last is not None and self._last.over:
            return self._last
        self._seconds += seconds
        order = {"do": "step", "until": nanoseconds(self._seconds), "events": list(events)}
        patience = Patience(max(self._limits.step_seconds, SLOWEST * seconds))
        return self._exchange(patience, f"the end of a step of {seconds:g} game seconds", order)

    def close(self) -> None:
        """End the game and everything it started."""
        self._resources.close()

    def __enter__(self) -> PygameSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _exchange(self, patience: Patience, waiting_for: str, order: dict[str, object]) -> Observation:
        """Give an order and return what there is to see once it is done."""
        try:
            return self._observation(self._answer(patience, order))
        except TimeoutError:
            raise self._autopsy.hung(waiting_for, patience.seconds) from None
        except GameError as error:
            raise self._autopsy.broke(error) from error

    def _answer(self, patience: Patience, order: dict[str, object]) -> Message | None:
        self._tell(patience, order)
        while isinstance(message := self._connection.receive(patience), Filmed):
            self._take_film(message)
            self._tell(patience, {"do": "free"})
        return message

    def _tell(self, patience: Patience, order: dict[str, object]) -> None:
        # A game that has just ended no longer listens, but how it ended may still be waiting to be read.
        with suppress(ConnectionError):
            self._connection.send(patience, order)

    def _take_film(self, message: Filmed) -> None:
        if self._film is None or message.index != self._filmed:
            raise GameError(f"the game's process sent film frame {message.index} instead of {self._filmed}")
        moment = instant(self._filmed, self._film.fps)
        if moment >= nanoseconds(self._seconds):
            raise GameError(f"the game's process sent a film frame of {moment / NS:g} s before that time")
        self._film.add(moment / NS, self._frame(message.shot))
        self._filmed += 1

    def _observation(self, message: Message | None) -> Observation:
        match message:
            case Parked(t=t) if t != nanoseconds(self._seconds):
                raise DriverError(f"the game stands at {t / NS:.9f} s instead of {self._seconds:.9f} s")
            case Parked():
                return self._seen(message)
            case Ended(t=t, code=0):
                self._seconds = min(t / NS, self._seconds)
                return self._seen(message)
            case Ended(t=t, code=code, error=error):
                raise self._autopsy.failed(t / NS, code, error)
            case _:
                raise self._autopsy.died()

    def _seen(self, message: Parked | Ended) -> Observation:
        if message.restless:
            self.clock = replace(self.clock, deterministic=False)
        self._last = Observation(
            frame=self._frame(message.shot),
            t=self._seconds,
            index=self._filmed,
            over=isinstance(message, Ended),
            frames=message.frames,
        )
        return self._last

    def _frame(self, shot: Shot | None) -> Frame:
        if shot is not None:
            return self._memory.read(shot)
        if self._last is not None:
            return self._last.frame
        raise GameError("the game ended without a picture")
