"""When game time moves: whenever the game waits, and when it loops without ever waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playsuite.runtimes.pygame.guest.timeline import MS, NS, US

if TYPE_CHECKING:
    from playsuite.runtimes.pygame.guest.threads import Threads
    from playsuite.runtimes.pygame.guest.timeline import Timeline

READS_BEFORE_SPIN = 500
"""A game that reads the clock so often without waiting may be waiting for the clock."""
READS_TO_DOUBLE = 1000
"""The longer it goes on, the surer it is: a read costs 1 us first, then twice as much after so many more, and so on.
Games with a thousand sprites that each ask for the time are real, and must not be slowed down by it."""
PUMPS_BEFORE_SPIN = 60
"""The same for events; a frame may well ask for events of many types."""
FLIPS_BEFORE_SPIN = 200
"""The same for pictures; old games update one rectangle at a time."""
LONG_WAIT = NS // 10
"""A wait of at least this length is not the pace of the frames."""


class Pace:
    """Counts what the game does between two moves of time, and moves it."""

    def __init__(self, timeline: Timeline, threads: Threads, fixed_hz: int = 0) -> None:
        self._timeline = timeline
        self._threads = threads
        self.fixed_hz = fixed_hz
        """Every frame lasts 1 / fixed_hz; 0 leaves it to the game."""
        self.frame = NS // (fixed_hz or 60)
        """How long a frame lasts if the game does not say."""
        self.frames = 0
        """Moves of time after at least one new picture: what a person would count as frames."""
        self._reads = self._pumps = self._flips = 0
        self._new_pictures = 0
        self._pumped_at = -MS

    def wait(self, duration: int) -> None:
        """Let the time pass that the game waits for, in nanoseconds."""
        if self.fixed_hz and self._new_pictures and 0 < duration < LONG_WAIT:
            duration = self.frame
        self._spend(duration)

    def doze(self, end: int | None) -> None:
        """Let time pass to whatever is due next, but not beyond `end`."""
        moments = [moment for moment in (self._timeline.next_due(), end) if moment is not None]
        self.wait(min(moments) - self._timeline.now if moments else self.frame)

    def read(self) -> int:
        """Return the time now; a game that does nothing but ask is given a little each time, in the end 1 ms."""
        self._reads += 1
        if self._reads > READS_BEFORE_SPIN:
            reads = self._reads
            doubled = min((reads - READS_BEFORE_SPIN) // READS_TO_DOUBLE, 10)
            self._spend(min(US << doubled, MS))
            self._reads = reads
        return self._timeline.now

    def picture(self) -> None:
        """Note a new picture; a game that does nothing but draw is given a frame for each."""
        self._new_pictures += 1
        self._flips += 1
        if self._flips > FLIPS_BEFORE_SPIN:
            self._spend(self.frame)
            self._flips = FLIPS_BEFORE_SPIN

    def pump(self) -> None:
        """Note that the game asks for events: in a loop without a clock, this is where a frame ends."""
        self._pumps += 1
        if self._new_pictures and self._timeline.now - self._pumped_at < MS:
            self._spend(self.frame)
        elif self._pumps > PUMPS_BEFORE_SPIN:
            self._spend(self.frame)
            self._pumps = PUMPS_BEFORE_SPIN
        self._pumped_at = self._timeline.now

    def _spend(self, duration: int) -> None:
        self._reads = self._pumps = self._flips = 0
        if self._new_pictures:
            self.frames += 1
            self._new_pictures = 0
        if not self._threads.is_main():
            self._threads.sleep(duration)
            return
        self._threads.settle()
        self._timeline.advance(duration)
