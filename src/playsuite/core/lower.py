"""Turn actions into input events at exact game times: the one place that knows how long a tap or a click lasts."""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from playsuite.core.actions import Action, Button, Click, EventKind, Hold, InputEvent, Move, Press, Scroll, Wait

if TYPE_CHECKING:
    from collections.abc import Sequence

TAP_S = 0.12
"""A tap lasts long enough for a game at 10 frames a second to see it."""
CLICK_S = 0.1
GAP_S = 0.05
"""Between two actions, so that a key pressed twice is seen to come up in between; also after the last one."""
MOTION_HZ = 60
"""Pointer events a second while the pointer moves."""
NOTCH_S = 0.04

Timed: TypeAlias = tuple[list[InputEvent], float]
"""Events with their offsets from the beginning of an action, and how long the action lasts."""


def lower(actions: Sequence[Action], *, seat: int = 0) -> tuple[tuple[InputEvent, ...], float]:
    """Return the input events of `actions`, done one after the other, and the game seconds they need.

    All events lie strictly inside these seconds, and whatever goes down has come up by then.
    """
    events: list[InputEvent] = []
    begin = 0.0
    for action in actions:
        timed, seconds = _timed(action)
        events += [replace(event, at=round(begin + event.at, 6), seat=seat) for event in timed]
        begin += seconds + GAP_S
    return tuple(events), round(begin, 6)


def _timed(action: Action) -> Timed:
    match action:
        case Press(keys):
            return _keys(keys, TAP_S)
        case Hold(keys, seconds):
            return _keys(keys, max(seconds, 0.0))
        case Click(x, y, button, count):
            return _clicks(x, y, button, count)
        case Move(x, y, relative=True, seconds=seconds):
            return _glide(x, y, max(seconds, 0.0))
        case Move(x, y, seconds=seconds):
            # Where the pointer comes from is not known here, so it jumps and then rests for the time asked.
            return [InputEvent(0.0, EventKind.POINTER_TO, x=x, y=y)], max(seconds, 0.0)
        case Scroll(notches):
            return _wheel(notches)
        case Wait():
            return [], 0.0


def _keys(keys: tuple[str, ...], seconds: float) -> Timed:
    distinct = tuple(dict.fromkeys(keys))
    down = [InputEvent(0.0, EventKind.KEY_DOWN, key=key) for key in distinct]
    up = [InputEvent(seconds, EventKind.KEY_UP, key=key) for key in reversed(distinct)]
    return down + up, seconds


def _clicks(x: float, y: float, button: Button, count: int) -> Timed:
    """Go there first, for buttons that only light up a frame after the pointer came; a double-click fits in 0.25 s."""
    events = [InputEvent(0.0, EventKind.POINTER_TO, x=x, y=y)]
    for click in range(count):
        down = GAP_S + click * (CLICK_S + GAP_S)
        events.append(InputEvent(down, EventKind.BUTTON_DOWN, button=button))
        events.append(InputEvent(down + CLICK_S, EventKind.BUTTON_UP, button=button))
    return events, events[-1].at


def _glide(x: float, y: float, seconds: float) -> Timed:
    """Move by whole pixels, because games count motion in integers and would lose the fractions."""
    parts = max(1, ceil(seconds * MOTION_HZ))
    path = [(round(x * part / parts), round(y * part / parts)) for part in range(parts + 1)]
    steps = [(here[0] - before[0], here[1] - before[1]) for before, here in pairwise(path)]
    events = [
        InputEvent(seconds * part / parts, EventKind.POINTER_BY, x=dx, y=dy)
        for part, (dx, dy) in enumerate(steps, start=1)
        if (dx, dy) != (0, 0)
    ]
    return events, seconds


def _wheel(notches: int) -> Timed:
    turn = 1 if notches > 0 else -1
    events = [InputEvent(n * NOTCH_S, EventKind.WHEEL, notches=turn) for n in range(abs(notches))]
    return events, abs(notches) * NOTCH_S
