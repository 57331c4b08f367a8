"""All voices of a game, and the real mixer, which is only started if something must be decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.voice import Voice

if TYPE_CHECKING:
    from playsuite.runtimes.pygame.guest.pace import Pace
    from playsuite.runtimes.pygame.guest.timeline import Timeline

CHANNELS = 8
DEFAULTS = (44100, -16, 2)
"""Frequency, bits (negative: signed) and channels, as pygame has them."""


class Studio:
    """The virtual mixer."""

    def __init__(self, timeline: Timeline, pace: Pace, pygame: Any) -> None:
        self._pygame = pygame
        self._timeline = timeline
        self._pace = pace
        self._real_init = pygame.mixer.init
        self._real_get_init = pygame.mixer.get_init
        self._real_sound = pygame.mixer.Sound
        self._asked = DEFAULTS
        self.format: tuple[int, int, int] | None = None
        self.reserved = 0
        self.voices: list[Voice] = []
        self.music = self._new_voice(None)
        self.set_voices(CHANNELS)

    def prepare(self, frequency: int = 0, size: int = 0, channels: int = 0, *_: Any, **__: Any) -> None:
        """Remember what the game wants the mixer to be."""
        self._asked = (frequency or DEFAULTS[0], size or DEFAULTS[1], channels or DEFAULTS[2])

    def open(self, *arguments: Any, **named: Any) -> None:
        """Start the virtual mixer."""
        if self.format is None:
            if arguments or named:
                self.prepare(*arguments, **named)
            self.format = self._asked

    def close(self) -> None:
        """Stop the virtual mixer."""
        self.stop()
        self.music.stop()
        self.format = None

    def stop(self) -> None:
        """Stop all channels."""
        self.for_all("stop")

    def for_all(self, action: str, *arguments: Any) -> None:
        """Call one method of every channel."""
        for voice in self.voices:
            getattr(voice, action)(*arguments)

    def set_voices(self, number: int) -> None:
        """Have so many channels."""
        self.voices = [*self.voices[:number], *map(self._new_voice, range(len(self.voices), number))]

    def free_voice(self) -> Voice | None:
        """Return the first channel that plays nothing."""
        return next((voice for voice in self.voices[self.reserved :] if not voice.busy()), None)

    def real_sound(self, *arguments: Any, **named: Any) -> Any:
        """Load a sound with the real mixer."""
        if not self._real_get_init():
            self._real_init(*self._asked)
        return self._real_sound(*arguments, **named)

    def require_open(self) -> None:
        """Refuse to work before `mixer.init`, as the real mixer does."""
        if self.format is None:
            raise self._pygame.error("mixer not initialized")

    def _new_voice(self, number: int | None) -> Voice:
        return Voice(self._timeline, self._pace, lambda event: self._post(event, number))

    def _post(self, event: int, number: int | None) -> None:
        attributes = {} if number is None else {"code": number}
        try:
            self._pygame.event.post(self._pygame.event.Event(event, attributes))
        except self._pygame.error:
            return  # The queue is full or closed, so a real mixer's event is lost as well.
