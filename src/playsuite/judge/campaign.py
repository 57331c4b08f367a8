"""Judge a run: every finished episode without a verdict, by several processes, on one machine or many."""

from __future__ import annotations

from contextlib import ExitStack
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.claims import Holder
from playsuite.core.errors import ConfigError, JudgeError, boundary
from playsuite.core.plugins import load
from playsuite.core.records import Fault
from playsuite.core.store import Run
from playsuite.judge.watcher import Watcher, faulted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playsuite.core.claims import Claim
    from playsuite.core.records import Episode, Verdict

LONGEST_VERDICT_S = 1800.0
"""Wall seconds after which a judge hangs; the slowest healthy one waits minutes for a busy model server."""
OVERDUE_CHECK_S = 1.0


class Campaign(Struct, frozen=True):
    """What one judge has to do in one run."""

    run: Run
    plugin: str
    judge: str
    """The judge's own name, with its version."""
    keys: tuple[str, ...]
    """Episodes without a verdict, or whose verdict is a fault of the judge, in the plan's order."""


def prepare(run: Run, plugin: str) -> Campaign:
    """Find out what a judge has to do.

    Raises:
        ConfigError: there is no such judge.
    """
    made = load("judges", plugin)
    with boundary(ConfigError, f"making the judge '{plugin}'"):
        judge: str = made().name
    finished, verdicts = run.finished(), run.verdicts(judge)
    played = [item.key for item in run.plan if item.key in finished]
    return Campaign(run, plugin, judge, tuple(key for key in played if _lacks(verdicts.get(key), run.header(key))))


def carry_out(campaign: Campaign, *, workers: int, longest_s: float = LONGEST_VERDICT_S) -> Iterator[Verdict]:
    """Judge what has to be judged and yield each verdict once it is on the disk.

    Raises:
        ConfigError: the judge cannot work here.
        StoreError: a verdict cannot be written.
    """
    if not campaign.keys:
        return
    with ExitStack() as open_things:
        lines = open_things.enter_context(campaign.run.verdict_writer(campaign.judge, Holder.here()))
        bench = open_things.enter_context(_Bench(campaign, min(workers, len(campaign.keys)), longest_s))
        for claim, verdict in bench.verdicts():
            with claim:
                lines.add(verdict)
            yield verdict


class _Bench:
    """The processes that judge; one that dies is replaced."""

    def __init__(self, campaign: Campaign, seats: int, longest_s: float) -> None:
        self._campaign, self._longest_s = campaign, longest_s
        self._idle = [self._watcher() for _ in range(seats)]
        self._busy: dict[Watcher, tuple[str, Claim]] = {}

    def __enter__(self) -> _Bench:
        return self

    def __exit__(self, *_: object) -> None:
        for watcher in (*self._idle, *self._busy):
            watcher.close()
        for _key, claim in self._busy.values():
            claim.release()

    def verdicts(self) -> Iterator[tuple[Claim, Verdict]]:
        todo = _claimed(self._campaign)
        while self._give_work(todo):
            for watcher in self._answered():
                verdict = self._verdict(watcher, self._busy[watcher][0])
                yield self._busy.pop(watcher)[1], verdict

    def _give_work(self, todo: Iterator[tuple[str, Claim]]) -> bool:
        """Keep every process busy; return False when all is done."""
        while self._idle and (task := next(todo, None)) is not None:
            watcher = self._idle.pop()
            watcher.ask(task[0])
            self._busy[watcher] = task
        return bool(self._busy)

    def _answered(self) -> list[Watcher]:
        ready = wait([watcher.connection for watcher in self._busy], OVERDUE_CHECK_S)
        for watcher in self._busy:
            watcher.end_if_overdue()
        return [watcher for watcher in self._busy if watcher.connection in ready]

    def _verdict(self, watcher: Watcher, key: str) -> Verdict:
        try:
            verdict = watcher.answer()
        except JudgeError as error:
            self._idle.append(self._watcher())
            fault = Fault(error.boundary, str(error))
            return faulted(self._campaign.run.header(key), self._campaign.judge, fault)
        self._idle.append(watcher)
        return verdict

    def _watcher(self) -> Watcher:
        return Watcher(self._campaign.run.folder, self._campaign.plugin, longest_s=self._longest_s)


def _claimed(campaign: Campaign) -> Iterator[tuple[str, Claim]]:
    """Claim the episodes one by one, leaving out those that another machine judges or has judged meanwhile."""
    run, holder = campaign.run, Holder.here()
    for key in campaign.keys:
        claim = run.claim(key, holder, task=campaign.judge)
        if claim is None:
            continue
        if _lacks(run.verdicts(campaign.judge).get(key), run.header(key)):
            yield key, claim
        else:
            claim.release()


def _lacks(verdict: Verdict | None, episode: Episode) -> bool:
    """Tell whether an episode still needs a verdict; a fault of its own is one, a fault of the judge is none."""
    return verdict is None or (verdict.fault is not None and verdict.fault != episode.fault)
