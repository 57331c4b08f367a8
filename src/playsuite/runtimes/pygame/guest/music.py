"""`pygame.mixer.music` in virtual time: one voice and what is loaded for it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.patch import patch
from playsuite.runtimes.pygame.guest.timeline import MS

if TYPE_CHECKING:
    from playsuite.runtimes.pygame.guest.studio import Studio


class Jukebox:
    """What is loaded, and the functions that need to know it."""

    def __init__(self, studio: Studio, pygame: Any) -> None:
        self._voice = studio.music
        self._pygame = pygame
        self._loaded: Any = None

    def load(self, filename: Any, *_: Any, **__: Any) -> None:
        """Prepare a file."""
        self.unload()
        self._loaded = self._track(filename)

    def unload(self) -> None:
        """Forget the file."""
        self._voice.stop()
        self._loaded = None

    def play(self, loops: int = 0, start: float = 0.0, fade_ms: int = 0) -> None:
        """Begin what is loaded."""
        if self._loaded is None:
            raise self._pygame.error("music not loaded")
        self._voice.play(self._loaded, loops)

    def queue(self, filename: Any, namehint: str = "", loops: int = 0) -> None:
        """Play a file after the one that plays now."""
        self._voice.queue(self._track(filename), loops)

    def rewind(self) -> None:
        """Begin again."""
        if self._voice.sound is not None:
            self._voice.play(self._voice.sound)

    def get_pos(self) -> int:
        """Return for how many ms it has been playing."""
        return self._voice.position() // MS if self._voice.busy() else -1

    def set_volume(self, value: float) -> None:
        """Set the loudness, 0 to 1."""
        self._voice.volume = min(max(float(value), 0.0), 1.0)

    def _track(self, source: Any) -> Any:
        if hasattr(source, "read"):
            binary = getattr(source, "buffer", source)  # pygame reads the file behind a file opened as text
            return self._pygame.mixer.Sound(file=io.BytesIO(binary.read()))
        try:
            return self._pygame.mixer.Sound(source)
        except FileNotFoundError as error:
            raise self._pygame.error(str(error)) from None


def install(studio: Studio, pygame: Any) -> None:
    """Replace `pygame.mixer.music`."""
    jukebox, voice = Jukebox(studio, pygame), studio.music
    own = ("load", "unload", "play", "queue", "rewind", "get_pos", "set_volume")
    patch(
        pygame.mixer.music,
        **{name: getattr(jukebox, name) for name in own},
        stop=voice.stop,
        fadeout=voice.fadeout,
        pause=voice.pause,
        unpause=voice.unpause,
        get_busy=lambda: voice.busy() and not voice.paused,
        set_pos=lambda *_: None,
        get_volume=lambda: voice.volume,
        set_endevent=lambda event=0: voice.tell_with(event),
        get_endevent=lambda: voice.event,
    )
