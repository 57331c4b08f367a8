"""The keys of a keyboard by one canonical name each; runtimes map these names, parsers produce them."""

from __future__ import annotations

from difflib import get_close_matches
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

SPOKEN = {
    "-": "minus",
    "=": "equals",
    "[": "leftbracket",
    "]": "rightbracket",
    "\\": "backslash",
    ";": "semicolon",
    "'": "quote",
    "`": "backquote",
    ",": "comma",
    ".": "period",
    "/": "slash",
}
"""Punctuation keys in words, for places where the character itself would be taken for a separator."""

SHIFTED = dict(zip('~!@#$%^&*()_+{}|:"<>?', "`1234567890-=[]\\;',./", strict=True))
"""Characters that need shift, and the key they are on (US layout)."""

_MODIFIERS = {"shift": "shift", "ctrl": "ctrl", "control": "ctrl", "alt": "alt", "option": "alt"}
_WAYS = ("left", "right", "up", "down")

ALIASES = {
    **{word: key for key, word in SPOKEN.items()},
    **{"dash": "-", "hyphen": "-", "equal": "=", "apostrophe": "'", "backtick": "`", "grave": "`", "tilde": "`"},
    **{"dot": ".", "fullstop": ".", "forwardslash": "/", "bracketleft": "[", "bracketright": "]"},
    **{" ": "space", "spacebar": "space", "return": "enter", "esc": "escape", "del": "delete", "ins": "insert"},
    **{"bksp": "backspace", "pgup": "pageup", "pgdn": "pagedown", "pgdown": "pagedown", "caps": "capslock"},
    **{"←": "left", "→": "right", "↑": "up", "↓": "down", "altgr": "ralt"},
    **dict.fromkeys(("win", "windows", "cmd", "command", "meta", "lsuper", "superl", "lmeta", "metaleft"), "super"),
    **{alias: way for way in _WAYS for alias in (f"arrow{way}", f"{way}arrow")},
    **_MODIFIERS,
    **{
        alias: key
        for word, key in _MODIFIERS.items()
        for alias in (f"l{word}", f"left{word}", f"{word}left", f"{word}l")
    },
    **{
        alias: f"r{key}"
        for word, key in _MODIFIERS.items()
        for alias in (f"r{word}", f"right{word}", f"{word}right", f"{word}r")
    },
    **{"kpadd": "kpplus", "kpsubtract": "kpminus", "kpdecimal": "kpperiod", "kpreturn": "kpenter"},
}
"""Other names of keys, lower case and without spaces, hyphens and underscores."""

LONGEST_NAME = 24
"""Characters; anything longer is no key and not worth comparing."""

_PREFIXES = ("pygame.", "keys.", "keycode.", "k_", "key_", "vk_")
_KEYPAD_PREFIXES = ("numpad", "keypad", "num")


def canonical(name: str) -> str | None:
    """Return the canonical name of a key as people, browsers, X11 or pygame spell it; None if it is no key."""
    if len(name) > LONGEST_NAME:
        return None
    plain = name.lower() if len(name) == 1 else _squeezed(name)
    candidates = (plain, *_without_the_word_key(plain), *_on_the_keypad(plain))
    return next((ALIASES.get(word, word) for word in candidates if word in KEYS or word in ALIASES), None)


def closest(name: str) -> str | None:
    """Return the key whose name looks most like `name`, if any does."""
    near = get_close_matches(_squeezed(name[:LONGEST_NAME]), (*KEYS, *ALIASES), n=1, cutoff=0.7)
    return ALIASES.get(near[0], near[0]) if near else None


def _squeezed(name: str) -> str:
    word = name.strip().lower()
    for prefix in _PREFIXES:
        word = word.removeprefix(prefix)
    return "".join(character for character in word if character not in " \t_-")


def _without_the_word_key(word: str) -> tuple[str, ...]:
    """Name `KeyA`, `Digit1` and `space key` as plainly as the others."""
    return tuple(word.removeprefix(affix).removesuffix(affix) for affix in ("key", "digit", "button") if affix in word)


def _on_the_keypad(word: str) -> tuple[str, ...]:
    return tuple(f"kp{word.removeprefix(prefix)}" for prefix in _KEYPAD_PREFIXES if word.startswith(prefix))
