"""Read calls that are a verb with brackets behind it: `CLICK <point>[[508, 390]]</point>`, `TYPE [text]`, `WAIT`."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Takes(Enum):
    """What a verb takes, which tells how much of a line belongs to it where there are no brackets."""

    NOTHING = "nothing"
    POINT = "point"
    WORD = "word"
    TEXT = "text"


class Call(NamedTuple):
    """A verb and its arguments, as they stand in a line."""

    verb: str
    arguments: tuple[str, ...]
    end: int
    """Where in the line it ends."""
    marked: bool = False
    """Its end is marked by a bracket, so that nothing of it can be missing."""
    broken: bool = False
    """A bracket was opened and not closed."""


_VERB = re.compile(r"([A-Za-z][A-Za-z_]{0,30})(?: ([A-Za-z]{2,6})(?![A-Za-z]))?")
_ARGUMENT = re.compile(r"\s{0,4}[:=,]?\s{0,4}(?=<point>|[\[(])", re.IGNORECASE)
_POINT = re.compile(r"<point>(.{0,200}?)</point>", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?![\d.%])")
_NUMBERS = rf"({_NUMBER.pattern}(?:[\s,()\[\]]{{1,6}}{_NUMBER.pattern}){{0,3}})"
_BROKEN_POINT = re.compile(rf"(?:<point>)?[\s(\[]{{0,6}}{_NUMBERS}[\s)\]]{{0,4}}", re.IGNORECASE)
_BARE = {
    Takes.POINT: re.compile(rf"\s{{1,4}}{_NUMBERS}"),
    Takes.WORD: re.compile(r"\s{1,4}([^\s;,]{1,40}(?:\s(?:for\s)?[\d.]{1,12}\s?(?:m?s\b)?)?)", re.IGNORECASE),
    Takes.TEXT: re.compile(r"\s{1,4}([^;]+)"),
}
NO_VERB = ""
LATER_CALL = re.compile(r"\b[A-Z][A-Z_]{2,30}\s{0,4}(?=<point>|\[)")
"""Where, behind words, a call begins that nobody would take for words."""


def squeezed(verb: str) -> str:
    """Return a verb as it is looked up: `DOUBLE_CLICK` and `Double click` are one."""
    return verb.lower().replace("_", "").replace(" ", "")


def numbers_in(arguments: Sequence[str]) -> list[float]:
    """Return the numbers in the arguments of a call; shares in percent are none."""
    return [float(number[0]) for argument in arguments for number in _NUMBER.finditer(argument)]


def call_at(line: str, at: int, verbs: Mapping[str, Takes]) -> Call | None:
    """Return the call that begins at a place: a verb with brackets behind it, or one that is known.

    Time is linear in the line for each call, so lines should be bounded.
    """
    word = _VERB.match(line, at)
    if word is None:
        return None
    both = word[2] is not None and squeezed(word[0]) in verbs
    verb, end = (word[0], word.end()) if both else (word[1], word.end(1))
    takes = verbs.get(squeezed(verb))
    if opened := _ARGUMENT.match(line, end):
        return _with_brackets(line, verb, opened.end(), points=takes is Takes.POINT)
    if line.startswith(":", end):
        return None  # `click:5,5` is the action grammar's, and anything else a label.
    if takes is None:
        return Call(verb, (), end) if _is_name(verb, line) else None
    bare = _BARE[takes].match(line, end) if takes in _BARE else None
    return Call(verb, (bare[1],), bare.end()) if bare else Call(verb, (), end)


def place_at(line: str, at: int) -> Call:
    """Return the call without a verb whose bracket or tag opens at a place."""
    return _with_brackets(line, NO_VERB, at, points=True)


def _is_name(verb: str, line: str) -> bool:
    """Tell whether an unknown word stands where only an action could: alone, or spelled as such verbs are."""
    return verb == line or (verb.isupper() and "_" in verb)


def _with_brackets(line: str, verb: str, at: int, *, points: bool) -> Call:
    """Take what stands in the brackets that open here and in those that follow at once."""
    arguments: list[str] = []
    while True:
        if point := _POINT.match(line, at):
            content, end = point[1], point.end()
        elif (close := _closing(line, at)) > at:
            content, end = line[at + 1 : close], close + 1
        else:
            content, end = _broken(line, at, points=points)
            return Call(verb, (*arguments, content), end, broken=True)
        arguments.append(content)
        following = _ARGUMENT.match(line, end)
        if following is None:
            return Call(verb, tuple(arguments), end, marked=True)
        at = following.end()


def _broken(line: str, at: int, *, points: bool) -> tuple[str, int]:
    """Return (what stands behind a bracket that is never closed, where that ends)."""
    numbers = _BROKEN_POINT.match(line, at) if points else None
    return (numbers[1], numbers.end()) if numbers else (line[at + 1 :], len(line))


def _closing(line: str, at: int) -> int:
    """Return where the bracket that opens here is closed, or -1; a tag has no such place."""
    opens = line[at]
    closes = {"[": "]", "(": ")"}.get(opens, "")
    depth = 0
    for place in range(at, len(line) if closes else 0):
        depth += (line[place] == opens) - (line[place] == closes)
        if depth == 0:
            return place
    return -1
