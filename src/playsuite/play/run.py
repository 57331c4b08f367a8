"""Play what is missing of a run with as many workers as asked for; a kill at any instant loses what was in flight."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.claims import Holder
from playsuite.core.errors import AgentError, ConfigError, PlaySuiteError, StoreError
from playsuite.core.home import Home
from playsuite.core.records import Fault
from playsuite.play.attempts import note_published, recover, settle
from playsuite.play.crew import Crew, Worker
from playsuite.play.episode import blank_header, order_of, wall_limit_s
from playsuite.play.news import Ended, News, Stopped
from playsuite.play.pace import Bound, Recruiter

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from playsuite.core.lines import LineWriter
    from playsuite.core.protocols import Endpoint
    from playsuite.core.store import Run
    from playsuite.play.pace import Pace

TICK_S = 0.5
OVERDUE = 2.5
"""A worker is killed when an episode takes so many times its wall limit: once for playing, once for its twins."""
FRUITLESS_DEATHS = 10
"""So many workers may die one after the other before anything is finished; then no other will do better."""
ERRORS = {kind.boundary: kind for kind in (StoreError, ConfigError, AgentError)}


class Progress(Struct, frozen=True):
    """How far a run is."""

    total: int
    finished: int
    playing: tuple[str, ...] = ()
    """Games our own workers are at."""
    ended: tuple[Ended, ...] = ()
    """Attempts that came to their end since the last progress."""
    workers: int = 0
    bound: Bound | None = None
    """What keeps more workers from being hired, as far as known."""


def play_run(run: Run, *, pace: Pace, endpoints: Sequence[Endpoint] = (), trust: bool = False) -> Generator[Progress]:
    """Play all missing episodes and yield the progress twice a second; closing the generator stops the workers.

    The workers share out the `endpoints` of the model evenly among them.

    Raises:
        StoreError: the disk is full.
        ConfigError: this machine is not set up for the run.
        AgentError: the agent has stopped answering altogether.
        PlaySuiteError: the workers die one after the other.
    """
    holder, deaths = Holder.here(), 0
    with run.results_writer(holder) as results, Crew(str(run.folder), endpoints=endpoints, trust=trust) as crew:
        recover(run, results, holder)
        recruiter = Recruiter(pace)
        for _ in range(min(pace.begin, _missing(run))):
            crew.hire()
        yield _progress(run, crew, ())
        while crew.workers:
            news, gone = crew.listen(TICK_S)
            crew.kill_overdue(OVERDUE * wall_limit_s(run.spec))
            _refuse_to_go_on(news)
            ended = [one for one in news if isinstance(one, Ended)]
            deaths = 0 if ended else deaths
            for worker in filter(_died, gone):
                deaths += 1
                _refuse_more(deaths, worker)
                ended += _mourn(run, worker, holder, results)
                if _missing(run):
                    crew.hire()
            for _ in range(recruiter.now(workers=len(crew.workers), waiting=_waiting(run, crew))):
                crew.hire()
            yield _progress(run, crew, ended, recruiter.bound)


def _mourn(run: Run, worker: Worker, holder: Holder, results: LineWriter) -> list[Ended]:
    """Note what a dead worker was at as an attempt that failed, unless it had published it."""
    if not worker.key:
        return []
    claim = run.claim(worker.key, holder)
    if claim is None:  # another worker has taken it over already
        return []
    if run.is_finished(worker.key):
        with claim:
            note_published(run, results, worker.key)
        return [Ended(run.header(worker.key), last=True)]
    fault = Fault(PlaySuiteError.boundary, f"the worker that played it {_how(worker)}")
    episode = blank_header(order_of(run, worker.key, Home.here()), fault)
    with claim, run.draft(worker.key, holder) as draft:
        return [Ended(episode, last=settle(run, results, draft, episode))]


def _died(worker: Worker) -> bool:
    return worker.process.returncode != 0


def _refuse_more(deaths: int, worker: Worker) -> None:
    if deaths >= FRUITLESS_DEATHS:
        raise PlaySuiteError(f"{deaths} workers one after the other ended before their time; the last {_how(worker)}")


def _how(worker: Worker) -> str:
    code = worker.process.returncode
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"


def _refuse_to_go_on(news: Sequence[News]) -> None:
    for one in news:
        if isinstance(one, Stopped):
            kind = ERRORS.get(one.fault.boundary, PlaySuiteError)
            raise kind(f"{one.fault.message}. What was played is kept; run the same command again to continue")


def _missing(run: Run) -> int:
    return len(run.plan) - len(run.finished())


def _waiting(run: Run, crew: Crew) -> int:
    """Return how many missing episodes none of our workers is at; others may have claimed some."""
    return max(0, _missing(run) - len(crew.workers)) if crew.workers else 0


def _progress(run: Run, crew: Crew, ended: Sequence[Ended], bound: Bound | None = None) -> Progress:
    games = {item.key: item.game for item in run.plan}
    playing = tuple(games[worker.key] for worker in crew.workers if worker.key)
    return Progress(len(run.plan), len(run.finished()), playing, tuple(ended), len(crew.workers), bound)
