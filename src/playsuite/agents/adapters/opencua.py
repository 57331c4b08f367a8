"""OpenCUA: a thought, an action in words and a program of pyautogui, in pixels of the picture it was sent.

A program can hold a key without any word of our own: `keyDown`, `time.sleep`, `keyUp`. So our prompt offers just that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playsuite.agents.adapters.bracketed import numbers_in, squeezed
from playsuite.agents.adapters.calls import MAX_CALLS
from playsuite.agents.adapters.family import Family
from playsuite.agents.adapters.programs import read_program, with_names
from playsuite.agents.adapters.toolcalls import Call
from playsuite.core.actions import Action, Answer, Button, Click, Hold, Move, Press, Scroll, Wait
from playsuite.core.answers import shorten
from playsuite.core.grammar import format_action
from playsuite.core.points import Space, View, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.agents.adapters.calls import Written

VERSION = 1
OFFERED = ("click", "moveTo", "moveRel", "press", "hotkey", "keyDown", "keyUp", "write", "scroll", "wait")
"""Of pyautogui, in our prompt."""

_LABEL = re.compile(r"^[\s#*]{0,8}code(?:[\s*]{0,4}:[\s*]{0,4}|[\s*]{0,4}$)", re.IGNORECASE | re.MULTILINE)
_COMMENT = re.compile(
    r"^((?:[^\"'#\n]|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')*)(?<![^ \t\n])"
    r"#(?![# ]{0,8}(?:thought|action|code|step)|#).*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A comment of a program, but neither a heading nor a `#` in a string."""
_BLOCK = re.compile(
    r"^[ \t]{0,40}(?:for \w+ in |while |with \w+\.|def \w+\(|(?:el)?if |else|try)[^\n]{0,200}:[ \t]*$", re.MULTILINE
)
_CLICK = ("x", "y", "clicks", "interval", "button")
_AT = ("x", "y", "duration")
_BY = ("xoffset", "yoffset", "duration")
_SIGNATURES = {
    **{
        "click": _CLICK,
        "leftclick": _AT,
        "doubleclick": _AT,
        "tripleclick": _AT,
        "rightclick": _AT,
        "middleclick": _AT,
    },
    **{"moveto": _AT, "move": _BY, "moverel": _BY, "scroll": ("clicks", "x", "y"), "vscroll": ("clicks", "x", "y")},
    **{"press": ("keys", "presses"), "keydown": ("key",), "keyup": ("key",), "sleep": ("time",), "wait": ("time",)},
    **{"hold": ("key",), "write": ("message",), "typewrite": ("message",)},
}
_NAMES = {"moverel": "mouse_move_by", "move": "mouse_move_by", "vscroll": "scroll", "sleep": "wait"}
_NAMES |= {"write": "type", "typewrite": "type", "dragrel": "drag"}
_RENAMED = {"message": "text", "key": "keys", "secs": "time", "seconds": "time"}


def read(text: str, view: View, finish_reason: str) -> Answer:
    """Read the calls of the last section of code; total."""
    notes = ["loops and conditions are not run; each statement in them is done once"] if _BLOCK.search(text) else []
    program = _COMMENT.sub(r"\1", text)
    return read_program(program, view, finish_reason, label=_LABEL, translate=_calls, offered=OFFERED, notes=notes)


def write(actions: Sequence[Action], view: View) -> str:
    """Write actions as statements, in the coordinates of the view."""
    return "\n".join(_written(told(action, view)) for action in actions)


opencua = Family(name="opencua", space=Space.PICTURE, read=read, write=write)


def _calls(written: Sequence[Written]) -> list[Call]:
    return [call for one in written for call in _one_by_one(_call(one))]


def _one_by_one(call: Call) -> list[Call]:
    """Tap the keys of a list one after the other, as `press` does; only `hotkey` means them together."""
    keys = str(call.arguments.get("keys", ""))
    if call.verb != "press" or not keys.startswith(("[", "(")) or len(keys) < len("[a]"):
        return [call]
    names = [name.strip("\"' ") for name in keys.strip("[]()").split(",")]
    return [call._replace(arguments={**call.arguments, "keys": name}) for name in names[:MAX_CALLS] if name]


def _call(written: Written) -> Call:
    verb = squeezed(written.name.rpartition(".")[2])
    said = with_names(written, _SIGNATURES.get(verb, ()))
    arguments: dict[str, Any] = {_RENAMED.get(name, name): value for name, value in said.items()}
    if verb == "hotkey":
        arguments["keys"] = [*written.positional, *written.named.values()]
    if "x" in arguments or "y" in arguments:
        arguments["coordinate"] = _pair([arguments.pop(name, "") for name in ("x", "y")])
    if "xoffset" in arguments or "yoffset" in arguments:
        arguments["delta"] = _pair([arguments.pop(name, "0") for name in ("xoffset", "yoffset")])
    name = _NAMES.get(verb, written.name.rpartition(".")[2])
    known = _SIGNATURES.get(verb)
    lost = "; ".join(written.positional[len(known) :]) if known else ""
    note = written.note or (f"ignored {shorten(lost)}" if lost else "")
    return Call(name, arguments, written.begin, written.end, note, whole=written.closed)


def _pair(words: Sequence[str]) -> list[float]:
    """Return the two numbers of two arguments; none where one is no plain number, as `1/2` or a name."""
    numbers = [numbers_in([word]) for word in words]
    return [float(found[0]) for found in numbers] if all(len(found) == 1 for found in numbers) else []


def _written(action: Action) -> str:
    match action:
        case Click(x, y, button, count):
            return f"pyautogui.click(x={x:.10g}, y={y:.10g}{_how(button, count)})"
        case Move(x, y, relative=relative, seconds=seconds):
            time = f", duration={seconds:g}" if seconds else ""
            return f"pyautogui.move{'Rel' if relative else 'To'}({x:.10g}, {y:.10g}{time})"
        case Press((key,)):
            return f"pyautogui.press({key!r})"
        case Press(keys):
            return f"pyautogui.hotkey({', '.join(map(repr, keys))})"
        case Hold(keys, seconds):
            down = [f"pyautogui.keyDown({key!r})" for key in keys]
            up = [f"pyautogui.keyUp({key!r})" for key in reversed(keys)]
            return "; ".join([*down, f"time.sleep({seconds:g})", *up])
        case Scroll(notches):
            return f"pyautogui.scroll({notches})"
        case Wait():
            return "computer.wait()"
        case other:
            return format_action(other)


def _how(button: Button, count: int) -> str:
    return (f", clicks={count}" if count > 1 else "") + (f", button='{button}'" if button is not Button.LEFT else "")
