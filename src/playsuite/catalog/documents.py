"""Read what comes beside a game's code: controls from its README, the licence from its licence file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playsuite.core.keys import KEYS
from playsuite.core.records import Controls

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SECTION = re.compile(
    r"^\W*(?:how to play(?: the game)?|controls?(?: reference)?|keys?|key ?bindings?|keyboard(?: controls?)?"
    r"|instructions|playing(?: the game)?|gameplay controls|commands|input)\W*$",
    re.IGNORECASE | re.MULTILINE,
)
NEXT_SECTION = re.compile(r"\n\s*(?:#+ |[A-Z][A-Z &]{5,}:?\s*\n|[-=]{4,}\n)")
STRONG = re.compile(
    r"\b(arrow\s*keys?|cursor\s*keys?|wasd|space\s*bar|left[- ]click|right[- ]click|press(?:ing)?\s|mouse|click on)",
    re.IGNORECASE,
)
MOUSE = re.compile(r"\b(mouse|click|cursor to|pointer)\b", re.IGNORECASE)
CODE_KEY = re.compile(r"\bK_([A-Za-z0-9_]+)")
CODE_MOUSE = re.compile(r"MOUSEBUTTON|mouse\.get_pos")
SECTION_LENGTH = 900
"""Characters of a section worth telling a player."""
SENTENCES = 6

WORDS = {
    "spacebar": "space", "space bar": "space", "return": "enter", "esc": "escape", "control": "ctrl",
    "page up": "pageup", "page down": "pagedown",
}  # fmt: skip
CODES = {
    "return": "enter", "lctrl": "ctrl", "lshift": "shift", "lalt": "alt", "kp_enter": "kpenter", "lsuper": "super",
    "minus": "-", "equals": "=", "comma": ",", "period": ".", "slash": "/", "semicolon": ";", "quote": "'",
    "leftbracket": "[", "rightbracket": "]", "backslash": "\\", "backquote": "`",
}  # fmt: skip
LICENCES = (
    (re.compile(r"GNU AFFERO GENERAL PUBLIC LICENSE", re.IGNORECASE), "AGPL-3.0"),
    (re.compile(r"GNU LESSER GENERAL PUBLIC LICENSE", re.IGNORECASE), "LGPL"),
    (re.compile(r"GNU GENERAL PUBLIC LICENSE\s+Version 3", re.IGNORECASE), "GPL-3.0"),
    (re.compile(r"GNU GENERAL PUBLIC LICENSE\s+Version 2", re.IGNORECASE), "GPL-2.0"),
    (re.compile(r"Apache License", re.IGNORECASE), "Apache-2.0"),
    (re.compile(r"\bMIT License|Permission is hereby granted, free of charge", re.IGNORECASE), "MIT"),
    (re.compile(r"This is free and unencumbered software", re.IGNORECASE), "Unlicense"),
    (re.compile(r"CC0 1\.0|CC0-1\.0", re.IGNORECASE), "CC0-1.0"),
)


def controls(readme: str, code: Iterable[str]) -> Controls:
    """Return how a game is played: the README's words, and the keys that words and code name."""
    text = controls_text(readme)
    named, mouse = set(keys_in_words(text)), bool(MOUSE.search(text))
    if not named and not mouse:
        for source in code:
            named.update(keys_in_code(source))
            mouse = mouse or bool(CODE_MOUSE.search(source))
    return Controls(text=text, keys=tuple(sorted(named)), mouse=mouse)


def controls_text(readme: str) -> str:
    """Return the part of a README that tells the controls: its sections on them, else its telling sentences."""
    sections = [
        NEXT_SECTION.split(readme[head.end() : head.end() + SECTION_LENGTH])[0] for head in SECTION.finditer(readme)
    ]
    telling = [section.strip() for section in sections if STRONG.search(section) or keys_in_words(section)]
    if telling:
        return "\n".join(telling)
    sentences = [sentence.strip() for sentence in re.split(r"(?<=[.!])\s+|\n", readme) if STRONG.search(sentence)]
    return "\n".join(sentences[:SENTENCES])


def keys_in_words(text: str) -> tuple[str, ...]:
    """Return the canonical names of the keys that a text tells the player to use."""
    lower = text.lower()
    found = {key for word, key in WORDS.items() if re.search(rf"\b{word}\b", lower)}
    if re.search(r"\b(arrow|cursor)s?\b", lower):
        found.update(("left", "right", "up", "down"))
    if re.search(r"\bw,?/?\s?a,?/?\s?s,?/?\s?(and\s)?d\b", lower):
        found.update("wasd")
    found.update(word for word in re.findall(r"\b[a-z]{3,}\d?\b", lower) if word in KEYS)
    # A single letter is a key only where it stands like one: 'Z', [z], press z, z: or z -.
    lone = re.findall(r"(?:press(?:ing)?\s+|[`'\"\[(<])([a-z0-9])\b|(?:^|\n)\W*([a-z0-9])\s*(?:[:=]|\s-+\s)", lower)
    found.update(first or second for first, second in lone)
    return tuple(sorted(found & KEYS))


def keys_in_code(source: str) -> tuple[str, ...]:
    """Return the canonical names of the keys that pygame code asks about."""
    codes = {code.lower() for code in CODE_KEY.findall(source)}
    named = {CODES.get(code, f"kp{code[2:]}" if code.startswith("kp") else code) for code in codes}
    return tuple(sorted(named & KEYS))


def licence(text: str) -> str:
    """Return the SPDX name of a licence text, or nothing if it is none of the common ones."""
    return next((name for pattern, name in LICENCES if pattern.search(text)), "")


def text_of(root: Path, *stems: str) -> str:
    """Return the first document below `root` whose name begins with one of `stems`, or nothing."""
    for stem in stems:
        for path in sorted(root.glob("*")):
            if path.is_file() and path.name.lower().startswith(stem):
                return path.read_text(errors="replace")
    return ""
