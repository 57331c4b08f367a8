"""Which behaviour answers which request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from playsuite.core.actions import Click, Hold, Press, Wait
from playsuite.core.errors import ConfigError
from playsuite.core.grammar import format_action
from playsuite.core.keys import FALLBACK
from playsuite.core.lines import read_lines
from playsuite.core.plugins import did_you_mean
from playsuite.core.records import Step
from playsuite.testing.server.behaviours import (
    ENDLESS_THOUGHT,
    GARBAGE,
    MEGABYTE,
    RANDOM_BYTES,
    Die,
    Drop,
    Hang,
    Reply,
    Say,
    Trickle,
)

if TYPE_CHECKING:
    from pathlib import Path

    from playsuite.core.actions import Action
    from playsuite.testing.server.behaviours import Behaviour

Script: TypeAlias = Callable[[int], "Behaviour"]
"""Tells what to do with the n-th request, counted from 0."""

CLICKED_PX = 240
"""Random clicks stay this near to the upper left corner, which every frame has."""
SHARES = {"press": 0.6, "hold": 0.2, "click": 0.15, "wait": 0.05}
NAMED: Mapping[str, Behaviour] = {
    "drop": Drop(),
    "hang": Hang(),
    "trickle": Trickle(),
    "die": Die(),
    "garbage": GARBAGE,
    "empty": Say(""),
    "bytes": RANDOM_BYTES,
    "megabyte": MEGABYTE,
    "endless": ENDLESS_THOUGHT,
}
LOWEST_STATUS, HIGHEST_STATUS = 400, 599


def in_order(behaviours: Sequence[Behaviour]) -> Script:
    """Do one after the other, and the last for ever."""
    return lambda number: behaviours[min(number, len(behaviours) - 1)]


def in_turn(behaviours: Sequence[Behaviour]) -> Script:
    """Do one after the other, and begin anew."""
    return lambda number: behaviours[number % len(behaviours)]


def recorded(steps: Path) -> Script:
    """Repeat the answers of an episode's steps.jsonl, in the order of its steps, and begin anew.

    Raises:
        StoreError: it cannot be read.
        ConfigError: it has no steps.
    """
    answers = [Say(step.turn.raw, step.turn.usage.completion_tokens or None) for step in read_lines(steps, Step)]
    if not answers:
        raise ConfigError(f"{steps} has no steps to repeat. Name the steps.jsonl of a played episode")
    return in_turn(answers)


def random_actions(seed: int, *, tokens: int | None = None) -> Script:
    """Answer every request with a random action that every game can take, the same for the same seed and number."""
    return lambda number: Say(_answer(_action(Random(f"{seed} {number}"))), tokens)


def with_errors(script: Script, errors: Mapping[str, Behaviour]) -> Script:
    """Put errors in the place of some answers: "3" is the third request, "3+" all from there on, "/3" every third."""

    def behave(number: int) -> Behaviour:
        return next((error for when, error in errors.items() if _hits(when, number + 1)), script(number))

    return behave


def read_error(text: str) -> tuple[str, Behaviour]:
    """Read WHEN:WHAT, as in "3:500", "5+:drop", "/10:hang".

    Raises:
        ConfigError: it says nothing of the kind.
    """
    when, _, what = text.partition(":")
    if not when.removesuffix("+").removeprefix("/").isdecimal() or int(when.strip("+/")) == 0:
        raise ConfigError(f"'{text}' is no error. Wanted WHEN:WHAT, WHEN like 3, 3+ or /3, WHAT like 500 or drop")
    if what.isdecimal() and LOWEST_STATUS <= int(what) <= HIGHEST_STATUS:
        return when, Reply(int(what), b'{"error": {"message": "injected"}}')
    if what in NAMED:
        return when, NAMED[what]
    raise ConfigError(f"no error called '{what}' in '{text}'.{did_you_mean(what, ['400 to 599', *NAMED])}")


def _hits(when: str, number: int) -> bool:
    if when.startswith("/"):
        return number % int(when[1:]) == 0
    return number >= int(when[:-1]) if when.endswith("+") else number == int(when)


def _action(random: Random) -> Action:
    (kind,) = random.choices(list(SHARES), cum_weights=list(accumulate(SHARES.values())))
    match kind:
        case "press":
            return Press((random.choice(FALLBACK),))
        case "hold":
            return Hold((random.choice(FALLBACK),), round(random.uniform(0.2, 1.5), 1))
        case "click":
            return Click(random.randrange(CLICKED_PX), random.randrange(CLICKED_PX))
        case _:
            return Wait()


def _answer(action: Action) -> str:
    return (
        "Observation: The picture shows the game as it is after my last action.\n"
        "Reasoning: I do not know yet what this does, so I try it and look at what changes.\n"
        f"Action: {format_action(action)}"
    )
