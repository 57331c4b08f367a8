"""Sound in virtual time: nothing is played, but everything begins, lasts and ends when it should.

A sound's length is only looked up when the game asks for something that depends on it; until then no file is decoded.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest import music
from playsuite.runtimes.pygame.guest.patch import patch
from playsuite.runtimes.pygame.guest.studio import Studio
from playsuite.runtimes.pygame.guest.timeline import NS

if TYPE_CHECKING:
    from playsuite.runtimes.pygame.guest.pace import Pace
    from playsuite.runtimes.pygame.guest.timeline import Timeline

UNKNOWN_LENGTH_NS = 60 * NS
"""Of a file that cannot be decoded here; a real player would have refused it when it was loaded."""


class VirtualSound:
    """Like `pygame.mixer.Sound`. The class games see is derived from it, with the two attributes set."""

    _studio: Studio
    _pygame: Any

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._studio.require_open()
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
        """Return how long it lasts."""
        if self._length is None:
            try:
                self._length = int(self._decoded().get_length() * NS)
            except self._pygame.error:
                self._length = UNKNOWN_LENGTH_NS
        return self._length

    def get_length(self) -> float:
        return self.length_ns() / NS

    def play(self, loops: int = 0, maxtime: int = 0, fade_ms: int = 0) -> Any:
        voice = self._studio.free_voice()
        if voice is None:
            return None
        voice.play(self, loops, maxtime)
        return self._pygame.mixer.Channel(self._studio.voices.index(voice))

    def stop(self) -> None:
        for voice in self._voices():
            voice.stop()

    def fadeout(self, time: int) -> None:
        for voice in self._voices():
            voice.fadeout(time)

    def get_num_channels(self) -> int:
        return sum(voice.busy() for voice in self._voices())

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

    def _voices(self) -> list[Any]:
        return [voice for voice in self._studio.voices if voice.sound is self]

    def _decoded(self) -> Any:
        if self._real is None:
            arguments, named = self._source
            self._real = self._studio.real_sound(*arguments, **named)
        return self._real


class VirtualChannel:
    """Like `pygame.mixer.Channel`: a view of one voice."""

    _studio: Studio

    def __init__(self, id: int) -> None:  # noqa: A002 pygame calls it so
        self._studio.require_open()
        if not 0 <= id < len(self._studio.voices):
            raise IndexError("invalid channel index")
        self.id = id
        voice = self._voice = self._studio.voices[id]
        self.play, self.queue, self.stop = voice.play, voice.queue, voice.stop
        self.fadeout, self.pause, self.unpause = voice.fadeout, voice.pause, voice.unpause
        self.get_busy, self.get_queue, self.set_endevent = voice.busy, voice.queued, voice.tell_with

    def get_sound(self) -> Any:
        return self._voice.sound if self._voice.busy() else None

    def get_endevent(self) -> int:
        return self._voice.event

    def set_volume(self, left: float, _right: float = 0.0) -> None:
        self._voice.volume = min(max(float(left), 0.0), 1.0)

    def get_volume(self) -> float:
        return self._voice.volume

    def set_source_location(self, *_: float) -> None:
        """Do nothing: nobody listens."""


def install(timeline: Timeline, pace: Pace, pygame: Any) -> None:
    """Replace `pygame.mixer` and `pygame.mixer.music`, unless this pygame was built without them."""
    if not isinstance(pygame.mixer, ModuleType):
        return
    studio = Studio(timeline, pace, pygame)
    sound = type("Sound", (VirtualSound,), {"_studio": studio, "_pygame": pygame})
    channel = type("Channel", (VirtualChannel,), {"_studio": studio})
    patch(pygame.mixer, Sound=sound, SoundType=sound, Channel=channel, ChannelType=channel)
    _install_switches(studio, pygame)
    _install_channels(studio, pygame, channel)
    music.install(studio, pygame)


def _install_switches(studio: Studio, pygame: Any) -> None:
    real_quit, real_pygame_quit = pygame.mixer.quit, pygame.quit

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
        # What `pygame.init` calls.
        _internal_mod_init=studio.open,
        quit=quit_,
        get_init=lambda: studio.format,
    )
    patch(pygame, quit=pygame_quit)


def _install_channels(studio: Studio, pygame: Any, channel: type) -> None:
    def set_reserved(number: int) -> int:
        studio.reserved = min(int(number), len(studio.voices))
        return studio.reserved

    def find_channel(force: bool = False) -> Any:  # noqa: FBT001, FBT002 pygame's own signature
        voice = studio.free_voice() or (studio.voices[studio.reserved] if force else None)
        return channel(studio.voices.index(voice)) if voice else None

    patch(
        pygame.mixer,
        set_num_channels=studio.set_voices,
        get_num_channels=lambda: len(studio.voices),
        set_reserved=set_reserved,
        find_channel=find_channel,
        get_busy=lambda: any(voice.busy() for voice in studio.voices),
        stop=studio.stop,
        fadeout=lambda time: studio.for_all("fadeout", time),
        pause=lambda: studio.for_all("pause"),
        unpause=lambda: studio.for_all("unpause"),
    )
