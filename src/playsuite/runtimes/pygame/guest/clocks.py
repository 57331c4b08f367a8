"""`pygame.time`: clocks, waits and timers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.patch import patch
from playsuite.runtimes.pygame.guest.timeline import MS, NS

if TYPE_CHECKING:
    from playsuite.runtimes.pygame.guest.pace import Pace
    from playsuite.runtimes.pygame.guest.timeline import Timeline

FPS_SAMPLES = 10


class Metronome:
    """Counts out frames of equal length without rounding errors that add up."""

    def __init__(self, now: int) -> None:
        self._begin = now
        self._beats = 0
        self._rate_hz = 0.0
        self.last = now

    def next_beat(self, now: int, rate_hz: float) -> int:
        """Return when the frame that began at the last beat ends; never before `now`."""
        if rate_hz != self._rate_hz:
            self._begin, self._beats, self._rate_hz = self.last, 0, rate_hz
        self._beats += 1
        beat = self._begin + int(self._beats * NS / rate_hz)
        if beat < now:
            self._begin, self._beats = now, 0
        return max(beat, now)


def clock_class(timeline: Timeline, pace: Pace) -> type:
    """Return a class like `pygame.time.Clock` in virtual time."""

    class Clock:
        def __init__(self) -> None:
            self._metronome = Metronome(timeline.now)
            self._ticks: list[int] = []

        def tick(self, framerate: float = 0) -> int:
            begin = self._metronome.last
            pace.wait(self._end_of_frame(framerate) - timeline.now)
            self._metronome.last = timeline.now
            self._ticks = [*self._ticks[-FPS_SAMPLES + 1 :], timeline.now // MS - begin // MS]
            return self._ticks[-1]

        tick_busy_loop = tick

        def get_time(self) -> int:
            return self._ticks[-1] if self._ticks else 0

        def get_rawtime(self) -> int:
            return min(self.get_time(), 1)

        def get_fps(self) -> float:
            if len(self._ticks) < FPS_SAMPLES:
                return 0.0
            return 1000.0 * len(self._ticks) / max(sum(self._ticks), 1)

        def _end_of_frame(self, framerate: float) -> int:
            if pace.fixed_hz or framerate > 0:
                return self._metronome.next_beat(timeline.now, pace.fixed_hz or framerate)
            # A clock without a rate only measures; if nothing else waits, a frame passes here.
            waited = timeline.now - self._metronome.last
            return timeline.now if waited >= MS else self._metronome.last + pace.frame

    return Clock


def install(timeline: Timeline, pace: Pace, pygame: Any) -> None:
    """Replace all of `pygame.time`."""
    real_post = pygame.event.post
    timers: dict[int, int] = {}

    def get_ticks() -> int:
        return pace.read() // MS

    def wait(milliseconds: int) -> int:
        pace.wait(int(milliseconds) * MS)
        return int(milliseconds)

    def set_timer(event: Any, millis: int, loops: int = 0, *, once: bool = False) -> None:
        told = pygame.event.Event(event) if isinstance(event, int) else event
        serial = timers[told.type] = timers.get(told.type, 0) + 1
        rings = 1 if once or loops is True else loops

        def ring(count: int) -> None:
            if timers[told.type] != serial:
                return
            try:
                real_post(told)
            except pygame.error:
                return  # The queue is full or closed, so SDL would lose it as well.
            if count != rings:
                later(count + 1)

        def later(count: int) -> None:
            timeline.at(timeline.now + int(millis) * MS, lambda: ring(count))

        if millis > 0:
            later(1)

    clock = clock_class(timeline, pace)
    patch(pygame.time, Clock=clock, ClockType=clock, get_ticks=get_ticks, wait=wait, delay=wait, set_timer=set_timer)
