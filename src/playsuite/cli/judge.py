"""`playsuite judge`: turn the films of a run into verdicts."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 cyclopts reads the annotations at run time
from typing import TYPE_CHECKING

import msgspec

from playsuite.cli import DONE, WITH_FAULTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playsuite.core.records import Verdict
    from playsuite.judge.campaign import Campaign


def judge(run: Path, *, judge: str = "cpu", workers: int = 1, json: bool = False) -> int:
    """Judge the episodes of a run that have no verdict yet; verdicts that failed are tried again.

    An episode with a fault gets a verdict with that fault, never a level. Exit code 1 means that the judge itself
    failed on some episodes.

    Parameters
    ----------
    run
        The folder of the run.
    judge
        Name of the judge.
    workers
        Processes that judge at the same time; each needs one core and 0.5 GB.
    json
        One JSON verdict a line on stdout, as they come.
    """
    from playsuite.core.errors import ConfigError
    from playsuite.core.store import Run
    from playsuite.judge.campaign import carry_out, prepare

    if workers < 1:
        raise ConfigError(f"--workers {workers}: at least one process has to judge")
    campaign = prepare(Run.open(run), judge)
    for verdict in _with_progress(carry_out(campaign, workers=workers), campaign):
        if json:
            print(msgspec.json.encode(verdict).decode(), flush=True)  # noqa: T201 data go to stdout
    return _summarise(campaign, list(campaign.run.verdicts(campaign.judge).values()))


def _with_progress(verdicts: Iterator[Verdict], campaign: Campaign) -> Iterator[Verdict]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"judging '{campaign.run.folder.name}'", total=len(campaign.keys))
        for verdict in verdicts:
            progress.advance(task)
            yield verdict


def _summarise(campaign: Campaign, verdicts: Sequence[Verdict]) -> int:
    """Say on stderr what all verdicts of this judge come to, and return the exit code."""
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    broken = [verdict.fault for verdict in verdicts if verdict.fault]
    failed = [fault for fault in broken if fault.boundary in {"judge", "store"}]
    console.print(
        f"{campaign.judge}: {len(verdicts) - len(broken)} episodes have a level, {len(broken)} have a fault, "
        f"{len(campaign.run.plan) - len(verdicts)} of {len(campaign.run.plan)} are not played yet",
        markup=False,
    )
    for fault in failed[:3]:
        console.print(f"fault of the {fault.boundary}: {fault.message}", markup=False)
    return WITH_FAULTS if failed else DONE
