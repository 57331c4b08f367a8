"""Sound in virtual time: nothing is played, but everything begins, lasts and ends when it should.

A sound's length is only looked up when the game asks for something that depends on it; until then no file is decoded.
"""

from __future__ import annotations

import io
import os
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.patch import patch
from playsuite.runtimes.pygame.guest.timeline import MS, NS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playsuite.runtimes.pygame.guest.pace import Pace
    from playsuite.runtimes.pygame.guest.timeline import Timeline

UNKNOWN_LENGTH_NS = 60 * NS
"""Of a file that cannot be decoded here; a real player would have refused it when it was loaded."""
CHANNELS = 8
DEFAULTS = (44100, -16, 2)


class Voice:
    """One thing that can play one sound at a time: a channel, or the music."""

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


class Studio:
    """All voices, and the real mixer, which is only started if something must be decoded."""

    def __init__(self, timeline: Timeline, pace: Pace, pygame: Any) -> None:
        self._pygame = pygame
        self._new_voice = lambda number: Voice(timeline, pace, lambda event: self._post(event, number))
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
        for voice in self.voices:
            voice.stop()

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

    def _post(self, event: int, number: int | None) -> None:
        attributes = {} if number is None else {"code": number}
        try:
            self._pygame.event.post(self._pygame.event.Event(event, attributes))
        except self._pygame.error:
            return  # The queue is full or closed, so a real mixer's event is lost as well.


def sound_class(studio: Studio, pygame: Any) -> type:
    """Return a class like `pygame.mixer.Sound`."""

    class Sound:
        def __init__(self, *arguments: Any, **named: Any) -> None:
            studio.require_open()
            self._source = (arguments, named)
            self._real: Any = None
            self._length: int | None = None
            self._volume = 1.0
            source = arguments[0] if arguments else named.get("file")
            if not isinstance(source, (str, bytes, os.PathLike)):
                self._decoded()
            elif not Path(os.fsdecode(source)).is_file():
                raise FileNotFoundError(f"No file '{source!s}' found in working directory '{Path.cwd()}'.")

        def length_ns(self) -> int:
            if self._length is None:
                try:
                    self._length = int(self._decoded().get_length() * NS)
                except pygame.error:
                    self._length = UNKNOWN_LENGTH_NS
            return self._length

        def get_length(self) -> float:
            return self.length_ns() / NS

        def play(self, loops: int = 0, maxtime: int = 0, fade_ms: int = 0) -> Any:
            voice = studio.free_voice()
            if voice is None:
                return None
            voice.play(self, loops, maxtime)
            return pygame.mixer.Channel(studio.voices.index(voice))

        def stop(self) -> None:
            for voice in studio.voices:
                if voice.sound is self:
                    voice.stop()

        def fadeout(self, time: int) -> None:
            for voice in studio.voices:
                if voice.sound is self:
                    voice.fadeout(time)

        def get_num_channels(self) -> int:
            return sum(voice.sound is self and voice.busy() for voice in studio.voices)

        def set_volume(self, value: float, *_: float) -> None:
            self._volume = min(max(float(value), 0.0), 1.0)

        def get_volume(self) -> float:
            return self._volume

        def copy(self) -> Any:
            arguments, named = self._source
            return type(self)(*arguments, **named)

        @property
        def __array_interface__(self) -> Any:
            return self._decoded().__array_interface__

        @property
        def __array_struct__(self) -> Any:
            return self._decoded().__array_struct__

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            return getattr(self._decoded(), name)

        def _decoded(self) -> Any:
            if self._real is None:
                arguments, named = self._source
                self._real = studio.real_sound(*arguments, **named)
            return self._real

    return Sound


def channel_class(studio: Studio) -> type:
    """Return a class like `pygame.mixer.Channel`: a view of one voice."""

    class Channel:
        def __init__(self, id: int) -> None:  # noqa: A002 pygame calls it so
            studio.require_open()
            if not 0 <= id < len(studio.voices):
                raise IndexError("invalid channel index")
            self.id = id
            self._voice = studio.voices[id]
            for name in ("play", "queue", "stop", "fadeout", "pause", "unpause"):
                setattr(self, name, getattr(self._voice, name))

        def get_busy(self) -> bool:
            return self._voice.busy()

        def get_sound(self) -> Any:
            return self._voice.sound if self._voice.busy() else None

        def get_queue(self) -> Any:
            return self._voice.queued()

        def set_endevent(self, type: int = 0) -> None:  # noqa: A002 pygame calls it so
            self._voice.tell_with(type)

        def get_endevent(self) -> int:
            return self._voice.event

        def set_volume(self, left: float, _right: float = 0.0) -> None:
            self._voice.volume = min(max(float(left), 0.0), 1.0)

        def get_volume(self) -> float:
            return self._voice.volume

        def set_source_location(self, *_: float) -> None:
            """Do nothing: nobody listens."""

    return Channel


def install(timeline: Timeline, pace: Pace, pygame: Any) -> None:
    """Replace `pygame.mixer` and `pygame.mixer.music`, unless this pygame was built without them."""
    if not isinstance(pygame.mixer, ModuleType):
        return
    studio = Studio(timeline, pace, pygame)
    sound, channel = sound_class(studio, pygame), channel_class(studio)
    _install_mixer(studio, pygame, sound, channel)
    _install_music(studio, pygame)


def _install_mixer(studio: Studio, pygame: Any, sound: type, channel: type) -> None:
    real_quit, real_pygame_quit = pygame.mixer.quit, pygame.quit

    def set_reserved(number: int) -> int:
        studio.reserved = min(int(number), len(studio.voices))
        return studio.reserved

    def find_channel(force: bool = False) -> Any:  # noqa: FBT001, FBT002 pygame's own signature
        voice = studio.free_voice() or (studio.voices[studio.reserved] if force else None)
        return voice and channel(studio.voices.index(voice))

    def for_all(action: str) -> Callable[..., None]:
        return lambda *arguments: [getattr(voice, action)(*arguments) for voice in studio.voices] and None

    def quit_() -> None:
        studio.close()
        real_quit()

    def pygame_quit() -> None:
        studio.close()
        real_pygame_quit()

    patch(
        pygame.mixer,
        init=studio.open,
        pre_init=studio.prepare,
        _internal_mod_init=studio.open,
        quit=quit_,
        get_init=lambda: studio.format,
        Sound=sound,
        SoundType=sound,
        Channel=channel,
        ChannelType=channel,
        set_num_channels=studio.set_voices,
        get_num_channels=lambda: len(studio.voices),
        set_reserved=set_reserved,
        find_channel=find_channel,
        get_busy=lambda: any([voice.busy() for voice in studio.voices]),
        stop=studio.stop,
        fadeout=for_all("fadeout"),
        pause=for_all("pause"),
        unpause=for_all("unpause"),
    )
    patch(pygame, quit=pygame_quit)


def _install_music(studio: Studio, pygame: Any) -> None:
    music = studio.music
    loaded: list[Any] = []

    def track(source: Any) -> Any:
        if hasattr(source, "read"):
            return pygame.mixer.Sound(file=io.BytesIO(source.read()))
        try:
            return pygame.mixer.Sound(source)
        except FileNotFoundError as error:
            raise pygame.error(str(error)) from None

    def load(filename: Any, *_: Any, **__: Any) -> None:
        music.stop()
        loaded[:] = [track(filename)]

    def play(loops: int = 0, start: float = 0.0, fade_ms: int = 0) -> None:
        if not loaded:
            raise pygame.error("music not loaded")
        music.play(loaded[0], loops, fade_ms=fade_ms)

    def set_volume(value: float) -> None:
        music.volume = min(max(float(value), 0.0), 1.0)

    def rewind() -> None:
        if music.sound is not None:
            music.play(music.sound)

    patch(
        pygame.mixer.music,
        load=load,
        unload=lambda: (music.stop(), loaded.clear()) and None,
        play=play,
        queue=lambda filename, namehint="", loops=0: music.queue(track(filename), loops),
        rewind=rewind,
        stop=music.stop,
        fadeout=music.fadeout,
        pause=music.pause,
        unpause=music.unpause,
        get_busy=lambda: music.busy() and not music.paused,
        get_pos=lambda: music.position() // MS if music.busy() else -1,
        set_pos=lambda *_: None,
        set_volume=set_volume,
        get_volume=lambda: music.volume,
        set_endevent=lambda event=0: music.tell_with(event),
        get_endevent=lambda: music.event,
    )
