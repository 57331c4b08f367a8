"""Make one hold of keys that go down in one call of an answer and up in a later one.

A game's step is one action at a time, and no key stays down between two answers; so what happens meanwhile joins in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from playsuite.agents.adapters.bracketed import squeezed
from playsuite.agents.adapters.gestures import keys_of
from playsuite.agents.adapters.toolcalls import Call
from playsuite.agents.adapters.toolverbs import keys_in, seconds_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_DOWN, _UP, _PRESS, _WAIT = "keydown", "keyup", "key", "wait"


def joined(calls: Iterable[Call], *, cut_off: bool) -> Iterator[Call]:
    """Yield the calls, those from a key that goes down to where all are up again as one call that holds them."""
    run: list[Call] = []
    down: set[str] = set()
    let_go: set[str] = set()
    for call in calls:
        verb, keys = squeezed(call.verb), _keys(call)
        half = cut_off and not call.whole
        if run and (half or verb not in (_DOWN, _UP, _PRESS, _WAIT)):
            yield _held(run, let_go=False)._replace(whole=not half)
            let_go |= down
            run, down = [], set()
        if half or not (run or verb == _DOWN):
            if verb != _UP or not keys or not keys <= let_go:
                yield call
            continue
        run.append(call)
        down = down | keys if verb == _DOWN else down - (keys or down) if verb == _UP else down
        if not down:
            yield _held(run, let_go=True)
            run = []
    if run:
        # Where the answer was cut off, so may have been how long the keys are held.
        yield _held(run, let_go=False)._replace(whole=not cut_off)


def _keys(call: Call) -> set[str]:
    keys, unknown = keys_of(keys_in(call.arguments))
    return {*keys, *([unknown] if unknown else [])}


def _held(run: Sequence[Call], *, let_go: bool) -> Call:
    """Return one call that holds the keys of a run, for as long as it waits in between."""
    if len(run) == 1:
        return run[0]
    pressed = [call for call in run if squeezed(call.verb) in (_DOWN, _PRESS)]
    keys = list(dict.fromkeys(key for call in pressed for key in keys_in(call.arguments)))
    times = [seconds for call in run if (seconds := seconds_in(call.arguments))]
    notes = [*dict.fromkeys(call.note for call in run if call.note)]
    if any(squeezed(call.verb) == _PRESS for call in run):
        notes.append("a key that is pressed while others are down is held with them")
    if not let_go:
        notes.append("no key stays down after an answer or through another call")
    return Call(
        "hold_key",
        {"keys": keys, **({"time": sum(times)} if times else {})},
        run[0].begin,
        run[-1].end,
        "; ".join(notes),
        tagged=all(call.tagged for call in run),
    )
