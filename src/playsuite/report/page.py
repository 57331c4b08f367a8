"""The page: one HTML file that needs nothing but the films and pictures beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.records import Level
from playsuite.report.results import UNJUDGED, Result, judges, under
from playsuite.report.tables import (
    AnswersRow,
    CrossRow,
    MainRow,
    answers_table,
    conditions_of,
    game_table,
    genre_table,
    main_table,
)
from playsuite.report.text import ANSWERS_READING, READING, answers_cell, heading, level_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.report.cards import Card


class Judged(Struct, frozen=True):
    """All tables of one judge; tables never mix judges."""

    number: int
    heading: str
    judged: bool
    rows: tuple[MainRow, ...]
    answers: tuple[AnswersRow, ...]
    genres: tuple[CrossRow, ...]
    games: tuple[CrossRow, ...]


def judged(results: Sequence[Result]) -> list[Judged]:
    """Return the tables of each judge."""
    return [
        Judged(
            number=number,
            heading=heading(judge),
            judged=judge != UNJUDGED,
            rows=tuple(main_table(own)),
            answers=tuple(answers_table(own)),
            genres=tuple(genre_table(own)),
            games=tuple(game_table(own)),
        )
        for number, judge in enumerate(judges(results))
        for own in [under(results, judge)]
    ]


def render(results: Sequence[Result], cards: Sequence[Card], *, settings: Sequence[str], made: str) -> str:
    """Return the page; whatever games and models say is escaped.

    Raises:
        jinja2.TemplateError: the template and this module do not fit.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("playsuite.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(clock=clock, spoken=spoken, level_text=level_text, answers_cell=answers_cell)
    return environment.get_template("page.html.jinja").render(
        judges=judged(results),
        conditions=conditions_of(results),
        cards=cards,
        levels=[(int(level), level.name.capitalize()) for level in Level],
        settings=settings,
        reading=READING,
        answers_reading=ANSWERS_READING,
        made=made,
    )


def clock(seconds: float) -> str:
    """Write seconds as m:ss."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


def spoken(field: str) -> str:
    """Write a milestone's field as words."""
    return field.replace("_", " ").replace(" or ", " / ")
