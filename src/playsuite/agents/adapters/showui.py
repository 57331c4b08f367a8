"""Models that answer with a Python dictionary: `{'action': 'CLICK', 'value': None, 'position': [0.49, 0.42]}`.

They were trained on web pages and telephones and know no key but enter. Ours says keys in the same three fields, as a
small model keeps to a form it knows better than to a new one: `PRESS` with the key as its value, and `HOLD` with the
key and the seconds. A `PRESS` with a place instead is what others made of it, a long click.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playsuite.agents.adapters import gestures
from playsuite.agents.adapters.bracketed import numbers_in, squeezed
from playsuite.agents.adapters.family import Family
from playsuite.agents.adapters.gestures import Did
from playsuite.agents.adapters.values import values_in
from playsuite.core.actions import Action, Answer, Button, Click, Hold, Move, Press, Scroll, Wait
from playsuite.core.answers import LONGEST_ANSWER, clean, shorten, without_fences
from playsuite.core.grammar import format_action
from playsuite.core.keys import SPOKEN, canonical
from playsuite.core.points import Space, View, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

VERSION = 1
OFFERED = (
    *("click", "press", "hold", "right_click", "double_click", "hover", "look", "scroll", "input", "enter", "wait"),
)
"""The actions of the prompt, any of which an unknown one may have been meant for."""
VALUES = ("value", "text", "key", "keys", "direction")
PLACES = ("position", "coordinate", "coordinates", "point")
TIMES = ("seconds", "duration", "time")
THOUGHTS = ("observation", "thought", "thoughts", "reasoning")
"""Names of fields, theirs first; models mix them with what they learned elsewhere."""
PYTHON = ("it has Python's names", "it has single quotes", "it has round brackets", "a comma is too many")
"""What sets their dictionaries apart from JSON, and is no fault in them."""

_LETTER = re.compile(r"[^\W_]")
_LABELS = re.compile(r"^[\s*_#>]*(?:next\s)?(?:actions?|answer|output)[\s*_]*:?[\s*_]*$|^[\s\d.)*-]*$", re.IGNORECASE)
"""Words around dictionaries that are no loss."""
_WAY = re.compile(r"up|down|left|right", re.IGNORECASE)
_NOTHING = ("", "none", "null")
_CLICKS = {
    (Button.LEFT, 1): "CLICK",
    (Button.LEFT, 2): "DOUBLE_CLICK",
    (Button.LEFT, 3): "TRIPLE_CLICK",
    (Button.RIGHT, 1): "RIGHT_CLICK",
    (Button.MIDDLE, 1): "MIDDLE_CLICK",
}


def read(text: str, view: View, finish_reason: str) -> Answer:
    """Read the dictionaries of an answer, or a bare place, which is a click; total."""
    cut_off = finish_reason == "length"
    thoughts, said = clean(text)
    pieces = list(_pieces(without_fences(said), view, cut_off=cut_off))
    lost = f"of {len(text)} characters only the last {LONGEST_ANSWER} were read" if len(text) > LONGEST_ANSWER else ""
    answer = gestures.answered(pieces, cut_off=cut_off, notes=[lost] if lost else [], reasoning=thoughts, answer=text)
    foreign = all(piece.foreign or piece.prose for piece in pieces)
    return gestures.or_in_grammar(answer, text, view, finish_reason) if foreign else answer


def write(actions: Sequence[Action], view: View) -> str:
    """Write actions as dictionaries, in the coordinates of the view."""
    return ", ".join(_written(told(action, view)) for action in actions)


showui = Family(name="showui", space=Space.UNIT, read=read, write=write)


def _pieces(text: str, view: View, *, cut_off: bool) -> Iterator[Did]:
    at = 0
    for found in values_in(text):
        yield from _words(text[at : found.begin])
        at = found.end
        said = text[found.begin : found.end]
        if cut_off and not found.closed:
            yield Did(note=f"{shorten(said)} was cut off and not done")
            continue
        done = list(_done(found.value, said, view))
        mended = [what for what in found.mended if what not in PYTHON]
        if mended and done and done[-1].actions:
            done[-1] = _noted(done[-1], f"{shorten(said)}: {', '.join(mended)}")
        yield from done
    yield from _words(text[at:])


def _words(text: str) -> Iterator[Did]:
    if _LETTER.search(text) and not _LABELS.match(text.strip()):
        yield Did(note=f"ignored {shorten(text)}", prose=True)


def _done(value: Any, said: str, view: View) -> Iterator[Did]:
    match value:
        case dict():
            yield from _dictionary({name.strip().lower(): content for name, content in value.items()}, said, view)
        case [dict(), *_]:
            for item in value:
                yield from _done(item, said, view)
        case [int() | float(), *_] | [[int() | float(), *_], *_]:
            yield gestures.click(view, _numbers(value))
        case _:
            yield Did(note=f"ignored {shorten(said)}", prose=True)


def _dictionary(fields: Mapping[str, Any], said: str, view: View) -> Iterator[Did]:
    match fields:
        case {"action": str(verb)}:
            yield _act(verb.strip(), fields, view)
        case {"actions": [*items]}:
            yield from _done(items, said, view)
        case {"position": [*place]} if place:
            yield _noted(gestures.click(view, _numbers(place)), "a place without an action was clicked")
        case _:
            yield Did(note=f"no action in {shorten(said)}")


def _act(verb: str, fields: Mapping[str, Any], view: View) -> Did:
    name = squeezed(verb)
    if name not in _VERBS:
        key = canonical(verb)
        return gestures.press(key) if key else gestures.unsupported(verb, OFFERED)
    value, place, time = (_first(fields, names) for names in (VALUES, PLACES, TIMES))
    done = _VERBS[name](value if time is None else f"{_said(value)} {_said(time)}", _numbers(place), view)
    known = ("action", *VALUES, *PLACES, *TIMES, *THOUGHTS)
    lost = [field for field in fields if field not in known and _given(fields[field]) is not None]
    done = _noted(done, f"the fields {', '.join(lost)} were not used") if lost else done
    return done if done.actions or done.note.startswith("unsupported") else done._replace(note=f"{verb}: {done.note}")


def _first(fields: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((given for name in names if (given := _given(fields.get(name))) is not None), None)


def _given(value: Any) -> Any:
    """Return what a field holds; these models also write nothing as a text."""
    return None if isinstance(value, str) and value.strip().lower() in _NOTHING else value


def _said(value: Any) -> str:
    match value:
        case None:
            return ""
        case int() | float():
            return f"{value:g}"
        case [*items]:
            return " ".join(map(_said, items))
        case other:
            return str(other)


def _numbers(value: Any) -> list[float]:
    """Return the numbers of a place: a list, a list of lists, a text or named coordinates."""
    match value:
        case bool():
            return []
        case int() | float():
            return [float(value)]
        case str():
            return numbers_in([value])
        case {"x": x, "y": y}:
            return _numbers([x, y])
        case [*items]:
            return [number for item in items for number in _numbers(item)]
        case _:
            return []


def _noted(done: Did, note: str) -> Did:
    return done._replace(note="; ".join(filter(None, (done.note, note))))


def _clicks(button: Button = Button.LEFT, count: int = 1) -> Callable[[Any, Sequence[float], View], Did]:
    return lambda _value, numbers, view: gestures.click(view, numbers, button=button, count=count)


def _click(value: Any, numbers: Sequence[float], view: View) -> Did:
    if not numbers and value is not None and (done := _press_keys(value)).actions:
        return _noted(done, "a click without a place but with a key was taken for the key")
    return gestures.click(view, numbers)


def _select(value: Any, numbers: Sequence[float], view: View) -> Did:
    done = gestures.click(view, numbers)
    return done if value is None else _noted(done, f"{shorten(_said(value))} was not chosen, only clicked on")


def _press_keys(value: Any) -> Did:
    match value:
        case [*keys]:
            return gestures.press([_said(key) for key in keys])
        case key:
            return gestures.press(_said(key))


def _press(value: Any, numbers: Sequence[float], view: View) -> Did:
    done = _press_keys(value)
    if done.actions or not numbers:
        return done
    return _noted(gestures.click(view, numbers), "a mouse button cannot be held; it was clicked")


def _look(value: Any, numbers: Sequence[float], view: View) -> Did:
    match numbers:
        case [dx, dy]:
            return gestures.move_by(view, dx, dy, seconds=next(iter(numbers_in([_said(value)])), 0.0))
        case _:
            return Did(note=f"a move needs dx, dy, but there are {len(numbers)} numbers")


def _scroll(value: Any, _: Sequence[float], __: View) -> Did:
    words = _said(value)
    way, notches = _WAY.search(words), numbers_in([words])
    if way is None:
        return gestures.scroll(notches[0]) if notches else Did(note="a scroll needs up or down")
    return gestures.scroll_way(way[0], *notches[:1])


def _input(value: Any, numbers: Sequence[float], view: View) -> Did:
    """Click into the field, if its place is said, and type."""
    typed = gestures.type_text(_said(value))
    if not (numbers and typed.actions):
        return typed
    clicked = gestures.click(view, numbers)
    return _noted(Did((*clicked.actions, *typed.actions), clicked.note), typed.note)


_VERBS: Mapping[str, Callable[[Any, Sequence[float], View], Did]] = {
    **dict.fromkeys(("click", "tap", "leftclick"), _click),
    **dict.fromkeys(("doubleclick", "doubletap"), _clicks(count=2)),
    **{"tripleclick": _clicks(count=3), "middleclick": _clicks(Button.MIDDLE), "rightclick": _clicks(Button.RIGHT)},
    **dict.fromkeys(("press", "key", "keypress", "presskey", "hotkey", "longpress", "longclick"), _press),
    **dict.fromkeys(("hold", "holdkey"), lambda value, _, view: gestures.phrase(f"hold:{_said(value)}", view)),
    **dict.fromkeys(("hover", "move", "moveto"), lambda _, numbers, view: gestures.move(view, numbers)),
    **dict.fromkeys(("look", "moveby"), _look),
    **{"select": _select, "scroll": _scroll},
    **dict.fromkeys(("input", "type", "write"), _input),
    "wait": lambda value, _, __: gestures.wait(value),
    **dict.fromkeys(("swipe", "drag", "selecttext"), lambda _, __, ___: gestures.drag()),
    "copy": lambda _, __, ___: Did(note="there is nothing to copy to in a game"),
    "answer": lambda _, __, ___: gestures.finish("ANSWER"),
    **dict.fromkeys(("finish", "complete", "done", "terminate"), lambda _, __, ___: gestures.finish("FINISH")),
}


def _written(action: Action) -> str:
    """Write one action in coordinates of the view; what these models have no word for, in the action grammar."""
    match action:
        case Click(x, y, button, count) if verb := _CLICKS.get((button, count)):
            return _said_as(verb, None, x, y)
        case Move(x, y, relative=True, seconds=seconds):
            return _said_as("LOOK", seconds or None, x, y)
        case Move(x, y, seconds=0):
            return _said_as("HOVER", None, x, y)
        case Press(keys):
            return _said_as("PRESS", _chord(keys))
        case Hold(keys, seconds):
            return _said_as("HOLD", f"{_chord(keys)} {seconds:g}")
        case Scroll(notches):
            return _said_as("SCROLL", f"{'up' if notches > 0 else 'down'} {abs(notches)}")
        case Wait():
            return _said_as("WAIT", None)
        case other:
            return format_action(other)


def _said_as(verb: str, value: str | float | None, *place: float) -> str:
    return str({"action": verb, "value": value, "position": list(place) or None})


def _chord(keys: Sequence[str]) -> str:
    return "+".join(SPOKEN.get(key, key) for key in keys)
