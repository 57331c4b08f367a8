"""Read calls that are written as in a program: `name('text', key=value)`. Never run, bounded, and mended where broken.

Each call is scanned once and over at most `LONGEST_CALL` characters, so neither depth nor length can do harm.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_CALL = 2_000
"""Characters."""
MAX_CALLS = 64
"""Calls of an answer that are looked at; far more than are ever done."""

_NAME = re.compile(r"(?<![\w.<])((?:[A-Za-z]\w{0,30}\.)?[A-Za-z_]\w{0,30}) ?\(")
_KEYWORD = re.compile(r"\s{0,100}([A-Za-z]\w{0,30})\s{0,9}=(?!=)\s{0,100}")
_NEXT = r"\)[ \t;]{0,9}\n{0,3}[ \t]{0,9}(?:[A-Za-z]\w{0,30}\.)?[A-Za-z_]\w{0,30}\((?:\w{1,20}=|[\"'\d)])"
_NEXT_CALL = re.compile(_NEXT)
"""A bracket that closes, and another call: no string goes on beyond it."""
_STRING = re.compile(
    rf"[rbf]?([\"'])((?:\\.|(?!\1\s{{0,100}}(?:[,)\]}}]|$)|{_NEXT})[^\\])*)\1", re.DOTALL | re.MULTILINE
)
"""A quote inside of a string ends it only where an argument may end: `'it's here'`."""
_PLAIN = re.compile(r"[^\"'()\[\]{},\n]+")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_CLOSES = {")": "(", "]": "[", "}": "{"}


class Written(NamedTuple):
    """One call as it is written."""

    name: str
    positional: tuple[str, ...]
    named: dict[str, str]
    begin: int
    end: int
    note: str = ""
    """What had to be mended to read it."""
    closed: bool = True


def calls_in(text: str) -> Iterator[Written]:
    """Yield the calls of a text that stand in no other, in their order. Total, and linear."""
    at = 0
    for _ in range(MAX_CALLS):
        name = _NAME.search(text, at)
        if name is None:
            return
        call = _Reading(text, name).read()
        yield call
        at = call.end


class _Reading:
    """The reading of one call: where it is, the argument it is in, and the brackets that are open."""

    def __init__(self, text: str, name: re.Match[str]) -> None:
        self.text, self.name, self.begin = text[: name.end() + LONGEST_CALL], name[1], name.start()
        self.at = name.end()
        self.open = ["("]
        self.key = ""
        self.value = ""
        self.positional: list[str] = []
        self.named: dict[str, str] = {}

    def read(self) -> Written:
        """Read to the bracket that closes the call, or as far as it can be meant to go."""
        self._keyword()
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign in "\"'" or (self._fresh() and sign in "rbf"):
                if not self._string():
                    return self._unquoted()
            elif sign in ")]}":
                self.at += 1
                if self._close(sign):
                    return self._call()
            elif sign == "\n" and _NAME.match(self.text, self.at + 1):
                break
            else:
                self._other(sign)
        return self._call("it was not closed")

    def _fresh(self) -> bool:
        return not self.value.strip()

    def _string(self) -> bool:
        """Read a string; False if its quote has no partner."""
        string = _STRING.match(self.text, self.at)
        if string is None:
            if self.text[self.at] in "\"'":
                return False
            self._other(self.text[self.at])
            return True
        alone = len(self.open) == 1
        self.value += _ESCAPE.sub(_unescaped, string[2]) if alone else string[0]
        self.at = string.end()
        return True

    def _unquoted(self) -> Written:
        """Take what is left of the line for the value, without its bracket, where a quote is missing."""
        line = self.text[self.at :].partition("\n")[0].rstrip()
        if later := _NEXT_CALL.search(line):
            line = line[: later.start() + 1]
        self.at += len(line)
        closed = line.endswith(")")
        self.value += line.strip("\"'").removesuffix(")").strip("\"'")
        return self._call("a quote is missing", closed=closed)

    def _close(self, sign: str) -> bool:
        """Close a bracket; True if it was the call's own."""
        if _CLOSES[sign] in self.open:
            while self.open.pop() != _CLOSES[sign]:
                pass
        if self.open:
            self.value += sign
        return not self.open

    def _other(self, sign: str) -> None:
        if sign == "," and len(self.open) == 1:
            self._settle()
            self.at += 1
            self._keyword()
            return
        plain = _PLAIN.match(self.text, self.at)
        self.value += plain[0] if plain else sign
        self.at = plain.end() if plain else self.at + 1
        if sign in "([{":
            self.open.append(sign)

    def _keyword(self) -> None:
        keyword = _KEYWORD.match(self.text, self.at)
        self.key = keyword[1] if keyword else ""
        self.at = keyword.end() if keyword else self.at
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1

    def _settle(self) -> None:
        if self.key:
            self.named[self.key.lower()] = self.value
        elif self.value:
            self.positional.append(self.value)
        self.key = self.value = ""

    def _call(self, note: str = "", *, closed: bool | None = None) -> Written:
        self._settle()
        whole = not note if closed is None else closed
        return Written(self.name, tuple(self.positional), self.named, self.begin, self.at, note, whole)


def _unescaped(escape: re.Match[str]) -> str:
    return _ESCAPED.get(escape[1], escape[1])
