"""What the calls of a computer-use tool do, whichever of its makers' names a model uses for a verb or an argument."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playsuite.agents.adapters import gestures
from playsuite.agents.adapters.bracketed import squeezed
from playsuite.agents.adapters.gestures import NOTHING_DONE, Did
from playsuite.agents.adapters.toolcalls import POINTED, numbers_of
from playsuite.core.actions import Button, Click, Move, Press
from playsuite.core.answers import LONGEST_ACTION, shorten
from playsuite.core.grammar import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from playsuite.agents.adapters.toolcalls import Call
    from playsuite.core.points import View

    Arguments = Mapping[str, Any]
    Doing = Callable[[Arguments, View], Did]

OFFERED = (
    *("left_click", "double_click", "triple_click", "right_click", "middle_click", "mouse_move", "mouse_move_by"),
    *("key", "hold_key", "key_down", "key_up", "type", "scroll", "wait"),
)
"""The verbs of `computer_use`."""

MOST_TIMES = 1_000
"""Of anything: what is to be done oftener is cut by each gesture to what it allows, and noted there."""

_AT = ("coordinate", "coordinates", "point", "point_2d", "position", "start_coordinate", "bbox", "bbox_2d", "box")
_BY = ("delta", "offset", *_AT)
_KEYS = ("keys", "key", "text", "button", "value")
_CLICK_KEYS = ("keys", "key", "text")
_TIME = ("time", "duration", "seconds")
_TEXT = ("text", "content", "value", "input")
_AMOUNT = ("amount", "scroll_amount", "notches", "clicks")
_WAY = ("direction", "scroll_direction")
_TIMES = ("presses", "repeat", "times", "count")
_CLICKS = ("clicks", "num_clicks", "count")
_BUTTONS = {button.value: button for button in Button}


def done(calls: Sequence[Call], view: View, *, cut_off: bool, offered: Sequence[str] = OFFERED) -> Iterator[Did]:
    """Yield what each call comes to; one that was cut off may be half a call, and is not done.

    `offered` are the verbs of the family, of which an unknown one may have been meant for.
    """
    pointer: tuple[float, float] | None = None
    places = [call for call in calls if call.verb == POINTED]
    for call in calls:
        if call.verb == POINTED and call is not places[0]:
            continue
        if cut_off and not call.whole:
            yield Did(note=f"{shorten(call.verb)} was cut off and not done")
            continue
        did = _told(call, _do(call, view, pointer, offered))
        for action in did.actions:
            if isinstance(action, Click) or (isinstance(action, Move) and not action.relative):
                pointer = action.x, action.y
        yield did
    if len(places) > 1:
        # More than one is a list of what there is to see, and not of what to do.
        yield Did(note=f"of {len(places)} places without a verb only the first was clicked")


def is_verb(word: str) -> bool:
    """Tell whether a word is a verb of these tools."""
    return squeezed(word) in _VERBS


def keys_in(arguments: Arguments, names: Sequence[str] = _KEYS) -> list[str]:
    """Return the keys that a call names, not yet looked at."""
    value = _first(arguments, names)
    return [str(item) for item in value] if isinstance(value, list) else [] if value is None else [str(value)]


def seconds_in(arguments: Arguments) -> float | None:
    """Return the time of a call, if it has one."""
    return next(iter(numbers_of(_first(arguments, _TIME))), None)


def _told(call: Call, did: Did) -> Did:
    note = did.note
    if not did.actions and not did.foreign and not note.startswith("unsupported"):
        note = f"{shorten(call.verb)}: {note}"
    return _noted(did._replace(note=note), call.note)


def _noted(did: Did, *notes: str) -> Did:
    return did._replace(note="; ".join(filter(None, (did.note, *notes))))


def _do(call: Call, view: View, pointer: tuple[float, float] | None, offered: Sequence[str]) -> Did:
    doing = _VERBS.get(squeezed(call.verb))
    if doing is None:
        return _in_words(call, view, offered)
    if pointer is None or squeezed(call.verb) not in _CLICKING or _names_place(call.arguments):
        return doing(call.arguments, view)
    did = doing({**call.arguments, "coordinate": _seen(view, pointer)}, view)
    return did._replace(note=did.note or "it has no place; where the pointer was put before is meant")


def _seen(view: View, at: tuple[float, float]) -> list[float]:
    """Return a point of the frame in the numbers of the view."""
    wide, high = view.extent
    x, y = at[0] * wide / view.frame[0], at[1] * high / view.frame[1]
    return [y, x] if view.y_first else [x, y]


def _in_words(call: Call, view: View, offered: Sequence[str]) -> Did:
    """Take what stands in place of a verb for a key, or for words of the action grammar."""
    keys, unknown = gestures.keys_of(call.verb[:LONGEST_ACTION])
    if keys and not unknown:
        did = _key({**call.arguments, "keys": [*keys]}, view)
        return did._replace(note=did.note or f"{shorten(call.verb)} is a key and no action; it was pressed")
    parsed = parse(f"Action: {call.verb}", view).parsed
    if parsed.status in NOTHING_DONE:
        return gestures.unsupported(call.verb, offered)
    return Did(parsed.actions, "; ".join((gestures.NOT_ITS_FORMAT, *parsed.notes)))


def _first(arguments: Arguments, names: Sequence[str]) -> Any:
    return next((arguments[name] for name in names if arguments.get(name) not in (None, "", [])), None)


def _place(arguments: Arguments) -> list[float]:
    value = _first(arguments, _AT)
    if value is None and "x" in arguments and "y" in arguments:
        return numbers_of({"x": arguments["x"], "y": arguments["y"]})
    return numbers_of(value)


def _names_place(arguments: Arguments) -> bool:
    return _first(arguments, (*_AT, "x", "y")) is not None


def _number(arguments: Arguments, names: Sequence[str]) -> float | None:
    return next(iter(numbers_of(_first(arguments, names))), None)


def _whole(arguments: Arguments, names: Sequence[str], otherwise: int) -> int:
    number = _number(arguments, names)
    return otherwise if number is None or not number >= 1 else int(min(number, MOST_TIMES))


def _click(button: Button | None = None, count: int = 1) -> Doing:
    def doing(arguments: Arguments, view: View) -> Did:
        named = _BUTTONS.get(str(arguments.get("button", "")).lower(), Button.LEFT)
        times = _whole(arguments, _CLICKS, count)
        did = gestures.click(view, _place(arguments), button=button or named, count=times)
        with_keys = gestures.keys_of(keys_in(arguments, _CLICK_KEYS))[0]
        return _noted(did, f"the keys {'+'.join(with_keys)} were not pressed for a click" if with_keys else "")

    return doing


def _pointed(arguments: Arguments, view: View) -> Did:
    did = gestures.click(view, _place(arguments))
    return did._replace(note=did.note or "a place without a verb was clicked")


def _long_press(arguments: Arguments, view: View) -> Did:
    did = gestures.click(view, _place(arguments))
    return did._replace(note="a mouse button cannot be held; it was clicked") if did.actions else did


def _move(arguments: Arguments, view: View) -> Did:
    return gestures.move(view, _place(arguments), seconds=seconds_in(arguments) or 0.0)


def _move_by(arguments: Arguments, view: View) -> Did:
    numbers = numbers_of(_first(arguments, _BY)) or numbers_of([arguments.get("dx"), arguments.get("dy")])
    if len(numbers) != 2:
        return Did(note=f"a move needs dx, dy, but there are {len(numbers)} numbers")
    return gestures.move_by(view, *numbers, seconds=seconds_in(arguments) or 0.0)


def _key(arguments: Arguments, view: View) -> Did:
    """Tap keys together; with a time they are held, which is what it can only mean."""
    keys, seconds = keys_in(arguments), seconds_in(arguments)
    if seconds:
        did = gestures.hold(keys, seconds)
        return did._replace(note=did.note or "a key with a time was held for it")
    if len(set(keys)) == 1:
        return gestures.press(keys[0], times=len(keys) * _whole(arguments, _TIMES, 1))
    did = gestures.press(keys, times=_whole(arguments, _TIMES, 1))
    return _noted(did, "a key that is named twice is pressed once" if len(set(keys)) < len(keys) else "")


def _hold(arguments: Arguments, _: View) -> Did:
    return gestures.hold(keys_in(arguments), seconds_in(arguments))


def _key_down(arguments: Arguments, view: View) -> Did:
    did = _hold(arguments, view)
    return _noted(did, "no key stays down after an answer" if did.actions else "")


def _type(arguments: Arguments, _: View) -> Did:
    text = _first(arguments, _TEXT)
    did = gestures.type_text("".join(map(str, text)) if isinstance(text, list) else "" if text is None else str(text))
    return did._replace(actions=(*did.actions, Press(("enter",)))) if arguments.get("enter") is True else did


def _scroll(arguments: Arguments, view: View) -> Did:
    did = _turn(arguments)
    place = _place(arguments)
    if not (place and did.actions):
        return did
    moved = gestures.move(view, place)
    return _noted(Did((*moved.actions, *did.actions), moved.note), did.note)


def _turn(arguments: Arguments) -> Did:
    way, pixels = _first(arguments, _WAY), _number(arguments, ("pixels",))
    if pixels is not None:
        down = str(way).lower() == "down"
        return gestures.scroll_pixels(-abs(pixels) if down else pixels)
    amount = _number(arguments, _AMOUNT)
    if way is None:
        return Did(note="a scroll needs pixels") if amount is None else gestures.scroll(amount)
    return gestures.scroll_way(str(way), *([] if amount is None else [amount]))


def _wait(arguments: Arguments, _: View) -> Did:
    return gestures.wait(_first(arguments, _TIME))


def _finish(word: str) -> Doing:
    return lambda _, __: gestures.finish(word)


def _refuse(note: str) -> Doing:
    return lambda _, __: Did(note=note)


_CLICKING: Mapping[str, Doing] = {
    **dict.fromkeys(("leftclick", "click", "tap", "leftsingle", "mouseclick"), _click()),
    **dict.fromkeys(("doubleclick", "leftdouble", "doubletap"), _click(count=2)),
    **dict.fromkeys(("rightclick", "rightsingle"), _click(Button.RIGHT)),
    "tripleclick": _click(count=3),
    "middleclick": _click(Button.MIDDLE),
    **dict.fromkeys(("longpress", "longclick"), _long_press),
}
_VERBS: Mapping[str, Doing] = {
    **_CLICKING,
    POINTED: _pointed,
    **dict.fromkeys(("mousemove", "move", "moveto", "hover"), _move),
    **dict.fromkeys(("mousemoveby", "moveby", "mousemoverel"), _move_by),
    **dict.fromkeys(("key", "press", "presskey", "keypress", "hotkey", "systembutton"), _key),
    **dict.fromkeys(("holdkey", "hold", "keyhold"), _hold),
    "keydown": _key_down,
    "keyup": lambda _, __: gestures.wait()._replace(note="every key is up already when an answer begins"),
    **dict.fromkeys(("type", "typetext", "inputtext"), _type),
    "scroll": _scroll,
    "hscroll": _refuse("the wheel turns up and down, not sideways"),
    **dict.fromkeys(("wait", "noop", "idle"), _wait),
    **dict.fromkeys(("leftclickdrag", "drag", "dragto", "swipe", "mousedrag"), lambda _, __: gestures.drag()),
    **dict.fromkeys(
        ("leftmousedown", "leftmouseup", "mousedown", "mouseup"),
        _refuse("a mouse button cannot be held, only clicked"),
    ),
    **dict.fromkeys(("open", "openapp"), _refuse("there is nothing to open but the game")),
    **dict.fromkeys(
        ("screenshot", "zoom", "cursorposition"),
        lambda _, __: gestures.wait()._replace(note="the next picture comes by itself"),
    ),
    **{
        squeezed(word): _finish(word)
        for word in ("terminate", "finished", "finish", "done", "complete", "answer", "call_user", "interact")
    },
}
