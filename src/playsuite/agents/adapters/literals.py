"""Find dictionaries and lists in a text, written as Python or as JSON, and read them without ever running them.

Forgiving: trailing commas, bare words, quotes inside of quotes and ends that never come are taken as they were meant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 12
"""Brackets inside of one another; what is nested deeper was not meant as an action."""


class Literal(NamedTuple):
    """A dictionary or list in a text."""

    value: Any
    begin: int
    end: int
    closed: bool
    """It does not just end where the text ends."""


_OPEN = re.compile(r"[{\[]")
_BLANK = re.compile(r"[\s,;]*")
_COLON = re.compile(r"\s{0,40}[:=]\s{0,40}")
_ENDS = r"(?=\s{0,40}(?:[,:;}\])]|$))"
_STRING = {
    quote: re.compile(rf"{quote}((?:\\.|[^\\{quote}]|{quote}(?!\s{{0,40}}(?:[,:;}}\])]|$)))*+){quote}", re.DOTALL)
    for quote in "\"'"
}
"""A quote ends a text only where a text can end; never given back once taken, so that time stays linear."""
_NUMBER = re.compile(rf"[+-]?(?:\d{{1,40}}(?:\.\d{{0,40}})?|\.\d{{1,40}})(?:[eE][+-]?\d{{1,4}})?{_ENDS}")
_WORD = re.compile(r"[^\s,:;{}\[\]()\"'][^,:;{}\[\]()\"'\n]{0,200}")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_NAMES = {"none": None, "null": None, "true": True, "false": False}
_CLOSING = {"{": "}", "[": "]", "(": ")"}


def literals_in(text: str) -> Iterator[Literal]:
    """Yield the dictionaries and lists of a text that stand inside of no other, in their order."""
    at = 0
    while opened := _OPEN.search(text, at):
        found = _read(text, opened.start(), 0)
        if found is None:
            at = opened.end()
            continue
        yield Literal(found.value, opened.start(), found.end, found.closed)
        at = max(found.end, opened.end())


class _Read(NamedTuple):
    value: Any
    end: int
    closed: bool = True


def _read(text: str, at: int, depth: int) -> _Read | None:
    """Read the value that begins at a place; None if none does."""
    sign = text[at : at + 1]
    if sign in _CLOSING and sign:
        if depth >= DEEPEST:
            return None
        return _dictionary(text, at + 1, depth + 1) if sign == "{" else _list(text, at + 1, _CLOSING[sign], depth + 1)
    if sign in _STRING:
        return _string(text, at)
    if number := _NUMBER.match(text, at):
        return _Read(float(number[0]), number.end())
    word = _WORD.match(text, at)
    if word is None:
        return None
    said = word[0].strip()
    return _Read(_NAMES.get(said.lower(), said), word.end())


def _dictionary(text: str, at: int, depth: int) -> _Read | None:
    found: dict[str, Any] = {}
    at = _skip(text, at)
    while at < len(text):
        if text[at] == "}":
            return _Read(found, at + 1)
        key = _read(text, at, DEEPEST)
        colon = _COLON.match(text, key.end) if key else None
        if key is None or (colon is None and key.end < len(text)):
            return None
        if colon is None:
            break
        value = _read(text, colon.end(), depth)
        if value is None:
            return _Read(found, len(text), closed=False) if colon.end() >= len(text) else None
        found[str(key.value)] = value.value
        at = _skip(text, value.end)
        if not value.closed:
            return _Read(found, at, closed=False)
    return _Read(found, len(text), closed=False)


def _list(text: str, at: int, closing: str, depth: int) -> _Read | None:
    found: list[Any] = []
    at = _skip(text, at)
    while at < len(text):
        if text[at] == closing:
            return _Read(found, at + 1)
        if text[at] in "}])":
            return _Read(found, at, closed=True)  # Its own bracket is missing; this one closes what is around it.
        value = _read(text, at, depth)
        if value is None:
            return None
        found.append(value.value)
        at = _skip(text, value.end)
        if not value.closed:
            return _Read(found, at, closed=False)
    return _Read(found, len(text), closed=False)


def _string(text: str, at: int) -> _Read:
    if whole := _STRING[text[at]].match(text, at):
        return _Read(_ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), whole[1]), whole.end())
    return _Read(text[at + 1 :].rstrip("}]) \n"), len(text), closed=False)


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
