"""The numbers: means, shares and counts. A fault is never a 0; what has no level is counted, and left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.actions import ParseStatus
from playsuite.core.records import Level
from playsuite.report.conditions import order
from playsuite.report.results import Result, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

READABLE = (ParseStatus.OK, ParseStatus.REPAIRED, ParseStatus.PARTIAL)
"""Answers from which at least one action could be taken."""
NO_GENRE = "not stated"


class Summary(Struct, frozen=True):
    """What some episodes under one judge come to."""

    mean: float | None
    """Progress Score, 0 to 4, over the valid ones; None if there are none."""
    at_least_partial: float | None
    """Share of the valid ones, 0 to 1."""
    levels: tuple[int, ...]
    """How many valid ones have level 0, 1, 2, 3, 4."""
    valid: int
    unsure: int
    """How many of these have level 0 although the judge could not tell whether the player was in control."""
    faulted: int
    total: int
    """All that were planned, so `total - valid - faulted` are not played or not judged yet."""


class MainRow(Struct, frozen=True):
    """One line of the main table."""

    condition: str
    baseline: bool
    summary: Summary
    parse_rate: float | None
    """Share of a model's answers an action could be read from; None for baselines, which need no reading."""
    specs: tuple[str, ...]
    """Digests of the specs the figures come from."""


class AnswersRow(Struct, frozen=True):
    """How the answers of one model could be read, faulted episodes included."""

    condition: str
    counts: dict[str, int]
    """Answers of each `ParseStatus`, all of them."""
    total: int


class Cell(Struct, frozen=True):
    """All episodes of one game (or genre) under one condition."""

    results: tuple[Result, ...]
    summary: Summary


class CrossRow(Struct, frozen=True):
    """One line of a table against conditions."""

    name: str
    cells: tuple[Cell, ...]
    """In the order of the conditions."""
    note: str = ""


def summarise(results: Iterable[Result]) -> Summary:
    """Summarise episodes of one judge."""
    results = list(results)
    levels = [row.level for row in results if row.level is not None]
    return Summary(
        mean=sum(levels) / len(levels) if levels else None,
        at_least_partial=sum(level >= Level.PARTIAL for level in levels) / len(levels) if levels else None,
        levels=tuple(levels.count(level) for level in Level),
        valid=len(levels),
        unsure=sum(row.level is Level.NONE and bool(row.unknown) for row in results),
        faulted=sum(row.state is State.FAULTED for row in results),
        total=len(results),
    )


def main_table(results: Sequence[Result]) -> list[MainRow]:
    """Return one row for each condition, baselines first, the others by their mean."""
    rows = [_main_row([row for row in results if row.condition == name]) for name in conditions_of(results)]
    models = sorted((row for row in rows if not row.baseline), key=lambda row: -(row.summary.mean or 0.0))
    return [row for row in rows if row.baseline] + models


def answers_table(results: Sequence[Result]) -> list[AnswersRow]:
    """Return one row for each model: how often its answers came to each parse status."""
    rows = []
    for name in conditions_of(results):
        of_model = [row for row in results if row.condition == name and not row.baseline]
        counts = {status.value: sum(row.parse.get(status, 0) for row in of_model) for status in ParseStatus}
        rows += [AnswersRow(name, counts, sum(counts.values()))] if of_model else []
    return rows


def conditions_of(results: Iterable[Result]) -> list[str]:
    """List the conditions, baselines first."""
    return sorted({row.condition for row in results}, key=order)


def genre_table(results: Sequence[Result]) -> list[CrossRow]:
    """Return genre against condition."""
    return _cross(results, lambda row: (row.genre or NO_GENRE, ""))


def game_table(results: Sequence[Result]) -> list[CrossRow]:
    """Return game against condition."""
    return _cross(results, lambda row: (row.title, row.game))


def parse_rate(results: Iterable[Result]) -> float | None:
    """Return the share of all answers from which an action could be read."""
    counts = [(status, count) for row in results for status, count in row.parse.items()]
    every = sum(count for _, count in counts)
    return sum(count for status, count in counts if status in READABLE) / every if every else None


def _main_row(results: Sequence[Result]) -> MainRow:
    first = results[0]
    return MainRow(
        condition=first.condition,
        baseline=first.baseline,
        summary=summarise(results),
        parse_rate=None if first.baseline else parse_rate(results),
        specs=tuple(sorted({row.spec for row in results})),
    )


def _cross(results: Sequence[Result], named: Callable[[Result], tuple[str, str]]) -> list[CrossRow]:
    columns = conditions_of(results)
    cells: dict[tuple[str, str], dict[str, list[Result]]] = {}
    for row in results:
        cells.setdefault(named(row), {}).setdefault(row.condition, []).append(row)
    return [
        CrossRow(name, tuple(_cell(found.get(column, ())) for column in columns), note)
        for (name, note), found in sorted(cells.items(), key=lambda item: (item[0][0].lower(), item[0][1]))
    ]


def _cell(results: Sequence[Result]) -> Cell:
    return Cell(tuple(results), summarise(results))
