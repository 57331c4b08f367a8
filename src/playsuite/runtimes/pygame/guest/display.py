"""The window: a surface that nobody shows. The game draws on it, the host looks at its memory."""

from __future__ import annotations

import mmap
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.patch import patch

if TYPE_CHECKING:
    from collections.abc import Callable

    from playsuite.runtimes.pygame.guest.channel import Channel

RED_IS_THIRD_BYTE = 0xFF0000
COMMON_SIZES = ((1920, 1080), (1280, 1024), (1280, 720), (1024, 768), (800, 600), (640, 480), (320, 240))


class Screen:
    """What there is to see, and how it gets to the host."""

    def __init__(self, channel: Channel, *, desktop: tuple[int, int], at_flip: bool) -> None:
        self._channel = channel
        self._at_flip = at_flip
        self._kept: tuple[int, tuple[int, int], str] | None = None
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)
        self.desktop = desktop
        self.surface: Any = None
        self.tostring: Callable[[Any, str], bytes]

    @property
    def size(self) -> tuple[int, int]:
        """Return the size of the window in pixels."""
        width, height = self.surface.get_size() if self.surface else self.desktop
        return width, height

    def capture(self, slot: int) -> dict[str, Any] | None:
        """Write the picture of now into a slot; return where it is and what shape it has."""
        if self._kept and (self._at_flip or self.surface is None):
            length, size, order = self._kept
            return self._write(slot, memoryview(self._memory)[:length], size, order)
        return self._write(slot, *self._pixels()) if self.surface else None

    def keep(self) -> None:
        """Remember the picture of now: the game is about to close the window, or has just finished a picture."""
        if self.surface is not None:
            pixels, size, order = self._pixels()
            if len(self._memory) < len(pixels):
                self._memory = mmap.mmap(-1, len(pixels))
            self._memory[: len(pixels)] = pixels
            self._kept = len(pixels), size, order

    def flipped(self) -> None:
        """Note that the picture is complete."""
        if self._at_flip:
            self.keep()

    def _pixels(self) -> tuple[memoryview | bytes, tuple[int, int], str]:
        surface = self.surface
        width, height = surface.get_size()
        plain = surface.get_bytesize() == 4 and surface.get_pitch() == 4 * width
        if plain and surface.get_masks()[0] == RED_IS_THIRD_BYTE:
            return memoryview(surface.get_buffer()), (width, height), "BGRX"
        return self.tostring(surface, "RGB"), (width, height), "RGB"

    def _write(self, slot: int, pixels: memoryview | bytes, size: tuple[int, int], order: str) -> dict[str, Any]:
        if len(pixels) > self._channel.slot_bytes:
            raise RuntimeError(f"the game's window of {size[0]}x{size[1]} pixels is larger than can be filmed")
        self._channel.write(slot, pixels)
        return {"slot": slot, "width": size[0], "height": size[1], "order": order}


def install(screen: Screen, pygame: Any, flipped: Callable[[], None]) -> None:
    """Replace the window functions of pygame; `flipped` is called for each new picture."""
    screen.tostring = getattr(pygame.image, "tobytes", pygame.image.tostring)
    _install_window(screen, pygame)
    _install_pictures(screen, pygame.display, flipped)
    _install_facts(screen, pygame.display)


def _install_window(screen: Screen, pygame: Any) -> None:
    """Replace what opens and closes the window."""
    real_set_mode = pygame.display.set_mode

    def set_mode(size: Any = (0, 0), flags: int = 0, *_depth_and_display: int, **_more: int) -> Any:
        if flags & pygame.OPENGL:
            raise pygame.error("OpenGL is not available in the pygame runtime of PlaySuite")
        width, height = (int(number) for number in (size or (0, 0)))
        # The dummy driver would make a full-screen window as large as its own desktop, whatever was asked for.
        screen.surface = real_set_mode((width, height) if width and height else screen.desktop)
        return screen.surface

    def close(real: Callable[[], None]) -> Callable[[], None]:
        def quit_() -> None:
            screen.keep()
            screen.surface = None
            real()

        return quit_

    patch(pygame.display, set_mode=set_mode, quit=close(pygame.display.quit))
    patch(pygame, quit=close(pygame.quit))


def _install_pictures(screen: Screen, display: Any, flipped: Callable[[], None]) -> None:
    """Replace what shows a finished picture."""
    real_flip = display.flip

    def flip() -> None:
        if screen.surface is None:
            real_flip()
            return
        screen.flipped()
        flipped()

    def update(*_rectangles: Any) -> None:
        flip()

    patch(display, flip=flip, update=update)


def _install_facts(screen: Screen, display: Any) -> None:
    """Replace what tells about the window and the desktop."""
    real_info = display.Info

    def info() -> Any:
        real = real_info()
        names = [name for name in dir(real) if not name.startswith("_")]
        width, height = screen.size
        return SimpleNamespace(
            **{**{name: getattr(real, name) for name in names}, "current_w": width, "current_h": height}
        )

    def list_modes(*_: Any, **__: Any) -> list[tuple[int, int]]:
        return [screen.desktop, *(size for size in COMMON_SIZES if size < screen.desktop)]

    patch(
        display,
        Info=info,
        list_modes=list_modes,
        mode_ok=lambda *_, **__: 32,
        get_desktop_sizes=lambda: [screen.desktop],
        toggle_fullscreen=lambda: 1,
        get_active=lambda: screen.surface is not None,
    )
