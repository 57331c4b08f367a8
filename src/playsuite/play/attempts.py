"""What becomes of an attempt at an episode: it is the result, or it is made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.lines import LineWriter
    from playsuite.core.records import Episode
    from playsuite.core.store import EpisodeFolder, Run

MOST_ATTEMPTS = 3
FEWER_ATTEMPTS = {"game": 2, "sandbox": 1, "config": 1}
"""A game that failed twice is broken; a missing sandbox or a wrong manifest will be no better the next time."""


def settle(run: Run, results: LineWriter, draft: EpisodeFolder, episode: Episode) -> bool:
    """Note an attempt, and publish it unless it should be made again; tell whether it was the last.

    Raises:
        StoreError: it can be neither noted nor published; then it is as if it had not been made.
    """
    if worth_another([*run.attempts(episode.key), episode]):
        results.add(episode)
        return False
    if run.publish(draft, episode):
        results.add(episode)
    return True


def worth_another(attempts: Sequence[Episode]) -> bool:
    """Tell whether an episode should be tried again, given how all attempts so far went."""
    fault = attempts[-1].fault
    return fault is not None and len(attempts) < FEWER_ATTEMPTS.get(fault.boundary, MOST_ATTEMPTS)


def recover(run: Run, results: LineWriter) -> None:
    """Note the results of episodes whose players published them and were killed before they could note them."""
    finished = sorted(run.finished())
    noted = run.results()  # read after what is finished: an episode that ends in between must not be noted twice
    for key in finished:
        if key not in noted or (noted[key].fault is not None and noted[key] != run.header(key)):
            results.add(run.header(key))
