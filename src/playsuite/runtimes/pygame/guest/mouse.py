"""The mouse: state and events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.patch import patch

if TYPE_CHECKING:
    from collections.abc import Callable

    from playsuite.runtimes.pygame.guest.display import Screen

BUTTONS = {"left": 1, "middle": 2, "right": 3}
WHEEL_UP, WHEEL_DOWN = 4, 5
BUTTON_COUNT = 5


class Mouse:
    """Where the pointer is, which buttons are down, and what is posted when they move."""

    def __init__(self, screen: Screen, pygame: Any, post: Callable[..., None]) -> None:
        self._screen = screen
        self._pygame = pygame
        self._post = post
        self._place: tuple[int, int] | None = None
        self._travelled = (0, 0)
        self._down = [False] * BUTTON_COUNT
        self._moved: tuple[set[int], set[int]] = (set(), set())
        self._just: tuple[set[int], set[int]] = (set(), set())
        self.visible = True
        self.grabbed = False

    @property
    def place(self) -> tuple[int, int]:
        """Return the pointer's place; at the beginning it is the centre of the window."""
        width, height = self._screen.size
        return self._place or (width // 2, height // 2)

    def move_to(self, x: float, y: float) -> None:
        """Move the pointer, but not out of the window."""
        width, height = self._screen.size
        new = (min(max(int(x), 0), width - 1), min(max(int(y), 0), height - 1))
        self._moved_by(new, (new[0] - self.place[0], new[1] - self.place[1]))

    def move_by(self, x: float, y: float) -> None:
        """Move the pointer by a distance; a game that has hidden and caught it sees the whole distance."""
        if self.visible or not self.grabbed:
            self.move_to(self.place[0] + x, self.place[1] + y)
            return
        self._moved_by(self.place, (int(x), int(y)))

    def button(self, name: str, *, down: bool) -> None:
        """Move a button."""
        self._button(BUTTONS[name], down=down)

    def wheel(self, notches: int) -> None:
        """Turn the wheel, one notch at a time."""
        for _ in range(abs(notches)):
            direction = 1 if notches > 0 else -1
            for down in (True, False):
                self._post_button(WHEEL_UP if notches > 0 else WHEEL_DOWN, down=down)
            self._post(
                self._pygame.MOUSEWHEEL,
                **{"x": 0, "y": direction, "precise_x": 0.0, "precise_y": float(direction)},
                **{"flipped": False, "which": 0, "touch": False, "window": None},
            )

    def pressed(self, num_buttons: int = 3, *_: Any, **__: Any) -> tuple[bool, ...]:
        """Return what `pygame.mouse.get_pressed` returns."""
        return tuple(self._down[:num_buttons])

    def just(self, direction: int) -> tuple[bool, ...]:
        """Return the buttons that went down (0) or up (1) before the last time the game asked for events."""
        return tuple(button + 1 in self._just[direction] for button in range(BUTTON_COUNT))

    def pumped(self) -> None:
        """Note that the game asked for events."""
        self._just, self._moved = self._moved, (set(), set())

    def travelled(self) -> tuple[int, int]:
        """Return how far the pointer has moved since the last call."""
        distance, self._travelled = self._travelled, (0, 0)
        return distance

    def _moved_by(self, new: tuple[int, int], distance: tuple[int, int]) -> None:
        self._place = new
        self._travelled = (self._travelled[0] + distance[0], self._travelled[1] + distance[1])
        buttons = tuple(int(down) for down in self._down[:3])
        self._post(self._pygame.MOUSEMOTION, pos=new, rel=distance, buttons=buttons, touch=False, window=None)

    def _button(self, number: int, *, down: bool) -> None:
        if self._down[number - 1] == down:
            return
        self._down[number - 1] = down
        self._moved[0 if down else 1].add(number)
        self._post_button(number, down=down)

    def _post_button(self, number: int, *, down: bool) -> None:
        kind = self._pygame.MOUSEBUTTONDOWN if down else self._pygame.MOUSEBUTTONUP
        self._post(kind, pos=self.place, button=number, touch=False, window=None)


def install(mouse: Mouse, pygame: Any) -> None:
    """Replace the mouse functions of pygame."""
    _install_state(mouse, pygame.mouse)
    _install_pointer(mouse, pygame)


def _install_state(mouse: Mouse, module: Any) -> None:
    """Replace what tells where the pointer is and which buttons are down, and what moves it."""

    def set_pos(*place: Any) -> None:
        mouse.move_to(*(place[0] if len(place) == 1 else place))

    patch(
        module,
        get_pos=lambda *_, **__: mouse.place,
        get_rel=mouse.travelled,
        get_pressed=mouse.pressed,
        get_just_pressed=lambda: mouse.just(0),
        get_just_released=lambda: mouse.just(1),
        set_pos=set_pos,
        get_focused=lambda: True,
    )


def _install_pointer(mouse: Mouse, pygame: Any) -> None:
    """Replace what shows, hides and catches the pointer."""
    real_set_cursor = pygame.mouse.set_cursor

    def set_visible(visible: Any) -> bool:
        before, mouse.visible = mouse.visible, bool(visible)
        return before

    def set_cursor(*arguments: Any, **named: Any) -> None:
        try:
            real_set_cursor(*arguments, **named)
        except pygame.error as error:
            # The dummy driver has no cursors of the system; a real window would have shown one.
            if "cursor" not in str(error):
                raise

    def set_grab(grab: Any) -> None:
        mouse.grabbed = bool(grab)

    def set_relative_mode(enable: Any) -> None:
        mouse.grabbed, mouse.visible = bool(enable), not enable

    patch(pygame.event, set_grab=set_grab, get_grab=lambda: mouse.grabbed)
    patch(
        pygame.mouse,
        set_relative_mode=set_relative_mode,
        get_relative_mode=lambda: mouse.grabbed and not mouse.visible,
        set_visible=set_visible,
        get_visible=lambda: mouse.visible,
        set_cursor=set_cursor,
    )
