"""Something that can play one sound at a time, in virtual time: a channel, or the music."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.timeline import MS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playsuite.runtimes.pygame.guest.pace import Pace
    from playsuite.runtimes.pygame.guest.timeline import Timeline


class Voice:
    """Plays one sound, silently, and knows when it ends."""

    def __init__(self, timeline: Timeline, pace: Pace, tell: Callable[[int], None]) -> None:
        self._timeline = timeline
        self._pace = pace
        self._tell = tell
        self._serials = count()
        self._alarm = next(self._serials)
        self._begin = 0
        self._loops = 0
        self._longest: int | None = None
        self._paused_at: int | None = None
        self._next: tuple[Any, int] | None = None
        self.sound: Any = None
        self.event = 0
        self.volume = 1.0

    def play(self, sound: Any, loops: int = 0, maxtime: int = 0, fade_ms: int = 0) -> None:
        """Begin a sound, instead of the one before."""
        self.sound, self._loops, self._begin = sound, loops, self._timeline.now
        self._longest = maxtime * MS if maxtime > 0 else None
        self._paused_at = self._next = None
        self._set_alarm()

    def queue(self, sound: Any, loops: int = 0) -> None:
        """Play a sound after the one that plays now."""
        if not self.busy():
            self.play(sound, loops)
            return
        self._next = (sound, loops)
        self._set_alarm()

    def queued(self) -> Any:
        """Return the sound that waits, if one does."""
        return self._next[0] if self._next else None

    def stop(self) -> None:
        """End the sound."""
        was_busy = self.sound is not None and self.busy()
        self.sound = self._next = self._paused_at = None
        self._alarm = next(self._serials)
        if was_busy and self.event:
            self._tell(self.event)

    def fadeout(self, milliseconds: int) -> None:
        """End the sound a little later."""
        self._longest = self._timeline.now - self._begin + int(milliseconds) * MS
        self._set_alarm()

    def pause(self) -> None:
        """Stand still."""
        if self.sound is not None and self._paused_at is None:
            self._paused_at = self._timeline.now
            self._alarm = next(self._serials)

    def unpause(self) -> None:
        """Go on."""
        if self._paused_at is not None:
            self._begin += self._timeline.now - self._paused_at
            self._paused_at = None
            self._set_alarm()

    @property
    def paused(self) -> bool:
        """Tell whether a sound stands still."""
        return self._paused_at is not None

    def busy(self) -> bool:
        """Tell whether a sound has begun and not ended. A loop that does nothing but ask makes time pass."""
        now = self._pace.read()
        end = self._end()
        return self.sound is not None and (self.paused or end is None or now < end)

    def position(self) -> int:
        """Return how long the sound has been playing, in nanoseconds."""
        until = self._timeline.now if self._paused_at is None else self._paused_at
        return until - self._begin

    def tell_with(self, event: int) -> None:
        """Post an event of this type at the end of each sound; 0 is none."""
        self.event = int(event or 0)
        self._set_alarm()

    def _end(self) -> int | None:
        """Return when the sound ends; None if it goes on for ever."""
        if self.sound is None:
            return 0
        if self._longest is None and self._loops < 0:
            return None
        natural = None if self._loops < 0 else self.sound.length_ns() * (self._loops + 1)
        return self._begin + min(length for length in (natural, self._longest) if length is not None)

    def _set_alarm(self) -> None:
        alarm = self._alarm = next(self._serials)
        # Only who is told of the end must know when it is: that can mean to decode a whole file.
        if self.sound is None or self.paused or not (self.event or self._next):
            return
        end = self._end()
        if end is not None:
            self._timeline.at(end, lambda: self._ended(alarm))

    def _ended(self, alarm: int) -> None:
        if alarm != self._alarm:
            return
        waiting, self.sound, self._next = self._next, None, None
        if self.event:
            self._tell(self.event)
        if waiting:
            self.play(*waiting)
