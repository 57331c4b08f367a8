"""The keys of a keyboard by one canonical name each; runtimes map these names, parsers produce them."""

from __future__ import annotations

from string import ascii_lowercase, digits

NAMED = (
    *("space", "enter", "escape", "tab", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown"),
    *("left", "right", "up", "down", "shift", "rshift", "ctrl", "rctrl", "alt", "ralt", "super", "capslock"),
)
PUNCTUATION = tuple("-=[]\\;'`,./")
FUNCTION = tuple(f"f{n}" for n in range(1, 13))
KEYPAD = (*(f"kp{n}" for n in range(10)), "kpenter", "kpplus", "kpminus", "kpmultiply", "kpdivide", "kpperiod")

KEYS = frozenset((*ascii_lowercase, *digits, *NAMED, *PUNCTUATION, *FUNCTION, *KEYPAD))
"""Every canonical key name."""

FALLBACK = (
    "a",
    "d",
    "w",
    "s",
    "left",
    "right",
    "up",
    "down",
    "space",
    "enter",
    "escape",
    "z",
    "x",
    "c",
    "q",
    "e",
    "r",
    "f",
    *"12345",
)
"""Keys worth trying when a game documents none (paper, A.6)."""
