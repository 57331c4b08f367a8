"""How far a run is, told from its files alone."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playsuite.core.records import Episode
    from playsuite.core.store import Run

RECENT = 20
"""Episodes the rate is taken from."""


class Status(Struct, frozen=True, kw_only=True):
    """How far a run is."""

    run: str
    agent: str
    total: int
    done: int
    running: int
    stale: int
    """Episodes whose player was killed; they are played again when the run goes on."""
    failed: int
    """Of the done ones, those with a fault."""
    faults: dict[str, int]
    """The failed ones by boundary."""
    retried: int
    """Attempts beyond the first."""
    speed: float
    """Game seconds played in a wall second, by one worker."""
    episodes_per_hour: float
    """Lately, by all workers; 0 while nothing is known or nobody plays."""
    eta_seconds: float | None


def status_of(run: Run) -> Status:
    """Return how far a run is.

    Raises:
        StoreError: its files cannot be read.
    """
    finished, results = run.finished(), run.results()
    done = [results[key] for key in finished if key in results]
    drafts = run.drafts() - finished
    running = {key for key in drafts if run.holder_of(key) is not None}
    faults = Counter(episode.fault.boundary for episode in done if episode.fault is not None)
    rate = _per_second(done) if running else 0.0
    return Status(
        run=run.folder.name,
        agent=run.spec.player,
        total=len(run.plan),
        done=len(finished),
        running=len(running),
        stale=len(drafts - running),
        failed=faults.total(),
        faults=dict(faults),
        retried=len(run.every_attempt()) - len(results),
        speed=_ratio(sum(episode.seconds for episode in done), sum(episode.wall_seconds for episode in done)),
        episodes_per_hour=3600 * rate,
        eta_seconds=(len(run.plan) - len(finished)) / rate if rate else None,
    )


def _per_second(done: Iterable[Episode]) -> float:
    """Return how many episodes a wall second were finished lately."""
    recent = sorted(done, key=lambda episode: _began(episode) + episode.wall_seconds)[-RECENT:]
    since = min(map(_began, recent), default=0.0)
    return _ratio(len(recent), datetime.now(UTC).timestamp() - since)


def _began(episode: Episode) -> float:
    return datetime.fromisoformat(episode.started).timestamp()


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
