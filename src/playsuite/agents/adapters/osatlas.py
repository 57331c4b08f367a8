"""Models that say a verb and, in brackets behind it, what it is done with: `CLICK <point>[[508, 390]]</point>`.

Their makers let a prompt define actions of its own by a format and an example; ours defines keys, holds and moves so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from playsuite.agents.adapters import gestures
from playsuite.agents.adapters.bracketed import (
    LATER_CALL,
    NO_VERB,
    Call,
    Takes,
    call_at,
    numbers_in,
    place_at,
    squeezed,
)
from playsuite.agents.adapters.family import Family
from playsuite.agents.adapters.gestures import Did
from playsuite.core.actions import Action, Answer, Button, Click, Hold, Move, Press, Scroll, Wait
from playsuite.core.answers import LONGEST_ACTION, clean, find, shorten, without_fences
from playsuite.core.grammar import format_action
from playsuite.core.keys import SPOKEN
from playsuite.core.points import Space, View, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

VERSION = 1
OFFERED = ("click", "doubleclick", "rightclick", "moveto", "moveby", "scroll", "press", "hold", "type", "wait")
"""The verbs of the prompt, any of which an unknown one may have been meant for."""

_THOUGHTS = re.compile(r"^\W{0,8}thoughts?\W{0,4}:", re.IGNORECASE | re.MULTILINE)
_NAMED = re.compile(r"<\|object_ref_start\|>[^<>]{0,200}<\|object_ref_end\|>")
"""The name of what a point is on, as a model says it that grounds and does not act."""
_BULLET = re.compile(r"^(?:[-*•>]|\d{1,2}[.)])\s+")
_QUOTES = "\"'`*_ \t"
_SEPARATORS = re.compile(r"(?:[\s,;.|&*`\"']|->|(?:then|and)(?![a-z]))*", re.IGNORECASE)
_PLACE = re.compile(r"(?=<point>|[\[(]{1,2}\s{0,3}\d)", re.IGNORECASE)
_LETTER = re.compile(r"[^\W_]")
_WAY = re.compile(r"up|down|left|right", re.IGNORECASE)
_CLICKS = {
    (Button.LEFT, 1): "CLICK",
    (Button.LEFT, 2): "DOUBLECLICK",
    (Button.LEFT, 3): "TRIPLECLICK",
    (Button.RIGHT, 1): "RIGHTCLICK",
    (Button.MIDDLE, 1): "MIDDLECLICK",
}


def read(text: str, view: View, finish_reason: str) -> Answer:
    """Read the calls below the last `actions:`, or those at the end of an answer without one; total."""
    cut_off = finish_reason == "length"
    text = _NAMED.sub("", text)
    found = find(text)
    if found.labelled:
        pieces = _labelled(found.action, view, cut_off=cut_off)
    else:
        pieces = _unlabelled(without_fences(clean(text)[1]), view, cut_off=cut_off)
    answer = gestures.answered(
        pieces,
        cut_off=cut_off,
        notes=found.notes,
        observation=found.observation,
        reasoning=found.reasoning,
        answer=text,
    )
    foreign = all(piece.foreign or piece.prose for piece in pieces)
    return gestures.or_in_grammar(answer, text, view, finish_reason) if foreign else answer


def write(actions: Sequence[Action], view: View) -> str:
    """Write actions as calls, in the coordinates of the view."""
    return "; ".join(_written(told(action, view)) for action in actions)


osatlas = Family(name="osatlas", space=Space.REL1000, read=read, write=write)


def _labelled(text: str, view: View, *, cut_off: bool) -> list[Did]:
    lines = _lines(text)
    ends = [cut_off and number == len(lines) for number in range(1, len(lines) + 1)]
    return [piece for line, end in zip(lines, ends, strict=True) for piece in _pieces(line, view, cut_off=end)]


def _unlabelled(text: str, view: View, *, cut_off: bool) -> list[Did]:
    """Read the last lines that are calls and nothing else, or that hold one nobody would take for words."""
    if cut_off and _THOUGHTS.search(text):
        return []  # It was still thinking.
    lines = _lines(text[-LONGEST_ACTION:])
    taken: list[Did] = []
    used = 0
    for number, line in enumerate(reversed(lines)):
        pieces = list(_pieces(line, view, cut_off=cut_off and number == 0))
        if not _is_command(line, pieces):
            if used:
                break
            continue
        taken = [*pieces, *taken]
        used += 1
    if taken and (used < len(lines) or len(text) > LONGEST_ACTION):
        taken.append(Did(note="there was no 'actions:'; the last lines that are actions were used", prose=True))
    return taken


def _is_command(line: str, pieces: Sequence[Did]) -> bool:
    done = any(piece.actions for piece in pieces)
    return bool(pieces) and (not any(piece.prose for piece in pieces) or (done and LATER_CALL.search(line) is not None))


def _lines(text: str) -> list[str]:
    stripped = (_BULLET.sub("", line.strip()).strip(_QUOTES) for line in text.splitlines())
    return [line for line in stripped if line]


def _pieces(line: str, view: View, *, cut_off: bool) -> Iterator[Did]:
    """Read the calls of a line and the words between them; if it is cut off, its last call may be half a call."""
    at = _skip(line, 0)
    while at < len(line):
        call = call_at(line, at, _TAKES) or (place_at(line, at) if _PLACE.match(line, at) else None)
        if call:
            half = cut_off and not call.marked and not _LETTER.search(line, call.end)
            said = line[at : call.end]
            yield Did(note=f"{shorten(said)} was cut off and not done") if half else _done(call, said, view)
            at = _skip(line, call.end)
            continue
        later = LATER_CALL.search(line, at + 1)
        end = later.start() if later else len(line)
        if _LETTER.search(line, at, end):
            yield Did(note=f"ignored {shorten(line[at:end])}", prose=True)
        at = end


def _skip(line: str, at: int) -> int:
    found = _SEPARATORS.match(line, at)
    return found.end() if found else at


def _done(call: Call, said: str, view: View) -> Did:
    name = squeezed(call.verb)
    arguments = call.arguments
    if name not in _VERBS and name.startswith("press") and not arguments:
        name, arguments = "press", (name.removeprefix("press"),)
    if name not in _VERBS:
        return gestures.unsupported(call.verb, OFFERED)
    done = _VERBS[name].do(arguments, view)
    if done.actions and name == NO_VERB:
        return done._replace(note=done.note or "a place without a verb was clicked")
    if not done.actions:
        return done if done.note.startswith("unsupported") else done._replace(note=f"{shorten(said)}: {done.note}")
    return done._replace(note=done.note or f"{shorten(said)} was not closed") if call.broken else done


class _Verb(NamedTuple):
    takes: Takes
    do: Callable[[Sequence[str], View], Did]


def _clicks(button: Button = Button.LEFT, count: int = 1) -> _Verb:
    return _Verb(Takes.POINT, lambda words, view: gestures.click(view, numbers_in(words), button=button, count=count))


def _long_press(words: Sequence[str], view: View) -> Did:
    done = gestures.click(view, numbers_in(words))
    return done._replace(note="a mouse button cannot be held; it was clicked") if done.actions else done


def _move_by(words: Sequence[str], view: View) -> Did:
    match numbers_in(words):
        case [dx, dy, *rest] if len(rest) < 2:
            return gestures.move_by(view, dx, dy, seconds=rest[0] if rest else 0.0)
        case numbers:
            return Did(note=f"a move needs dx, dy, but there are {len(numbers)} numbers")


def _scroll(words: Sequence[str], view: View) -> Did:
    way, numbers = _WAY.search(" ".join(words)), numbers_in(words)
    if way is None:
        return gestures.scroll(numbers[0]) if numbers else Did(note="a scroll needs UP or DOWN")
    return gestures.scroll_way(way[0], *numbers[:1])


def _type(words: Sequence[str], view: View) -> Did:
    text = words[-1].strip() if words else ""
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    typed = gestures.type_text(text[1:-1] if quoted else text)
    lost = f"ignored {shorten(' '.join(words[:-1]))}" if len(words) > 1 else ""
    return typed._replace(note="; ".join(filter(None, (typed.note, lost))))


def _finishes(word: str) -> _Verb:
    return _Verb(Takes.NOTHING, lambda _, __: gestures.finish(word))


_PRESS = _Verb(Takes.WORD, lambda words, _: gestures.press(" ".join(words)))
_HOLD = _Verb(Takes.WORD, lambda words, view: gestures.phrase(f"hold:{' '.join(words)}", view))
_MOVE = _Verb(Takes.POINT, lambda words, view: gestures.move(view, numbers_in(words)))
_TYPE = _Verb(Takes.TEXT, _type)
_DRAG = _Verb(Takes.POINT, lambda _, __: gestures.drag())
_VERBS: Mapping[str, _Verb] = {
    **dict.fromkeys(("click", "leftclick", "tap", NO_VERB), _clicks()),
    **dict.fromkeys(("doubleclick", "leftdouble"), _clicks(count=2)),
    **dict.fromkeys(("rightclick", "rightsingle"), _clicks(Button.RIGHT)),
    **{"tripleclick": _clicks(count=3), "middleclick": _clicks(Button.MIDDLE)},
    **dict.fromkeys(("longpress", "longclick"), _Verb(Takes.POINT, _long_press)),
    **dict.fromkeys(("moveto", "move", "hover", "mousemove"), _MOVE),
    **dict.fromkeys(("moveby", "moverel"), _Verb(Takes.POINT, _move_by)),
    **dict.fromkeys(("type", "typetext", "input"), _TYPE),
    "scroll": _Verb(Takes.WORD, _scroll),
    "scrollup": _Verb(Takes.WORD, lambda words, view: _scroll(("up", *words), view)),
    "scrolldown": _Verb(Takes.WORD, lambda words, view: _scroll(("down", *words), view)),
    **dict.fromkeys(("press", "presskey", "keypress", "key", "hotkey"), _PRESS),
    **dict.fromkeys(("hold", "holdkey", "presshold"), _HOLD),
    "enter": _Verb(Takes.NOTHING, lambda _, __: gestures.press("enter")),
    **dict.fromkeys(("wait", "noop"), _Verb(Takes.NOTHING, lambda words, _: gestures.wait(words or None))),
    **dict.fromkeys(("drag", "dragto", "swipe", "selecttext"), _DRAG),
    **{
        name: _finishes(name.upper())
        for name in ("complete", "finish", "finished", "done", "terminate", "impossible", "answer")
    },
}
_TAKES = {name: verb.takes for name, verb in _VERBS.items()}


def _written(action: Action) -> str:
    """Write one action in coordinates of the view; what these models have no word for, in the action grammar."""
    match action:
        case Click(x, y, button, count) if verb := _CLICKS.get((button, count)):
            return f"{verb} <point>[[{x:g}, {y:g}]]</point>"
        case Move(x, y, relative=True, seconds=seconds):
            return f"MOVEBY [{x:g}, {y:g}{f', {seconds:g}' if seconds else ''}]"
        case Move(x, y, seconds=0):
            return f"MOVETO <point>[[{x:g}, {y:g}]]</point>"
        case Press(keys):
            return f"PRESS [{_chord(keys)}]"
        case Hold(keys, seconds):
            return f"HOLD [{_chord(keys)} {seconds:g}]"
        case Scroll(notches):
            return f"SCROLL [{'UP' if notches > 0 else 'DOWN'} {abs(notches)}]"
        case Wait():
            return "WAIT"
        case other:
            return format_action(other)


def _chord(keys: Sequence[str]) -> str:
    return "+".join(SPOKEN.get(key, key) for key in keys).upper()
