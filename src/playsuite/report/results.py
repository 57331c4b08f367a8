"""One row for each planned episode and judge: what was played, how it ended and what the judge said."""

from __future__ import annotations

from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from playsuite.core.records import Ending, Episode, Fault, Level, Milestones, PlanItem, Verdict
from playsuite.report.conditions import Condition, conditions, order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.store import Run

UNJUDGED = ""
"""Name of the judge in the rows of runs that no judge has watched."""


class State(StrEnum):
    """What can be said about a planned episode."""

    VALID = "valid"
    """It has a level."""
    FAULTED = "faulted"
    """It, or its verdict, failed; it has no level and is never counted as one."""
    UNJUDGED = "unjudged"
    UNPLAYED = "unplayed"


class Result(Struct, frozen=True, kw_only=True):
    """One planned episode under one judge."""

    run: str
    condition: str
    baseline: bool
    spec: str
    key: str
    game: str
    title: str
    genre: str
    seed: int
    repeat: int
    judge: str
    state: State
    level: Level | None = None
    fault: Fault | None = None
    ending: Ending | None = None
    steps: int = 0
    seconds: float = 0.0
    parse: dict[str, int] = {}
    milestones: Milestones | None = None
    unknown: tuple[str, ...] = ()


def join(runs: Sequence[Run]) -> list[Result]:
    """Join plan, episodes and verdicts of all runs, baselines first; an episode that two runs share counts once.

    Raises:
        StoreError: a file of a run cannot be read.
    """
    told = conditions([run.spec for run in runs])
    rows = chain.from_iterable(_of_run(run, condition) for run, condition in zip(runs, told, strict=True))
    once: dict[tuple[str, str], Result] = {}
    for row in rows:
        known = once.get((row.judge, row.key))
        if known is None or _better(row, known):
            once[row.judge, row.key] = row
    return sorted(once.values(), key=_place)


def judges(rows: Sequence[Result]) -> list[str]:
    """List the judges of some rows; the empty name stands for runs without one, and only if no run has one."""
    return sorted({row.judge for row in rows} - {UNJUDGED}) or [UNJUDGED]


def under(rows: Sequence[Result], judge: str) -> list[Result]:
    """Return the rows of one judge; episodes of runs it has not watched come as they are without it."""
    own = {row.key: row for row in rows if row.judge == judge}
    others = {row.key: _without_verdict(row, judge) for row in rows if row.key not in own}
    return sorted([*own.values(), *others.values()], key=_place)


def _place(row: Result) -> tuple[object, ...]:
    return (order(row.condition), row.title.lower(), row.repeat, row.key)


def _of_run(run: Run, condition: Condition) -> list[Result]:
    episodes = {key: run.header(key) for key in run.finished()}
    verdicts: dict[str, dict[str, Verdict]] = {}
    for folder in run.judges():
        by_key = run.verdicts(folder)
        verdicts |= {verdict.judge: by_key for verdict in by_key.values()}
    return [
        _filled(_row(run, condition, item, judge), episodes.get(item.key), of_judge.get(item.key))
        for judge, of_judge in (verdicts or {UNJUDGED: {}}).items()
        for item in run.plan
    ]


def _row(run: Run, condition: Condition, item: PlanItem, judge: str) -> Result:
    game = run.games[item.game]
    return Result(
        run=run.folder.name,
        condition=condition.label,
        baseline=condition.baseline,
        spec=run.spec.digest(),
        key=item.key,
        game=game.id,
        title=game.title,
        genre=game.genre,
        seed=item.seed,
        repeat=item.repeat,
        judge=judge,
        state=State.UNPLAYED,
    )


def _filled(row: Result, episode: Episode | None, verdict: Verdict | None) -> Result:
    if episode is None:
        return row
    fault = episode.fault or (verdict.fault if verdict else None)
    row = replace(
        row,
        state=State.FAULTED if fault else State.UNJUDGED,
        fault=fault,
        ending=episode.ending,
        steps=episode.steps,
        seconds=episode.seconds,
        parse=episode.parse,
    )
    if verdict is None or fault is not None or verdict.level is None:
        return row
    return replace(row, state=State.VALID, level=verdict.level, milestones=verdict.milestones, unknown=verdict.unknown)


def _without_verdict(row: Result, judge: str) -> Result:
    """Return a row as it is without a verdict; only the episode's own fault stays."""
    if row.state is State.UNPLAYED or row.ending is Ending.FAULT:
        return replace(row, judge=judge)
    return replace(row, judge=judge, state=State.UNJUDGED, fault=None, level=None, milestones=None, unknown=())


def _better(one: Result, other: Result) -> bool:
    """Tell whether of two rows for the same episode the first says more."""
    worth = [State.UNPLAYED, State.UNJUDGED, State.FAULTED, State.VALID]
    return worth.index(one.state) > worth.index(other.state)
