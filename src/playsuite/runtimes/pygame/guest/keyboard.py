"""The keyboard: state, events and key repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.patch import patch
from playsuite.runtimes.pygame.guest.timeline import INPUT, MS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playsuite.runtimes.pygame.guest.timeline import Timeline

SCANCODES = 512
PYGAME_NAMES = {
    "enter": "RETURN",
    "shift": "LSHIFT",
    "ctrl": "LCTRL",
    "alt": "LALT",
    "super": "LSUPER",
    "kpenter": "KP_ENTER",
    "kpplus": "KP_PLUS",
    "kpminus": "KP_MINUS",
    "kpmultiply": "KP_MULTIPLY",
    "kpdivide": "KP_DIVIDE",
    "kpperiod": "KP_PERIOD",
    "-": "MINUS",
    "=": "EQUALS",
    "[": "LEFTBRACKET",
    "]": "RIGHTBRACKET",
    "\\": "BACKSLASH",
    ";": "SEMICOLON",
    "'": "QUOTE",
    "`": "BACKQUOTE",
    ",": "COMMA",
    ".": "PERIOD",
    "/": "SLASH",
}
"""Canonical names that pygame spells differently than in capitals."""
MODIFIERS = {"shift": "LSHIFT", "rshift": "RSHIFT", "ctrl": "LCTRL", "rctrl": "RCTRL", "alt": "LALT", "ralt": "RALT"}
CONTROL_CHARACTERS = {
    "enter": "\r",
    "kpenter": "\r",
    "tab": "\t",
    "backspace": "\b",
    "escape": "\x1b",
    "delete": "\x7f",
}
PRINTED = {"space": " ", "kpplus": "+", "kpminus": "-", "kpmultiply": "*", "kpdivide": "/", "kpperiod": "."}
SHIFTED = dict(zip("`1234567890-=[]\\;',./", '~!@#$%^&*()_+{}|:"<>?', strict=True))


class Keyboard:
    """Which keys are down, and what is posted when they move."""

    def __init__(self, timeline: Timeline, pygame: Any, post: Callable[..., None]) -> None:
        self._timeline = timeline
        self._pygame = pygame
        self._post = post
        self._down: dict[str, int] = {}
        self._presses = 0
        self._serial: dict[str, int] = {}
        self._pressed: Any = None
        self._moved: tuple[set[int], set[int]] = (set(), set())
        self._just: tuple[set[int], set[int]] = (set(), set())
        self.modifiers = 0
        self.repeat = (0, 0)
        """Milliseconds before the first and between later repeats; 0 is off."""
        self.typing = True

    def press(self, name: str, *, repeated: bool = False) -> None:
        """Move a key down."""
        key, scancode = self._codes(name)
        if not repeated:
            if name in self._down:
                return
            self._down[name] = scancode
            self._presses += 1
            self._serial[name] = self._presses
            self._changed(0, scancode)
            self.modifiers |= self._modifier(name)
        text = self._text(name)
        self._post(self._pygame.KEYDOWN, key=key, mod=self.modifiers, unicode=text, scancode=scancode, window=None)
        if self.typing and text.isprintable() and text:
            self._post(self._pygame.TEXTINPUT, text=text, window=None)
        if self.repeat[0]:
            self._repeat_later(name, self.repeat[1 if repeated else 0])

    def release(self, name: str) -> None:
        """Move a key up."""
        if name not in self._down:
            return
        key, scancode = self._codes(name)
        del self._down[name]
        self._changed(1, scancode)
        self.modifiers &= ~self._modifier(name)
        self._post(
            self._pygame.KEYUP, key=key, mod=self.modifiers, unicode=self._text(name), scancode=scancode, window=None
        )

    def pressed(self) -> Any:
        """Return what `pygame.key.get_pressed` returns."""
        if self._pressed is None:
            self._pressed = self._keys(self._down.values())
        return self._pressed

    def just(self, direction: int) -> Any:
        """Return the keys that went down (0) or up (1) before the last time the game asked for events."""
        return self._keys(self._just[direction])

    def pumped(self) -> None:
        """Note that the game asked for events."""
        self._just, self._moved = self._moved, (set(), set())

    def _repeat_later(self, name: str, delay_ms: int) -> None:
        serial = self._serial[name]

        def again() -> None:
            if self.repeat[0] and name in self._down and self._serial[name] == serial:
                self.press(name, repeated=True)

        self._timeline.at(self._timeline.now + delay_ms * MS, again, INPUT)

    def _changed(self, direction: int, scancode: int) -> None:
        self._pressed = None
        self._moved[direction].add(scancode)

    def _keys(self, scancodes: Any) -> Any:
        down = [False] * SCANCODES
        for scancode in scancodes:
            down[scancode] = True
        return self._pygame.key.ScancodeWrapper(tuple(down))

    def _codes(self, name: str) -> tuple[int, int]:
        spelled = PYGAME_NAMES.get(name, name.upper())
        key = getattr(self._pygame, f"K_{name if len(spelled) == 1 else spelled}")
        return key, getattr(self._pygame, f"KSCAN_{spelled}")

    def _modifier(self, name: str) -> int:
        return int(getattr(self._pygame, f"KMOD_{MODIFIERS[name]}")) if name in MODIFIERS else 0

    def _text(self, name: str) -> str:
        if name in CONTROL_CHARACTERS:
            return CONTROL_CHARACTERS[name]
        character = PRINTED.get(name, name.removeprefix("kp"))
        if len(character) != 1:
            return ""
        if self.modifiers & self._pygame.KMOD_CTRL and character.isalpha():
            return chr(ord(character) - ord("a") + 1)
        if self.modifiers & self._pygame.KMOD_SHIFT:
            return SHIFTED.get(character, character.upper())
        return character


def install(keyboard: Keyboard, pygame: Any) -> None:
    """Replace the keyboard functions of pygame."""

    def set_repeat(delay: int = 0, interval: int = 0) -> None:
        keyboard.repeat = (int(delay), int(interval) or int(delay))

    patch(
        pygame.key,
        get_pressed=keyboard.pressed,
        get_just_pressed=lambda: keyboard.just(0),
        get_just_released=lambda: keyboard.just(1),
        get_mods=lambda: keyboard.modifiers,
        set_mods=lambda modifiers: setattr(keyboard, "modifiers", int(modifiers)),
        get_focused=lambda: True,
        set_repeat=set_repeat,
        get_repeat=lambda: keyboard.repeat,
        start_text_input=lambda: setattr(keyboard, "typing", True),
        stop_text_input=lambda: setattr(keyboard, "typing", False),
    )
