"""Twin runs: play an episode again up to one input, leave that input out, and see what the input had changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from playsuite.core.actions import Click, Hold, Move, Press, Scroll, Wait
from playsuite.core.errors import PlaySuiteError
from playsuite.core.protocols import Frame
from playsuite.core.records import RunSpec, Step, Turn, Twin
from playsuite.play.loop import advance, look
from playsuite.play.witness import Witness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from playsuite.core.actions import Action
    from playsuite.core.protocols import FrameSink, Observation, Session


SPARE = 3
"""Candidates kept for each twin that will be played, to choose from when the episode is over."""


class Candidate(Struct, frozen=True):
    """A step worth a twin: what it did, and what the game showed when it was done."""

    step: Step
    label: str
    after: Frame
    moved: bool
    """The picture changed during the step; if not, its input can hardly have done anything."""
    ended: float
    """Game seconds at its end: about what its twin costs."""


class Candidates:
    """Pick, while an episode is played, the first step of each kind of input, with the picture after it."""

    def __init__(self, most: int) -> None:
        """Pick at most so many."""
        self._most = most
        self._found: dict[str, Candidate] = {}
        self._open: tuple[Step, str, Frame] | None = None

    def begin(self, step: Step, seen: Observation) -> None:
        """Take note of a step that is about to be carried out on what is seen."""
        label = label_of(step.turn.actions)
        if label and label not in self._found and len(self._found) < SPARE * self._most:
            self._open = (step, label, seen.frame.copy())

    def end(self, seen: Observation) -> None:
        """Take note of what the last step led to."""
        if self._open is None:
            return
        step, label, before = self._open
        moved = not np.array_equal(before, seen.frame)
        self._found[label] = Candidate(step, label, seen.frame.copy(), moved, seen.t)
        self._open = None

    def within(self, seconds: float) -> list[Candidate]:
        """Return those to play: what moved something first, then the earliest, in all no longer than `seconds`."""
        chosen: list[Candidate] = []
        for candidate in sorted(self._found.values(), key=lambda candidate: not candidate.moved):
            cost = sum(other.ended for other in chosen) + candidate.ended
            if len(chosen) < self._most and cost <= seconds:
                chosen.append(candidate)
        return sorted(chosen, key=lambda candidate: candidate.step.index)


def label_of(actions: Sequence[Action]) -> str:
    """Name the kind of input a turn is, coarse enough to count distinct ones; nothing for waiting."""
    return " ".join(dict.fromkeys(filter(None, map(_label, actions))))


def _label(action: Action) -> str:
    match action:
        case Press(keys) | Hold(keys):
            return f"press:{'+'.join(keys)}"
        case Click(button=button):
            return f"click:{button}"
        case Scroll(notches):
            return f"scroll:{'up' if notches > 0 else 'down'}"
        case Move():
            return "move"
        case Wait():
            return ""


def play_twins(
    candidates: Sequence[Candidate], turns: Sequence[Turn], spec: RunSpec, launch: Callable[[FrameSink], Session]
) -> Iterator[Twin]:
    """Play the twin of each candidate; one that fails is not comparable, which says nothing about the episode."""
    for candidate in candidates:
        try:
            without = _without(candidate.step, turns, spec, launch)
        except PlaySuiteError:
            without = None
        yield _compare(candidate, without)


def _without(
    step: Step, turns: Sequence[Turn], spec: RunSpec, launch: Callable[[FrameSink], Session]
) -> Observation | None:
    """Return what the game shows after `step` without its input, or None if it went another way even before it."""
    witness = Witness(spec.film_fps)
    with launch(witness) as session:
        seen = witness.see(look(session))
        for turn in turns[: step.index]:
            seen = witness.see(advance(session, seen, turn, spec))
        if witness.digest != step.digest:
            return None
        return advance(session, seen, step.turn, spec, silent=True)


def _compare(candidate: Candidate, without: Observation | None) -> Twin:
    comparable = without is not None and without.frame.shape == candidate.after.shape
    changed = float(np.any(without.frame != candidate.after, axis=-1).mean()) if comparable and without else 0.0
    return Twin(
        step=candidate.step.index,
        actions=candidate.step.turn.actions,
        label=candidate.label,
        t=candidate.step.t,
        comparable=comparable,
        differs=changed > 0,
        changed=changed,
    )
