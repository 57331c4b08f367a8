"""Recognise one action of the grammar at a place in a text, in the many ways people and models write it."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from playsuite.core.actions import Action, Button, Click, Hold, Move, Press, Scroll, Wait
from playsuite.core.answers import shorten
from playsuite.core.chords import Chord, no_key, read_chord
from playsuite.core.points import View, distance, place

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_HOLD_S = 2.0
DEFAULT_HOLD_S = 0.5
MAX_MOVE_S = 2.0
MAX_NOTCHES = 20
FARTHEST_MOVE_PX = 10_000


class Bounds(Struct, frozen=True):
    """What an action may ask for."""

    view: View
    """What coordinates refer to."""
    max_hold_s: float = MAX_HOLD_S


class Piece(NamedTuple):
    """A stretch of text and the action it stands for; without an action, `note` says why there is none."""

    action: Action | None
    end: int
    note: str = ""
    prose: bool = False
    """Not an action that was refused but words around the actions."""


_NUMBER = (
    r"(?:[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:e[+-]?\d{1,4})?(?![\d%])|[+-]?(?:nan|inf(?:inity)?)(?![a-z]))"
)
_POINT = (
    r"[\s:=(\[{<\"']{0,8}(?:point>)?(?:x\s{0,3}[:=]\s{0,3})?"
    rf"({_NUMBER})(?:px)?\s{{0,4}}[,;:\s]\s{{0,4}}(?:y\s{{0,3}}[:=]\s{{0,3}})?({_NUMBER})(?:px)?"
)
_BOX_REST = rf"(?:\s{{0,4}},\s{{0,4}}({_NUMBER})(?:\s{{0,4}},\s{{0,4}}({_NUMBER}))?)?"
_CLOSE = r"(?:</point>)?[)\]}>\"']{0,4}"
_TIME = rf"({_NUMBER})\s{{0,2}}(ms|milliseconds?|s|secs?|seconds?)?(?![a-z0-9])"


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_CLICK_WORDS = (
    r"(?:(?:(left|right|middle|double|dbl)[ _-]?)?(?:mouse[ _-]?)?click(?:s|ed|ing)?"
    r"|([lrm])mb|(left|right|middle)[ _-]?mouse[ _-]?(?:button)?)(?![a-z])"
    r"(?:[\s:,(]{1,4}(left|right|middle)(?![a-z]))?"
)
_CLICK = _compiled(_CLICK_WORDS)
_MOUSE_BUTTON = _compiled(rf"(?:the\s)?{_CLICK_WORDS}")
"""After a verb for keys: without it, `press the left mouse button` would press the arrow key."""
_CLICK_POINT = _compiled(rf"(?:[\w ']{{0,40}}?\b(?:at|on)\b)??{_POINT}{_BOX_REST}{_CLOSE}")
_MOVE = _compiled(
    r"(?:mouse[ _-]?)?(?:move|hover)(?:[ _-]?(?:mouse|pointer|cursor))?(?:[ _-]?(?:to|by|rel(?:ative)?))?(?![a-z])"
)
_MOVE_POINT = _compiled(rf"{_POINT}{_CLOSE}(?:[\s:,]{{1,4}}(?:for\s|over\s)?{_TIME})?")
_SCROLL = _compiled(
    r"(?:mouse[ _-]?)?(?:scroll|wheel)(?:ing)?(?:[\s:(=,_]{0,4}(up|down|left|right))?(?![a-z])"
    rf"(?:[\s:(=,)]{{0,4}}(?:by\s)?({_NUMBER}))?[)]?"
)
_WAIT = _compiled(
    r"(?:wait|no[-_ ]?op|none|nothing|do[ _]nothing|idle|pass|no[ _](?:input|action))(?![a-z])"
    rf"(?:[\s:(]{{1,4}}(?:for\s)?{_TIME}[)]?|\(\))?"
)
_HOLD = _compiled(r"(?:press\sand\s)?hold(?:ing)?(?![a-z])(?:[ _]down[ _](?!for\b))?[\s:=(\[]{0,4}")
_PRESS = _compiled(
    r"(?:press(?:ed|ing|es)?|tap|hit|push|type|key[ _]?press|press[ _]?key|keys?)(?![a-z])"
    r"(?:\s?[:=(\[]\s{0,3}|\s{1,3})[\[(]?"
)
_DRAG = _compiled(r"(?:mouse[ _-]?)?drag(?:ging)?(?![a-z])")
_HOLD_TIME = _compiled(rf"(?:[\s:,;=)\]]{{1,4}}(?:for\s{{1,3}})?{_TIME})?[)\]]{{0,2}}")
_REST = re.compile(r"[^;|\n]*")
_BARE_TIME = _compiled(rf"(?:\s?:\s?|\sfor\s){_TIME}")
VERB = _compiled(r"\b(?:press|tap|hit|hold|(?:(?:double|right|left|middle)[ _-]?)?click|[lrm]mb|scroll|move)\b")
"""Where, in running text, it is worth looking for an action."""


def read(text: str, at: int, bounds: Bounds) -> Piece | None:
    """Read the one action that begins at `at`; None if none does."""
    finished = (finish(start, bounds) for begins, finish in _PHRASES if (start := begins.match(text, at)))
    piece = next(finished, None) or _bare(text, at, bounds)
    if piece is None or piece.action is not None:
        return piece
    return piece._replace(note=f"{shorten(text[at : piece.end])}: {piece.note}")


def _click(start: re.Match[str], bounds: Bounds) -> Piece:
    kind, letter, mouse, named = (group.lower() if group else "" for group in start.groups())
    button = _button(kind or letter or mouse, named)
    point = _CLICK_POINT.match(start.string, start.end())
    if point is None:
        return _refused(start, "a click needs x, y")
    x, y, note = float(point[1]), float(point[2]), ""
    if point[3]:
        note = "a click has one point; the third number was not used"
    if point[4]:
        x, y, note = (x + float(point[3])) / 2, (y + float(point[4])) / 2, "a box was given; its centre is clicked"
    count = 2 if kind in ("double", "dbl") else 1
    placed = place(bounds.view.point(x, y), bounds.view)
    if placed.at is None:
        return Piece(None, point.end(), placed.note)
    return Piece(Click(*placed.at, button, count), point.end(), note or placed.note)


def _button(kind: str, named: str) -> Button:
    """Return the button meant by `right click`, `RMB` or `click:right:5,5`."""
    initial = (named or kind)[:1]
    return {"r": Button.RIGHT, "m": Button.MIDDLE}.get(initial, Button.LEFT)


def _move(start: re.Match[str], bounds: Bounds) -> Piece:
    point = _MOVE_POINT.match(start.string, start.end())
    if point is None:
        return _refused(start, "a move needs x, y or +dx,+dy")
    x, y = float(point[1]), float(point[2])
    seconds, note = _seconds(point[3], point[4], MAX_MOVE_S)
    if seconds is None:
        return Piece(None, point.end(), note)
    if point[1].startswith(("+", "-")) or point[2].startswith(("+", "-")):
        dx, dy = distance(x, y, bounds.view)
        if not (abs(dx) <= FARTHEST_MOVE_PX and abs(dy) <= FARTHEST_MOVE_PX):  # also true of NaN
            return Piece(None, point.end(), f"a move by more than {FARTHEST_MOVE_PX} pixels cannot be")
        return Piece(Move(dx, dy, relative=True, seconds=seconds), point.end(), note)
    placed = place(bounds.view.point(x, y), bounds.view)
    if placed.at is None:
        return Piece(None, point.end(), placed.note)
    return Piece(Move(*placed.at, seconds=seconds), point.end(), note or placed.note)


def _scroll(start: re.Match[str], bounds: Bounds) -> Piece:
    way, number = (start[1] or "").lower(), start[2]
    if way in ("left", "right"):
        return _refused(start, f"the wheel turns up and down, not {way}")
    if not way and number is None:
        return _refused(start, "a scroll needs up or down")
    asked = float(number or 1) * (-1 if way == "down" else 1)
    if not isfinite(asked) or round(asked) == 0:
        return _refused(start, f"cannot scroll by {asked:g} notches")
    notches = min(max(round(asked), -MAX_NOTCHES), MAX_NOTCHES)
    note = "" if notches == asked else f"a scroll by {asked:g} became one by {notches} notches"
    return Piece(Scroll(notches), start.end(), note)


def _wait(start: re.Match[str], bounds: Bounds) -> Piece:
    return Piece(Wait(), start.end(), "a wait lasts one step; its time was not used" if start[1] else "")


def _hold(start: re.Match[str], bounds: Bounds) -> Piece:
    if _MOUSE_BUTTON.match(start.string, start.end()):
        return _refused(start, "a mouse button cannot be held, only clicked")
    chord = read_chord(start.string, start.end(), commanded=True)
    if chord is None:
        return _refused(start, "a hold needs a key")
    if chord.unknown:
        return Piece(None, _end(_HOLD_TIME, start.string, chord.end), no_key(chord.unknown))
    time = _HOLD_TIME.match(start.string, chord.end)
    if time is None or time[1] is None:
        return Piece(Hold(chord.keys, DEFAULT_HOLD_S), chord.end, f"a hold without a time lasts {DEFAULT_HOLD_S:g} s")
    return _held(chord.keys, time, bounds)


def _held(keys: tuple[str, ...], time: re.Match[str], bounds: Bounds) -> Piece:
    seconds, note = _seconds(time[1], time[2], bounds.max_hold_s)
    if seconds is None:
        return Piece(None, time.end(), note)
    return Piece(Hold(keys, seconds), time.end(), note)


def _press(start: re.Match[str], bounds: Bounds) -> Piece:
    if button := _MOUSE_BUTTON.match(start.string, start.end()):
        return _click(button, bounds)
    chord = read_chord(start.string, start.end(), commanded=True)
    return _pressed(start.string, chord, bounds) if chord else _refused(start, "a press needs a key")


def _bare(text: str, at: int, bounds: Bounds) -> Piece | None:
    chord = read_chord(text, at, commanded=False)
    return _pressed(text, chord, bounds) if chord else None


def _pressed(text: str, chord: Chord, bounds: Bounds) -> Piece:
    if chord.unknown:
        return Piece(None, chord.end, no_key(chord.unknown))
    if time := _BARE_TIME.match(text, chord.end):
        return _held(chord.keys, time, bounds)
    return Piece(Press(chord.keys), chord.end)


def _seconds(number: str | None, unit: str | None, most: float) -> tuple[float | None, str]:
    """Return (seconds, note); None for a time that cannot be, and 0 where none is given."""
    if number is None:
        return 0.0, ""
    seconds = float(number) / (1000 if unit and unit.lower().startswith("m") else 1)
    if not (isfinite(seconds) and seconds > 0):
        return None, f"a time of {number[:24]} s cannot be; it must be above 0"
    if seconds > most:
        return most, f"a time of {seconds:g} s was cut to {most:g} s"
    return seconds, ""


def _refused(start: re.Match[str], reason: str) -> Piece:
    """Refuse an action together with what stands behind it, up to the next separator."""
    return Piece(None, _end(_REST, start.string, start.end()), reason)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


_PHRASES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Bounds], Piece]], ...] = (
    (_CLICK, _click),
    (_MOVE, _move),
    (_DRAG, lambda start, _: _refused(start, "there is no dragging; click, hold and move are what there is")),
    (_SCROLL, _scroll),
    (_WAIT, _wait),
    (_HOLD, _hold),
    (_PRESS, _press),
)
