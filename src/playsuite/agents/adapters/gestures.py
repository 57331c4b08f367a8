"""What the verbs of all families come down to: six actions, a note where something is lost, and nothing in silence.

The action grammar has no drag and no way to end an episode, so both are documented here once for every family:
a drag is refused, an end is waited out, text is typed key by key, and a key that goes down is held for a while.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from playsuite.core.actions import Action, Answer, Button, Click, Hold, Move, Parsed, ParseStatus, Press, Scroll, Wait
from playsuite.core.answers import few, shorten, status_of
from playsuite.core.chords import no_key
from playsuite.core.grammar import MAX_ACTIONS, MAX_CLICKS, parse
from playsuite.core.keys import SHIFTED, canonical
from playsuite.core.phrases import (
    DEFAULT_HOLD_S,
    FARTHEST_MOVE_PX,
    MAX_HOLD_S,
    MAX_MOVE_S,
    MAX_NOTCHES,
    Bounds,
)
from playsuite.core.phrases import read as read_phrase
from playsuite.core.plugins import did_you_mean
from playsuite.core.points import View, distance, place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_TYPED = 40
"""Characters of a text that are typed: each takes 0.17 game seconds, and names in games are short."""
PIXELS_A_NOTCH = 120
"""What a wheel reports for one notch; families that scroll by pixels are divided by it."""
DEFAULT_NOTCHES = 5
"""A scroll without an amount, as the reference runners of these families turn the wheel."""

NOTHING_DONE = (ParseStatus.NO_ACTION, ParseStatus.INVALID, ParseStatus.TRUNCATED)
NOT_ITS_FORMAT = "not in the family's format; read in the words of the action grammar"

_BETWEEN_KEYS = re.compile(r"\s*\+\s*|[\s,;|&]+|(?<=\w)[-_](?=\w)")
_KEYS_ARGUMENT = re.compile(r"^\s*keys?\s*=\s*", re.IGNORECASE)


class Did(NamedTuple):
    """What one call or phrase of an answer comes to; without actions it was refused, and `note` says why."""

    actions: tuple[Action, ...] = ()
    note: str = ""
    prose: bool = False
    """Not a call that was refused but something around the calls."""
    foreign: bool = False
    """Its verb is none of the family's."""


def answered(
    pieces: Iterable[Did],
    *,
    cut_off: bool = False,
    notes: Sequence[str] = (),
    observation: str = "",
    reasoning: str = "",
    answer: str = "",
) -> Answer:
    """Put an answer together from its calls; without any action it becomes a `Wait` and says why.

    Each call counts as one action of the at most `MAX_ACTIONS`, whatever it comes to.
    """
    pieces = list(pieces)
    calls = [piece for piece in pieces if piece.actions]
    said = [*notes, *(piece.note for piece in pieces if piece.note)]
    refused = any(not piece.actions and not piece.prose for piece in pieces)
    if len(calls) > MAX_ACTIONS:
        said.append(f"of {len(calls)} actions only the first {MAX_ACTIONS} were done")
        refused = True
    if cut_off:
        said.append("the answer was cut off at its token limit")
    actions = tuple(action for call in calls[:MAX_ACTIONS] for action in call.actions)
    if not actions and not said:
        said = [f"no action in {shorten(answer)}"]
    status = status_of(done=bool(actions), refused=refused, noted=bool(said), cut_off=cut_off)
    return Answer(Parsed(actions or (Wait(),), status, few(said)), observation.strip(), reasoning.strip())


def or_in_grammar(answer: Answer, text: str, view: View, finish_reason: str) -> Answer:
    """Return what the action grammar reads in a text where its family's reader found nothing to do, if it does."""
    return or_instead(answer, parse(text, view, finish_reason=finish_reason))


def or_instead(answer: Answer, other: Answer) -> Answer:
    """Return what another reader found in a text where its family's own found nothing to do, if it found something."""
    if answer.parsed.status not in NOTHING_DONE or other.parsed.status in NOTHING_DONE:
        return answer
    status = ParseStatus.REPAIRED if other.parsed.status is ParseStatus.OK else other.parsed.status
    notes = few((NOT_ITS_FORMAT, *other.parsed.notes))
    return replace(other, parsed=replace(other.parsed, status=status, notes=notes))


def phrase(words: str, view: View) -> Did:
    """Do what a phrase of the action grammar says, where a family leaves something to plain words."""
    piece = read_phrase(words, 0, Bounds(view))
    if piece is None:
        return Did(note=f"cannot read {shorten(words)}")
    rest = words[piece.end :].strip(" ,;:.)]}")
    notes = [piece.note] if piece.note else []
    notes += [f"ignored {shorten(rest)}"] if rest else []
    return Did(() if piece.action is None else (piece.action,), "; ".join(notes))


def click(view: View, numbers: Sequence[float], *, button: Button = Button.LEFT, count: int = 1) -> Did:
    """Click at a point of 2 numbers, or in the centre of a box of 4."""
    found = _point(view, numbers)
    if isinstance(found, str):
        return Did(note=found)
    x, y, note = found
    if count > MAX_CLICKS:
        cut = f"{count} clicks were cut to {MAX_CLICKS}"
        return Did((Click(x, y, button, MAX_CLICKS),), "; ".join(filter(None, (note, cut))))
    return Did((Click(x, y, button, max(count, 1)),), note)


def move(view: View, numbers: Sequence[float], *, seconds: float = 0.0) -> Did:
    """Put the pointer on a point of 2 numbers, or into the centre of a box of 4."""
    found = _point(view, numbers)
    if isinstance(found, str):
        return Did(note=found)
    x, y, note = found
    lasting, cut = _move_time(seconds)
    return Did((Move(x, y, seconds=lasting),), note or cut)


def move_by(view: View, dx: float, dy: float, *, seconds: float = 0.0) -> Did:
    """Move the pointer by so much of the view's space."""
    x, y = distance(dx, dy, view)
    if not (abs(x) <= FARTHEST_MOVE_PX and abs(y) <= FARTHEST_MOVE_PX):  # also true of NaN
        return Did(note=f"a move by more than {FARTHEST_MOVE_PX} pixels cannot be")
    lasting, cut = _move_time(seconds)
    return Did((Move(x, y, relative=True, seconds=lasting),), cut)


def _move_time(seconds: float) -> tuple[float, str]:
    """Return how long a move lasts, and a note if that is not what was asked for."""
    if 0 <= seconds <= MAX_MOVE_S:
        return seconds, ""
    lasting = min(max(seconds, 0.0), MAX_MOVE_S)
    return lasting, f"a move of {seconds:g} s became one of {lasting:g} s"


def press(named: str | Sequence[str], *, times: int = 1) -> Did:
    """Tap a key, or a chord of keys."""
    keys, unknown = keys_of(named)
    if unknown:
        return Did(note=no_key(unknown))
    if not keys:
        return Did(note="a press needs a key")
    if times > MAX_CLICKS:
        return Did((Press(keys),) * MAX_CLICKS, f"{times} presses were cut to {MAX_CLICKS}")
    return Did((Press(keys),) * max(times, 1))


def hold(named: str | Sequence[str], seconds: float | None = None) -> Did:
    """Keep keys down; for how long is bounded, and without a time it is half a second."""
    keys, unknown = keys_of(named)
    if unknown:
        return Did(note=no_key(unknown))
    if not keys:
        return Did(note="a hold needs a key")
    if seconds is None:
        return Did((Hold(keys, DEFAULT_HOLD_S),), f"a hold without a time lasts {DEFAULT_HOLD_S:g} s")
    if not 0 < seconds < float("inf"):
        return Did(note=f"a time of {seconds:g} s cannot be; it must be above 0")
    if seconds > MAX_HOLD_S:
        return Did((Hold(keys, MAX_HOLD_S),), f"a time of {seconds:g} s was cut to {MAX_HOLD_S:g} s")
    return Did((Hold(keys, seconds),))


def type_text(text: str) -> Did:
    """Type a text key by key, a line break as enter; what is on no key is left out and said."""
    strokes = [_stroke(character) for character in text[:MAX_TYPED]]
    keys = tuple(Press(stroke) for stroke in strokes if stroke)
    if not keys:
        return Did(note=f"there is nothing to type in {shorten(text)}")
    lost = [character for character, stroke in zip(text, strokes, strict=False) if not stroke]
    notes = [f"{shorten(''.join(lost))} is on no key"] if lost else []
    notes += [f"of {len(text)} characters only the first {MAX_TYPED} were typed"] if len(text) > MAX_TYPED else []
    return Did(keys, "; ".join(notes))


def scroll(notches: float) -> Did:
    """Turn the wheel; positive is up."""
    if not abs(notches) < float("inf") or round(notches) == 0:
        return Did(note=f"cannot scroll by {notches:g} notches")
    turned = min(max(round(notches), -MAX_NOTCHES), MAX_NOTCHES)
    note = "" if turned == notches else f"a scroll by {notches:g} became one by {turned} notches"
    return Did((Scroll(turned),), note)


def scroll_pixels(pixels: float) -> Did:
    """Turn the wheel by pixels of a page; less than a notch is one notch."""
    if not 0 < abs(pixels) < float("inf"):
        return Did(note=f"cannot scroll by {pixels:g} pixels")
    notches = max(1, round(abs(pixels) / PIXELS_A_NOTCH))
    return scroll(notches if pixels > 0 else -notches)


def scroll_way(way: str, notches: float = DEFAULT_NOTCHES) -> Did:
    """Turn the wheel "up" or "down"."""
    match way.strip().lower():
        case "up":
            return scroll(abs(notches))
        case "down":
            return scroll(-abs(notches))
        case other:
            return Did(note=f"the wheel turns up and down, not {shorten(other)}")


def wait(seconds: object = None) -> Did:
    """Do nothing for one step, whatever time was asked for."""
    return Did((Wait(),), "" if seconds is None else "a wait lasts one step; its time was not used")


def drag() -> Did:
    """Refuse a drag: the action grammar has none, and a click at its beginning would be something else."""
    return Did(note="unsupported_drag: there is no dragging; click, hold and move are what there is")


def finish(word: str) -> Did:
    """Wait when a model thinks it is done, or asks somebody: only the game and its time end an episode."""
    return Did((Wait(),), f"{shorten(word)} ends nothing here; the game goes on")


def unsupported(word: str, known: Sequence[str]) -> Did:
    """Refuse a verb that the family does not have."""
    return Did(note=f"no action called {shorten(word)}.{did_you_mean(word[:40].lower(), sorted(known))}", foreign=True)


def keys_of(named: str | Sequence[str]) -> tuple[tuple[str, ...], str]:
    """Return (canonical keys, first word that is none) of `ctrl+c`, `ctrl c`, `["ctrl", "c"]` or `["keys=['a']"]`."""
    keys: list[str] = []
    for name in [named] if isinstance(named, str) else named:
        whole = _key(name)
        parts = [whole] if whole else [_key(part) or (part,) for part in _parts(name)]
        for part in parts:
            if canonical(part[0]) is None:
                return tuple(dict.fromkeys(keys)), part[0]
            keys += part
    return tuple(dict.fromkeys(keys)), ""


def _parts(name: str) -> list[str]:
    bare = _KEYS_ARGUMENT.sub("", name).strip("[](){}\"'` ")
    return [part.strip("\"'`") for part in _BETWEEN_KEYS.split(bare) if part.strip("\"'`")]


def _key(name: str) -> tuple[str, ...]:
    """Return the key of a name, with shift where a character needs it."""
    if shifted := SHIFTED.get(name):
        return ("shift", shifted)
    key = canonical(name)
    return (key,) if key else ()


def _stroke(character: str) -> tuple[str, ...]:
    if character == "\n":
        return ("enter",)
    if character == "\t":
        return ("tab",)
    if character.isascii() and character.isupper():
        return ("shift", character.lower())
    return _key(character)


def _point(view: View, numbers: Sequence[float]) -> tuple[float, float, str] | str:
    """Return (x, y, note) in pixels of the frame, or why there is no such point."""
    match list(numbers):
        case [x, y]:
            note = ""
        case [left, top, right, bottom]:
            x, y, note = (left + right) / 2, (top + bottom) / 2, "a box was given; its centre is meant"
        case other:
            return f"bad_point: a point needs x, y, but there are {len(other)} numbers"
    placed = place(view.point(x, y), view)
    return placed.note if placed.at is None else (*placed.at, note or placed.note)
