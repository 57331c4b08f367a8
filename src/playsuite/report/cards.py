"""What the page shows of one episode: its film, what each judge said, and what the player did."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.grammar import format_actions
from playsuite.core.records import Ending, Evidence
from playsuite.report.results import Result, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from playsuite.core.records import Step

LONGEST_WORDS = 280
"""Characters of a model's own words on the page; the whole answer is in the episode's steps."""
ENDINGS = {Ending.TIME_UP: "time up", Ending.GAME_OVER: "game over", Ending.FAULT: "fault"}


class Opinion(Struct, frozen=True):
    """What one judge said."""

    number: int
    """Which of the page's judges."""
    state: str
    """For the filter: a level as a digit, "fault", "unjudged" or "unplayed"."""
    label: str
    fault: str = ""
    evidence: tuple[Evidence, ...] = ()
    unknown: tuple[str, ...] = ()


class Moment(Struct, frozen=True):
    """One or several steps in a row in which the player did the same."""

    t: float
    count: int
    actions: str
    words: str = ""
    trouble: str = ""
    """Why an answer could not be read as it was."""


class Files(Struct, frozen=True):
    """Where the files of an episode are, relative to the page; empty if there is none."""

    film: str = ""
    poster: str = ""
    log: str = ""


class Card(Struct, frozen=True, kw_only=True):
    """One episode on the page."""

    result: Result
    """Of any judge: what is shown of it is the same for all."""
    files: Files
    opinions: tuple[Opinion, ...]
    moments: tuple[Moment, ...]

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        return ENDINGS[self.result.ending] if self.result.ending else "not played"

    @property
    def haystack(self) -> str:
        """What a search looks through."""
        faults = [opinion.fault for opinion in self.opinions]
        one = self.result
        return " ".join([one.title, one.game, one.genre, one.condition, one.run, one.key, *faults]).lower()


def card(by_judge: Sequence[Result], files: Files, steps: Iterable[Step]) -> Card:
    """Return the card of one episode, given its row under each judge of the page."""
    opinions = tuple(_opinion(number, result) for number, result in enumerate(by_judge))
    return Card(result=by_judge[0], files=files, opinions=opinions, moments=tuple(moments(steps)))


def moments(steps: Iterable[Step]) -> list[Moment]:
    """Fold steps in a row that are the same to the reader."""
    told = [(step.t, format_actions(step.turn.actions), _words(step), _trouble(step)) for step in steps]
    return [
        Moment(t=run[0][0], count=len(run), actions=same[0], words=same[1], trouble=same[2])
        for same, group in groupby(told, key=lambda one: one[1:])
        for run in [list(group)]
    ]


def _opinion(number: int, result: Result) -> Opinion:
    seen = result.milestones
    match result.state:
        case State.VALID if result.level is not None:
            state, label = str(int(result.level)), result.level.name.capitalize()
        case State.FAULTED:
            state, label = "fault", "Fault"
        case State.UNPLAYED:
            state, label = "unplayed", "Not played"
        case _:
            state, label = "unjudged", "Not judged"
    fault = f"{result.fault.boundary}: {result.fault.message}" if result.fault else ""
    return Opinion(number, state, label, fault, seen.milestones if seen else (), result.unknown)


def _words(step: Step) -> str:
    words = " ".join((step.turn.reasoning or step.turn.observation or "").split())
    return words if len(words) <= LONGEST_WORDS else words[:LONGEST_WORDS].rstrip() + " …"


def _trouble(step: Step) -> str:
    return "; ".join(step.turn.notes)
