"""Game time in whole nanoseconds, and the instants at which a film takes its frames: the convention of all runtimes.

A film of `fps` takes frame n at n / fps game seconds. A step from t0 to t1 adds the frames of [t0, t1): the frame at
t = 0 belongs to the first step, and a frame due exactly at t1 to the next one. So `Observation.index` is the number of
frames added so far, and also the index of the film frame that shows what was observed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

NS = 1_000_000_000
"""Nanoseconds in a second."""


def nanoseconds(seconds: float) -> int:
    """Return `seconds` as whole nanoseconds."""
    return round(seconds * NS)


def instant(index: int, fps: float) -> int:
    """Return when film frame `index` is due, in nanoseconds."""
    return round(index * NS / fps)


def instants(first: int, until: int, fps: float) -> Iterator[int]:
    """Yield the moments of the film frames from number `first` on that are due before `until`."""
    index = first
    while (moment := instant(index, fps)) < until:
        yield moment
        index += 1
