"""Is the player in control? The twin runs tell: what became different when one step's input was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.actions import Wait
from playsuite.core.records import Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.records import Step, Twin

VISIBLE = 0.0002
"""Share of pixels that must differ: 8x8 pixels of 640x480."""
ENOUGH = 2
"""Inputs that must have had an effect (paper, A.7)."""
MOST_INTERACTIONS = 20


class Control(Struct, frozen=True):
    """What the inputs did; `known` is false if the twins cannot tell."""

    evident: bool = False
    interactions: int = 0
    known: bool = True
    effects: tuple[Evidence, ...] = ()


def control(steps: Sequence[Step], twins: Sequence[Twin]) -> Control:
    """Judge control and count kinds of input with a visible effect."""
    if not any(acted(step) for step in steps):
        return Control()
    comparable = [twin for twin in twins if twin.comparable]
    answered = [twin for twin in comparable if twin.differs and twin.changed >= VISIBLE]
    if len(comparable) < ENOUGH:
        return Control(known=False)
    effects = tuple(
        Evidence(twin.t, "player_control_evident", f"{twin.label} changed {twin.changed:.2%} of the picture")
        for twin in answered
    )
    kinds = {twin.label for twin in answered}
    return Control(len(answered) >= ENOUGH, min(len(kinds), MOST_INTERACTIONS), known=True, effects=effects)


def acted(step: Step) -> bool:
    """Tell whether a step had any input at all."""
    return any(action != Wait() for action in step.turn.actions)
