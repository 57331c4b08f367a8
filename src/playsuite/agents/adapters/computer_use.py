"""Models that use a computer by calling a tool: `<tool_call>{"name": "computer_use", "arguments": {...}}</tool_call>`.

They all count a screen in thousandths, but some of them up to 999 and some up to 1000: a model's row says which.

The tool's own way to hold a key is `key_down` and `key_up`, two calls where a turn is one; so our prompt defines
`hold_key` with a time, which other makers' tools of this kind have, and `mouse_move_by` for looking around.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from playsuite.agents.adapters import gestures
from playsuite.agents.adapters.family import Family
from playsuite.agents.adapters.gestures import NOTHING_DONE, PIXELS_A_NOTCH
from playsuite.agents.adapters.heldkeys import joined
from playsuite.agents.adapters.toolcalls import POINTED, around, calls_in, places_in_words, said_in
from playsuite.agents.adapters.toolverbs import done
from playsuite.core.actions import Action, Answer, Button, Click, Hold, Move, Press, Scroll, Wait
from playsuite.core.answers import find
from playsuite.core.grammar import parse
from playsuite.core.points import Space, View, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.agents.adapters.toolcalls import Call, Said

VERSION = 1

_LABEL = re.compile(r"^[\s#*]{0,8}(?:thought|action|reasoning)s?[\s*]{0,4}:[\s*]{0,4}", re.IGNORECASE | re.MULTILINE)
_CLICKS = {
    (Button.LEFT, 1): "left_click",
    (Button.LEFT, 2): "double_click",
    (Button.LEFT, 3): "triple_click",
    (Button.RIGHT, 1): "right_click",
    (Button.MIDDLE, 1): "middle_click",
}


def read(text: str, view: View, finish_reason: str) -> Answer:
    """Read the tool calls of an answer, or, if it has none, an action in words; total."""
    cut_off = finish_reason == "length"
    said = said_in(text, cut_off=cut_off)
    calls = calls_in(said.words)
    if placed := spoken_place(text, calls, view, finish_reason):
        return gestures.or_in_grammar(gestures.answered(()), placed, view, finish_reason)
    answer = of_calls(said, calls, view, cut_off=cut_off)
    return answer if calls else gestures.or_in_grammar(answer, text, view, finish_reason)


def spoken_place(text: str, calls: Sequence[Call], view: View, finish_reason: str) -> str:
    """Return an answer with its places in plain numbers, if words before one say what to do there; else nothing."""
    if not calls or any(call.verb != POINTED for call in calls):
        return ""
    worded = places_in_words(text)
    parsed = parse(worded, view, finish_reason=finish_reason).parsed
    points = parsed.status not in NOTHING_DONE and all(isinstance(action, Click | Move) for action in parsed.actions)
    return worded if points else ""


def of_calls(said: Said, calls: Sequence[Call], view: View, *, cut_off: bool) -> Answer:
    """Do the calls found in an answer; its words around them tell what it saw and why it does what it does."""
    words = around(said.words, calls).strip()
    fields = find(words or said.words)
    pieces = done(list(joined(calls, cut_off=cut_off)), view, cut_off=cut_off)
    return gestures.answered(
        list(pieces),
        cut_off=cut_off,
        notes=[*said.notes, *_bare(calls)],
        observation=fields.observation,
        reasoning=_LABEL.sub("", words) if words and not fields.observation else fields.reasoning or said.thoughts,
        answer=said.words or said.thoughts,
    )


def write(actions: Sequence[Action], view: View) -> str:
    """Write actions as tool calls, in the coordinates of the view."""
    return "\n".join(_block(_arguments(told(action, view))) for action in actions)


computer_use = Family(name="computer_use", space=Space.REL1000, read=read, write=write)


def _bare(calls: Sequence[Call]) -> list[str]:
    bare = any(call.verb != POINTED and not call.tagged for call in calls)
    return ["there was no <tool_call>; what looks like a call was read as one"] if bare else []


def _block(arguments: dict[str, Any]) -> str:
    call = json.dumps({"name": "computer_use", "arguments": arguments})
    return f"<tool_call>\n{call}\n</tool_call>"


def _arguments(action: Action) -> dict[str, Any]:
    """Return the arguments of a call, in coordinates of the view."""
    match action:
        case Click(x, y, button, count) if verb := _CLICKS.get((button, count)):
            return {"action": verb, "coordinate": [_plain(x), _plain(y)]}
        case Click(x, y, button, count):
            return {"action": "click", "coordinate": [_plain(x), _plain(y)], "button": str(button), "clicks": count}
        case Move(x, y, relative=True, seconds=seconds):
            return {"action": "mouse_move_by", "delta": [_plain(x), _plain(y)], **_time(seconds)}
        case Move(x, y, seconds=seconds):
            return {"action": "mouse_move", "coordinate": [_plain(x), _plain(y)], **_time(seconds)}
        case Press(keys):
            return {"action": "key", "keys": list(keys)}
        case Hold(keys, seconds):
            return {"action": "hold_key", "keys": list(keys), "time": _plain(seconds)}
        case Scroll(notches):
            return {"action": "scroll", "pixels": notches * PIXELS_A_NOTCH}
        case Wait():
            return {"action": "wait"}


def _time(seconds: float) -> dict[str, float]:
    return {"time": _plain(seconds)} if seconds else {}


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number
