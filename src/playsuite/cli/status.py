"""`playsuite status`: how far a run is."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path  # noqa: TC003 the command line reads it from the signature
from typing import TYPE_CHECKING

import msgspec

from playsuite.core.store import Run

if TYPE_CHECKING:
    from playsuite.play.status import Status


def status(folder: Path, *, json: bool = False) -> None:
    """Show how far a run is, from its files alone, while it goes on or afterwards.

    Parameters
    ----------
    folder
        Folder of the run.
    json
        One JSON record instead of text.
    """
    from playsuite.play.status import status_of

    now = status_of(Run.open(folder))
    print(msgspec.json.encode(now).decode() if json else _text(now))  # noqa: T201 data go to stdout


def _text(now: Status) -> str:
    faults = ", ".join(f"{boundary} {count}" for boundary, count in now.faults.items())
    left = f"{timedelta(seconds=round(now.eta_seconds))} left" if now.eta_seconds is not None else "nobody is playing"
    rows = {
        "run": f"{now.run} ({now.agent})",
        "done": f"{now.done} of {now.total}",
        "running": str(now.running),
        "stale": f"{now.stale} (their players were killed; run again to continue)" if now.stale else "0",
        "failed": f"{now.failed} ({faults})" if faults else "0",
        "retried": str(now.retried),
        "rate": f"{now.episodes_per_hour:.0f} episodes an hour, {now.speed:.1f} game seconds a second and worker",
        "time": left if now.done < now.total else "done",
    }
    return "\n".join(f"{name:<8} {value}" for name, value in rows.items())
