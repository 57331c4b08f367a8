"""Read dictionaries and lists that a model wrote as JSON, as Python or as something near: never run, never given up on.

One pass over tokens with a stack of its own, so that neither depth nor length can do harm; what was mended is told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 24
"""Brackets inside of one another; those farther in are passed over."""

_OPEN = re.compile(r"[{\[]")
_SIGN_OR_WORD = re.compile(
    r"[{}\[\]():,\"']|[^\s{}\[\]():,\"'][^\s{}\[\]():,\"]*(?:[ \t]{1,40}[^\s{}\[\]():,\"'][^\s{}\[\]():,\"]*)*"
)
_STRING = {'"': re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL), "'": re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)}
_QUOTED_DICTIONARY = re.compile(r"([\"'])(?=\s{0,40}\{\s{0,40}\1[\w ]{1,40}\1\s{0,40}:)")
_END_OF_QUOTED = re.compile(r"(?<=[}\]])[\"'](?=\s{0,40}(?:[}\],]|\Z))")
_AFTER_STRING = re.compile(r"\s*(?:[,:}\])]|$)|\s+[\"']")
_LOST_QUOTE = re.compile(r"[\"'](?=\s{0,40}[:,}\])])")
"""Behind a word that does not begin with one: `coordinate": [5, 6]`."""
_NO_END = re.compile(r"([^,\"'{}\[\]]*),\s*")
"""What stands between the quotes where one is missing: `"left_click, "coordinate"`."""
_LONG = {
    quote: re.compile(rf"{quote}((?:[^{quote}\\]|\\.|{quote}(?!\s{{0,40}}(?:[,:}}\])]|$)))*){quote}", re.DOTALL)
    for quote in "\"'"
}
_INTEGER = re.compile(r"[+-]?\d{1,40}")
_NUMBER = re.compile(r"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,4})?")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_JSON_NAMES = {"true": True, "false": False, "null": None}
_PYTHON_NAMES = {"True": True, "False": False, "None": None}
_CLOSES = {"}": "{", "]": "[", ")": "("}


class Value(NamedTuple):
    """A dictionary or list in a text."""

    value: dict[str, Any] | list[Any]
    begin: int
    end: int
    closed: bool
    """It ended with its own bracket, not just where the text does."""
    mended: tuple[str, ...]
    """What made it no proper JSON, in a few words each."""


def values_in(text: str) -> Iterator[Value]:
    """Yield the dictionaries and lists of a text that stand in no other, in their order. Total, and linear."""
    at = 0
    while opened := _OPEN.search(text, at):
        value = _Reading(text, opened.start()).read()
        yield value
        at = value.end


class _Open(NamedTuple):
    bracket: str
    content: dict[str, Any] | list[Any]
    key: str | None
    """In the dictionary or list around it."""


class _Reading:
    """The reading of one value: where it is in the text, and what is still open there."""

    def __init__(self, text: str, begin: int) -> None:
        self.text, self.begin, self.at = text, begin, begin
        self.open: list[_Open] = []
        self.key: str | None = None
        self.word: tuple[Any] | None = None
        """A scalar that may turn out to be a key."""
        self.comma = False
        self.skipped = 0
        self.mended: dict[str, None] = {}

    def read(self) -> Value:
        """Read to the bracket that closes the value, or to the end of the text."""
        while token := _SIGN_OR_WORD.search(self.text, self.at):
            self.at = token.end()
            sign = token[0]
            if sign in "{[(":
                self._begin(sign)
            elif sign in "}])":
                if (whole := self._end(sign)) is not None:
                    return self._value(whole, closed=True)
            elif sign == ":":
                self._colon()
            elif sign == ",":
                self._comma()
            elif sign in _STRING:
                self._quote(token.start())
            else:
                self._scalar(self._word(sign))
        self.mend("a bracket is missing")
        self._settle()
        while len(self.open) > 1:
            self._pop()
        self.at = len(self.text)
        return self._value(self.open[0].content, closed=False)

    def mend(self, what: str) -> None:
        self.mended[what] = None

    def _value(self, whole: dict[str, Any] | list[Any], *, closed: bool) -> Value:
        return Value(whole, self.begin, self.at, closed, tuple(self.mended))

    def _begin(self, sign: str) -> None:
        self._missing_comma()
        if len(self.open) >= DEEPEST:
            self.skipped += 1
            self.mend("it is nested too deeply")
            return
        if sign == "(":
            self.mend("it has round brackets")
        self.open.append(_Open(sign, {} if sign == "{" else [], self.key))
        self.key, self.comma = None, False

    def _end(self, sign: str) -> dict[str, Any] | list[Any] | None:
        """Close what a bracket closes; return the whole value if that was it."""
        if self.skipped:
            self.skipped -= 1
            return None
        if self.comma:
            self.mend("a comma is too many")
        self._settle()
        brackets = [opened.bracket for opened in self.open]
        if _CLOSES[sign] not in brackets:
            self.mend("a bracket is too many")
            return None
        while self.open[-1].bracket != _CLOSES[sign]:
            self.mend("a bracket is missing")
            self._pop()
        if len(self.open) == 1:
            return self.open[0].content
        self._pop()
        return None

    def _pop(self) -> None:
        done = self.open.pop()
        self.key = done.key
        self._put(done.content)

    def _colon(self) -> None:
        if self.word is None or self.key is not None or isinstance(self.open[-1].content, list):
            self.mend("a colon is too many")
            return
        self.key, self.word = str(self.word[0]), None

    def _comma(self) -> None:
        if self.comma:
            self.mend("a comma is too many")
        self._settle()
        self.comma = True

    def _scalar(self, value: Any) -> None:
        self._missing_comma()
        self.word, self.comma = (value,), False

    def _missing_comma(self) -> None:
        if self.word is not None:
            self.mend("a comma is missing")
            self._settle()

    def _settle(self) -> None:
        """Put a scalar where it belongs, now that it is known to be no key."""
        if self.word is not None:
            value, self.word = self.word[0], None
            self._put(value)
        elif self.key is not None:
            self.mend("a value is missing")
            self._put(None)

    def _put(self, value: Any) -> None:
        content, key = self.open[-1].content, self.key
        self.key = None
        if isinstance(content, list):
            content.append(value)
            return
        if key is None:
            self.mend("a value has no name")
            key = f" {len(content)}"
        if key in content:
            self.mend(f"'{key[:24]}' stands there twice")
        content[key] = value

    def _word(self, said: str) -> Any:
        said = said.strip()
        if lost := _LOST_QUOTE.match(self.text, self.at):
            self.at = lost.end()
            self.mend("a quote is missing")
            return said
        if said in _JSON_NAMES:
            return _JSON_NAMES[said]
        if said in _PYTHON_NAMES:
            self.mend("it has Python's names")
            return _PYTHON_NAMES[said]
        if _INTEGER.fullmatch(said):
            return int(said)
        if _NUMBER.fullmatch(said):
            return float(said)
        self.mend("a word has no quotes")
        return said

    def _quote(self, begin: int) -> None:
        if _QUOTED_DICTIONARY.match(self.text, begin) or _END_OF_QUOTED.match(self.text, begin):
            self.mend("it has quotes around a dictionary")
        else:
            self._scalar(self._string(begin))

    def _string(self, begin: int) -> str:
        quote = self.text[begin]
        if quote == "'":
            self.mend("it has single quotes")
        plain = _STRING[quote].match(self.text, begin)
        if plain and _AFTER_STRING.match(self.text, plain.end()):
            return self._said(plain[1], plain.end())
        if plain and (cut := _NO_END.fullmatch(plain[1])):
            self.mend("a quote is missing")
            return self._said(cut[1], begin + 1 + len(cut[1]))
        whole = _LONG[quote].match(self.text, begin)
        if whole:
            self.mend("it has quotes inside of quotes")
            return self._said(whole[1], whole.end())
        self.mend("a quote is missing")
        rest = self.text[begin + 1 :].rstrip()
        said = rest.rstrip("}]) \n\t")
        return self._said(said, begin + 1 + len(said))

    def _said(self, content: str, end: int) -> str:
        self.at = end
        if "\n" in content:
            self.mend("a line breaks inside of quotes")
        said = _ESCAPE.sub(_unescaped, content)
        # A sign beyond the first 65,536 is escaped in two halves, which are one only in this encoding.
        return said if said.isascii() else said.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescaped(escape: re.Match[str]) -> str:
    sign = escape[1]
    return chr(int(sign[1:], 16)) if len(sign) > 1 else _ESCAPED.get(sign, sign)
