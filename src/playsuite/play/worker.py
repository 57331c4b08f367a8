"""One worker process: claim an episode, play it, publish it, until nothing is left to claim."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec

from playsuite.core.claims import Holder
from playsuite.core.errors import AgentError, PlaySuiteError, StoreError
from playsuite.core.home import Home
from playsuite.core.records import Fault
from playsuite.core.store import Run
from playsuite.play.attempts import settle
from playsuite.play.episode import order_of, play_episode
from playsuite.play.inputs import inputs_of
from playsuite.play.news import Began, Ended, News, Stopped, WorkerOrders

if TYPE_CHECKING:
    from collections.abc import Callable

    from playsuite.core.claims import Claim
    from playsuite.core.lines import LineWriter
    from playsuite.core.records import PlanItem
    from playsuite.play.episode import Order

UNANSWERED = 5
"""Episodes in a row without an answer from the agent that mean its server is gone."""
PR_SET_PDEATHSIG = 1


def main() -> int:
    """Run a worker as its command line says."""
    orders = msgspec.json.decode(sys.argv[1], type=WorkerOrders)
    _die_with(orders.parent)
    # The parent sees the pipe end with the worker, not with the games it started.
    os.set_inheritable(orders.news, False)  # noqa: FBT003 it takes no keywords
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    with os.fdopen(orders.news, "wb", buffering=0) as pipe:

        def tell(news: News) -> None:
            pipe.write(msgspec.json.encode(news) + b"\n")

        try:
            work(Run.open(Path(orders.run)), orders, tell)
        except PlaySuiteError as error:
            tell(Stopped(Fault(error.boundary, str(error))))
            return 1
    return 0


def work(run: Run, orders: WorkerOrders, tell: Callable[[News], None]) -> None:
    """Play one episode after the other until none is left that nobody else has claimed.

    Raises:
        StoreError: the disk is full.
        ConfigError: this machine is not set up for the run.
        AgentError: the agent has stopped answering altogether.
    """
    home, holder, inputs = Home.here(), Holder.here(), inputs_of(run)
    tries: Counter[str] = Counter()
    unanswered = 0
    with run.results_writer(holder) as results:
        while claimed := _claim_next(run, holder, tries):
            item, claim = claimed
            with claim:
                tell(Began(item.key))
                order = order_of(run, item.key, home, trust=orders.trust, endpoint=orders.endpoint, inputs=inputs)
                ended = _attempt(run, order, claim, holder, results)
            tell(ended)
            tries[item.key] += 1
            fault = ended.episode.fault
            unanswered = unanswered + 1 if fault is not None and fault.boundary == AgentError.boundary else 0
            if fault is not None and unanswered >= UNANSWERED:
                raise AgentError(f"{unanswered} episodes in a row got no answer: {fault.message}")


def _claim_next(run: Run, holder: Holder, tries: Counter[str]) -> tuple[PlanItem, Claim] | None:
    """Claim an episode that is missing; those that failed here come last."""
    finished = run.finished()
    missing = [item for item in run.plan if item.key not in finished]
    for item in sorted(missing, key=lambda item: tries[item.key]):
        claim = run.claim(item.key, holder)
        if claim is None:
            continue
        if not run.is_finished(item.key):  # somebody may have finished it since we looked
            return item, claim
        claim.release()
    return None


def _attempt(run: Run, order: Order, claim: Claim, holder: Holder, results: LineWriter) -> Ended:
    with run.draft(order.item.key, holder) as draft:
        episode = play_episode(order, draft)
        if episode.fault is not None and episode.fault.boundary == StoreError.boundary:
            raise StoreError(episode.fault.message)  # no other episode could be written either, so the run stops
        if not claim.held:  # this process was stopped for so long that somebody else took over
            return Ended(episode, last=False)
        return Ended(episode, last=settle(run, results, draft, episode))


def _die_with(parent: int) -> None:
    """Have the kernel kill this process as soon as its parent is gone, however that ends."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)


def _leave(signum: int, frame: object) -> NoReturn:
    """Unwind, so that the game is closed, the draft removed and the claim given back."""
    sys.exit(128 + signum)


if __name__ == "__main__":
    sys.exit(main())
