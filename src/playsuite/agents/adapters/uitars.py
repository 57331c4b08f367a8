"""UI-TARS: a thought and a call, `Action: click(start_box='(640,360)')`, in pixels of the picture it was sent.

Its makers' runner takes `press` and `release` for a key that goes down and up, but its prompt offers neither, and both
in one answer have no time between them. So ours adds `hold(key='left', seconds=0.8)`, one call as its turns are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playsuite.agents.adapters.bracketed import numbers_in, squeezed
from playsuite.agents.adapters.family import Family
from playsuite.agents.adapters.programs import read_program, with_names
from playsuite.agents.adapters.toolcalls import Call
from playsuite.core.actions import Action, Answer, Button, Click, Hold, Move, Press, Scroll, Wait
from playsuite.core.answers import shorten
from playsuite.core.grammar import format_action
from playsuite.core.keys import SPOKEN
from playsuite.core.points import Space, View, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.agents.adapters.calls import Written

VERSION = 1
OFFERED = ("click", "left_double", "right_single", "hover", "move_by", "hotkey", "hold", "type", "scroll", "wait")
"""In our prompt."""

_LABEL = re.compile(r"^[\s#*]{0,8}actions?[\s*]{0,4}:[\s*]{0,4}", re.IGNORECASE | re.MULTILINE)
_PLACE = ("start_box", "point", "box", "position", "coordinate", "start_point")
_KEY = ("key", "keys", "hotkey")
_NAMES = {"leftdouble": "double_click", "rightsingle": "right_click", "leftsingle": "left_click"}
_NAMES |= {
    "select": "left_click_drag",
    "release": "key_up",
    "keyup": "key_up",
    "keydown": "key_down",
    "moveby": "mouse_move_by",
}
_CLICKS = {
    (Button.LEFT, 1): "click",
    (Button.LEFT, 2): "left_double",
    (Button.LEFT, 3): "triple_click",
    (Button.RIGHT, 1): "right_single",
    (Button.MIDDLE, 1): "middle_click",
}
_KEYED = {"press": (*_KEY, "presses"), "hotkey": _KEY, "hold": ("key", "seconds"), "keydown": _KEY, "keyup": _KEY}
_KEYED |= {"release": _KEY}
_WORDED = {"type": ("content",), "finished": ("content",), "scroll": ("start_box", "direction"), "wait": ("time",)}


def read(text: str, view: View, finish_reason: str) -> Answer:
    """Read the calls behind the last `Action:`; total."""
    return read_program(text, view, finish_reason, label=_LABEL, translate=_calls, offered=OFFERED)


def write(actions: Sequence[Action], view: View) -> str:
    """Write actions as the family's calls, in the coordinates of the view."""
    return "\n".join(_written(told(action, view)) for action in actions)


uitars = Family(name="uitars", space=Space.PICTURE, read=read, write=write)


def _calls(written: Sequence[Written]) -> list[Call]:
    """Translate the calls; a key that is pressed here and released later goes down, any other is tapped."""
    calls = [_call(call) for call in written]
    freed = {str(call.arguments.get("keys")): index for index, call in enumerate(calls) if call.verb == "key_up"}
    return [
        call._replace(verb="key_down")
        if call.verb == "press" and freed.get(str(call.arguments.get("keys")), -1) > index
        else call
        for index, call in enumerate(calls)
    ]


def _call(written: Written) -> Call:
    verb = squeezed(written.name)
    names = _KEYED.get(verb) or _WORDED.get(verb) or ()
    said = with_names(written, names)
    arguments: dict[str, Any] = {name: value for name, value in said.items() if name not in _PLACE}
    if verb in _KEYED:
        arguments["keys"] = [value for name, value in said.items() if name in _KEY]
        if verb != "hold":
            arguments["keys"] = " ".join(arguments["keys"])
    elif verb not in ("type", "finished", "wait"):
        places = [said[name] for name in _PLACE if name in said] or ([] if names else [*written.positional])
        numbers = numbers_in(places)
        arguments |= {"delta" if verb == "moveby" else "coordinate": numbers} if numbers else {}
    arguments.pop("key", None)
    lost = "; ".join(written.positional[len(names) :]) if names else ""
    note = written.note or (f"ignored {shorten(lost)}" if lost else "")
    return Call(_NAMES.get(verb, written.name), arguments, written.begin, written.end, note, whole=written.closed)


def _written(action: Action) -> str:
    match action:
        case Click(x, y, button, count) if verb := _CLICKS.get((button, count)):
            return f"{verb}(start_box='({x:.10g},{y:.10g})')"
        case Move(x, y, relative=True, seconds=0):
            return f"move_by(dx={x:.10g}, dy={y:.10g})"
        case Move(x, y, relative=False, seconds=0):
            return f"hover(start_box='({x:.10g},{y:.10g})')"
        case Press(keys):
            return f"hotkey(key='{_chord(keys)}')"
        case Hold(keys, seconds):
            return f"hold(key='{_chord(keys)}', seconds={seconds:g})"
        case Scroll(notches):
            return f"scroll(direction='{'up' if notches > 0 else 'down'}', amount={abs(notches)})"
        case Wait():
            return "wait()"
        case other:
            return format_action(other)


def _chord(keys: Sequence[str]) -> str:
    return " ".join(SPOKEN.get(key, key) for key in keys)
