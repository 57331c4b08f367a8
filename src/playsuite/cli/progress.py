"""Show how a run goes: a bar with the time left on a terminal, a line for each attempt elsewhere."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

    from playsuite.play.news import Ended
    from playsuite.play.run import Progress


def show(steps: Generator[Progress]) -> Progress | None:
    """Show all progress until there is no more; return that with the most workers. The work stops when this does."""
    fullest: list[Progress] = []
    with closing(steps):
        if sys.stderr.isatty():
            _show_bar(_noting(fullest, steps))
        else:
            _show_lines(_noting(fullest, steps))
    return fullest[0] if fullest else None


def _noting(fullest: list[Progress], steps: Generator[Progress]) -> Generator[Progress]:
    """Hand progress on, and keep the last one of those with the most workers."""
    for now in steps:
        if not fullest or now.workers >= fullest[0].workers:
            fullest[:] = [now]
        yield now


def _show_bar(steps: Generator[Progress]) -> None:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    # Episodes take minutes each, so the speed has to be taken over hours.
    with Progress(*columns, console=Console(stderr=True), speed_estimate_period=4 * 3600) as bar:
        task = bar.add_task("", total=None)
        for now in steps:
            bar.update(task, total=now.total, completed=now.finished, description=", ".join(now.playing))
            for ended in now.ended:
                if ended.episode.fault is not None:
                    bar.console.print(_line(ended), markup=False, highlight=False)


def _show_lines(steps: Generator[Progress]) -> None:
    done: int | None = None
    for now in steps:
        # Counted here from the first look on: what is finished on disk may be ahead of what we have been told.
        done = now.finished if done is None else done
        for ended in now.ended:
            done += ended.last
            print(f"[{done}/{now.total}] {_line(ended)}", file=sys.stderr, flush=True)  # noqa: T201


def _line(ended: Ended) -> str:
    episode = ended.episode
    if episode.fault is None:
        return f"{episode.game}: {episode.ending} after {episode.seconds:.0f} s, played in {episode.wall_seconds:.0f} s"
    again = "" if ended.last else "; another attempt follows"
    return f"{episode.game}: fault of the {episode.fault.boundary}: {episode.fault.message}{again}"
