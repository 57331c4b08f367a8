"""The action grammar as text: `format_action` writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playsuite.core.actions import Action, Button, Click, Hold, Move, Press, Scroll, Wait
from playsuite.core.keys import SPOKEN

if TYPE_CHECKING:
    from collections.abc import Sequence


def format_action(action: Action) -> str:
    """Write one action as `parse` reads it."""
    match action:
        case Press(keys):
            return _chord(keys)
        case Hold(keys, seconds):
            return f"hold:{_chord(keys)}:{_number(seconds)}"
        case Click(x, y, button, count):
            verb = "click" if button is Button.LEFT else f"{button}click"
            return " ".join([f"{verb}:{_number(x)},{_number(y)}"] * count)
        case Move(x, y, relative, seconds):
            duration = f":{_number(seconds)}" if seconds else ""
            return f"move:{_number(x, signed=relative)},{_number(y, signed=relative)}{duration}"
        case Scroll(notches):
            return f"scroll:{'up' if notches > 0 else 'down'}:{abs(notches)}"
        case Wait():
            return "wait"


def format_actions(actions: Sequence[Action]) -> str:
    """Write the actions of one turn on one line."""
    return " ".join(format_action(action) for action in actions)


def _chord(keys: tuple[str, ...]) -> str:
    return "+".join(SPOKEN.get(key, key) for key in keys)


def _number(value: float, *, signed: bool = False) -> str:
    text = repr(float(value)).removesuffix(".0")
    return f"+{text}" if signed and not text.startswith("-") else text
