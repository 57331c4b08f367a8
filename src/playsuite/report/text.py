"""Tables as text: Markdown for files, rich tables for terminals."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from playsuite.report.results import UNJUDGED, State, judges, under
from playsuite.report.tables import answers_table, conditions_of, game_table, genre_table, main_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.table import Table

    from playsuite.report.results import Result
    from playsuite.report.tables import AnswersRow, Cell, MainRow

MAIN_HEAD = (
    "Agent",
    "Mean progress (0-4)",
    "At least partial",
    "Levels 0/1/2/3/4",
    "Valid/faulted/total",
    "Unsure 0",
    "Parsed",
)
NOT_JUDGED = "No judge has watched these episodes yet. Judge them: playsuite judge RUN"
READING = (
    "Mean progress is an ordinal summary over valid episodes, never a share of a game completed. A fault is never a 0: "
    "it is counted as faulted and left out. Episodes that are neither valid nor faulted are not played or judged yet. "
    "An unsure 0 may hide a 1: the judge could not tell whether the player was in control."
)
ANSWERS_READING = (
    "An answer that is no_action, invalid or truncated cost its turn: the player waited. Of a partial one some actions "
    "were refused; a repaired one was done, though something in it had to be guessed or left out."
)
NOTHING = "–"


def markdown(results: Sequence[Result]) -> str:
    """Return all tables as one Markdown page."""
    return "\n".join(_markdown_lines(results)) + "\n"


def terminal(results: Sequence[Result]) -> Iterator[Table]:
    """Yield the main table of each judge for a terminal."""
    from rich.table import Table

    for judge in judges(results):
        table = Table(title=heading(judge), title_justify="left", title_style="bold", caption_justify="left")
        for number, name in enumerate(MAIN_HEAD):
            table.add_column(name, justify="right" if number else "left")
        for row in main_table(under(results, judge)):
            name, *figures = main_cells(row)
            table.add_row(_plain(name), *figures, style="dim" if row.baseline else None)
        table.caption = NOT_JUDGED if judge == UNJUDGED else None
        yield table


def heading(judge: str) -> str:
    """Return what the tables of a judge are called."""
    return "Not judged yet" if judge == UNJUDGED else f"Judged by {judge}"


def main_cells(row: MainRow) -> tuple[str, ...]:
    """Return the cells of a line of the main table."""
    summary = row.summary
    return (
        f"{row.condition} (baseline)" if row.baseline else row.condition,
        NOTHING if summary.mean is None else f"{summary.mean:.2f}",
        NOTHING if summary.at_least_partial is None else f"{summary.at_least_partial:.0%}",
        "/".join(map(str, summary.levels)) if summary.valid else NOTHING,
        f"{summary.valid}/{summary.faulted}/{summary.total}",
        str(summary.unsure),
        NOTHING if row.parse_rate is None else f"{row.parse_rate:.1%}",
    )


def answers_cell(row: AnswersRow, status: str) -> str:
    """Return how many answers came to a parse status, and their share."""
    count = row.counts[status]
    return f"{count} ({count / row.total:.1%})" if count else "0"


def genre_cell(cell: Cell) -> str:
    """Return a genre's mean and how many episodes it comes from."""
    return NOTHING if cell.summary.mean is None else f"{cell.summary.mean:.2f} ({cell.summary.valid})"


def game_cell(cell: Cell) -> str:
    """Return the level of each repeat, or what there is instead."""
    return " ".join(level_text(result) for result in cell.results) or NOTHING


def level_text(result: Result) -> str:
    """Return an episode's level as a digit, or why it has none."""
    if result.level is not None:
        return str(int(result.level))
    return {State.FAULTED: "fault", State.UNJUDGED: "?"}.get(result.state, NOTHING)


def _markdown_lines(results: Sequence[Result]) -> Iterator[str]:
    yield from ("# PlaySuite report", "", READING, "")
    for judge in judges(results):
        own = under(results, judge)
        columns = conditions_of(own)
        yield from (f"## {heading(judge)}", "")
        if judge == UNJUDGED:
            yield from (NOT_JUDGED, "")
        rows = main_table(own)
        yield from _markdown_table((*MAIN_HEAD, "Spec"), [(*main_cells(row), _specs(row)) for row in rows])
        yield from _answers(own)
        yield from ("### By genre", "", "Mean progress (valid episodes).", "")
        genres = [(row.name, *map(genre_cell, row.cells)) for row in genre_table(own)]
        yield from _markdown_table(("Genre", *columns), genres)
        yield from ("### By game", "", "The level of each episode; `?` is not judged yet.", "")
        games = [(f"{row.name} ({row.note})", *map(game_cell, row.cells)) for row in game_table(own)]
        yield from _markdown_table(("Game", *columns), games)


def _answers(results: Sequence[Result]) -> Iterator[str]:
    if rows := answers_table(results):
        yield from ("### How answers could be read", "", ANSWERS_READING, "")
        lines = [(row.condition, str(row.total), *(answers_cell(row, status) for status in row.counts)) for row in rows]
        yield from _markdown_table(("Model", "Answers", *rows[0].counts), lines)


def _specs(row: MainRow) -> str:
    return ", ".join(f"`{spec[:12]}`" for spec in row.specs)


def _markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield _markdown_row(head)
    yield _markdown_row(["---", *["---:"] * (len(head) - 1)])
    yield from map(_markdown_row, rows)
    yield ""


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_markdown_text(cell) for cell in cells) + " |"


def _markdown_text(text: str) -> str:
    """Keep titles from being read as markup."""
    return escape(" ".join(text.split()), quote=False).replace("|", "\\|")


def _plain(text: str) -> str:
    from rich.markup import escape as escape_markup

    return escape_markup(text)
