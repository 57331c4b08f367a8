"""What becomes of an attempt at an episode: it is the result, or it is made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.claims import Holder
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


def recover(run: Run, results: LineWriter, holder: Holder) -> None:
    """Note the results of episodes whose players published them and were killed before they could note them."""
    noted = {episode.key for episode in run.every_attempt() if episode.fault is None}
    for key in sorted(run.finished() - noted):
        claim = run.claim(key, holder)
        if claim is None:  # whoever has it published it just now and notes it next
            continue
        with claim:
            if run.is_finished(key):  # it may have been withdrawn since we looked
                note_published(run, results, key)


def note_published(run: Run, results: LineWriter, key: str) -> None:
    """Note the result of a published episode unless it was noted; needs the claim, so that nobody else does."""
    header = run.header(key)
    if header not in run.attempts(key):
        results.add(header)


def withdraw_faults(run: Run, holder: Holder) -> int:
    """Take back every result that is a fault, so that each is tried once more; return how many."""
    withdrawn = 0
    for key in sorted(run.finished()):
        claim = run.claim(key, holder) if run.header(key).fault is not None else None
        if claim is None:
            continue
        with claim:
            if run.is_finished(key) and run.header(key).fault is not None:
                run.withdraw(key, holder)
                withdrawn += 1
    return withdrawn
