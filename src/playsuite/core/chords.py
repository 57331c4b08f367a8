"""Read the names of keys that are pressed together, at a place in a text."""

from __future__ import annotations

import re
from typing import NamedTuple

from playsuite.core.keys import SHIFTED, canonical, closest

_KEY = re.compile(
    r"(?:the\s)?[\"'`]?"
    r"((?:(?:arrow|num|numpad|keypad|page|caps)\s)?(?:[a-z][a-z0-9_]{0,40}(?:\.[a-z]\w{0,30})?|\d{1,40}(?!\.\d)|[←→↑↓])"
    r"(?:\s(?:arrow|shift|ctrl|control|alt|option|bar|lock))?(?:\s(?:keys?|button)(?![a-z]))?)(?![a-z0-9])[\"'`]?",
    re.IGNORECASE,
)
_SIGN_KEY = re.compile(r"[^\w\s](?=$|[\s+:;,)\]])")
_PLUS = re.compile(r"\s{0,3}[+&]\s{0,3}|-(?=[A-Za-z])")


class Chord(NamedTuple):
    """Keys joined by plus signs, as far as they are keys."""

    keys: tuple[str, ...]
    end: int
    """Where in the text the chord ends."""
    unknown: str = ""
    """The first word in it that is no key."""


def read_chord(text: str, at: int, *, commanded: bool) -> Chord | None:
    """Read the chord that begins at `at`; None if there is no key.

    In a chord that is `commanded`, which means that a verb stands before it, punctuation marks are keys too, and a word
    that is no key is an unknown key.
    """
    keys: list[str] = []
    unknown: list[str] = []
    end = at
    while found := _key(text, end, signs=commanded or bool(keys)):
        names, word, end = found
        keys += names
        unknown += [] if names else [word]
        plus = _PLUS.match(text, end)
        if plus is None:
            break
        end = plus.end()
    if not keys and not (commanded and unknown):
        return None
    return Chord(tuple(dict.fromkeys(keys)), end, unknown[0] if unknown else "")


def no_key(word: str) -> str:
    """Say that a word is no key, and which one may have been meant."""
    near = closest(word)
    return f"no key or action called '{word[:24]}'" + (f". Did you mean '{near}'?" if near else "")


def _key(text: str, at: int, *, signs: bool) -> tuple[tuple[str, ...], str, int] | None:
    """Read one key name: (canonical keys, the word, its end); an unknown word has no keys."""
    if word := _KEY.match(text, at):
        return _longest_name(word)
    sign = _SIGN_KEY.match(text, at) if signs else None
    if sign is None:
        return None
    shifted = SHIFTED.get(sign[0])
    name = canonical(sign[0])
    keys = ("shift", shifted) if shifted else (name,) if name else ()
    return keys, sign[0], sign.end()


def _longest_name(word: re.Match[str]) -> tuple[tuple[str, ...], str, int]:
    """Read `page down` and `left shift` as one key, but `a` alone where the words after it are not its name."""
    parts = word[1].split()
    for count in range(len(parts), 0, -1):
        if name := canonical("".join(parts[:count])):
            whole = count == len(parts)
            return (name,), word[1], word.end() if whole else _end_of_words(word, count)
    return (), parts[0], _end_of_words(word, 1)


def _end_of_words(word: re.Match[str], count: int) -> int:
    """Return where the first `count` words end; they are separated by one character each."""
    return word.start(1) + len(" ".join(word[1].split()[:count]))
