"""`playsuite report`: tables and a page from runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from playsuite.cli import log

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.report.results import Result


def report(run: Path, *more: Path, out: Path | None = None, json: bool = False) -> None:
    """Join what was played with what was judged: tables, a page with every film, and one line of JSON per episode.

    Parameters
    ----------
    run
        The folder of a run.
    more
        Further runs, to compare.
    out
        Where the report goes (default: the folder `report` of the run if there is only one, else `report`).
    json
        The main table as JSON, a row a line, instead of the table.
    """
    from playsuite.core.store import Run
    from playsuite.report.write import write_report

    folders = list(dict.fromkeys(folder.resolve() for folder in (run, *more)))
    runs = [Run.open(folder) for folder in folders]
    target = out or (runs[0].report if len(runs) == 1 else Path("report"))
    results = write_report(runs, target)
    if json:
        _print_json(results)
    else:
        _print_tables(results)
    log(f"the page: {target.absolute() / 'index.html'}")


def _print_json(results: Sequence[Result]) -> None:
    from playsuite.report.results import judges, under
    from playsuite.report.tables import main_table

    for judge in judges(results):
        for row in main_table(under(results, judge)):
            line = {"judge": judge, **msgspec.to_builtins(row)}
            print(msgspec.json.encode(line).decode())  # noqa: T201 data go to stdout


def _print_tables(results: Sequence[Result]) -> None:
    from rich.console import Console

    from playsuite.report.text import terminal

    console = Console()
    for table in terminal(results):
        console.print(table)
