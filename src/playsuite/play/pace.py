"""How many workers play: a number, or as many as the machine has time and memory for and the model's server has places.

With the paused clock the number changes no result: too many only wait for one another.
"""

from __future__ import annotations

import time
from enum import StrEnum
from math import ceil

from msgspec import Struct

from playsuite.play.machine import Meter, Spare

LOOK_EVERY_S = 3.0
"""Long enough for a new worker to have started its game, which costs more than playing it."""
IDLE_ENOUGH = 0.2
"""Share of the processors' time that has to be idle for another worker."""
MEMORY_ENOUGH_MB = 3072
"""What one game may use at most, and a reserve."""
GROWTH = 4
"""At each look there may be a quarter more workers."""
BESIDE_THE_SERVER = 1.25
"""Workers for each place a server has: while some play a step, others have to keep its batch full."""


class Bound(StrEnum):
    """What keeps more workers from being hired."""

    NUMBER = "number"
    """The number that was asked for."""
    EPISODES = "episodes"
    CPU = "cpu"
    MEMORY = "memory"
    SERVER = "server"


class Pace(Struct, frozen=True):
    """How many workers there may be."""

    begin: int
    """So many are hired at once."""
    most: int
    bound: Bound
    """What `most` is set by."""


def fixed(workers: int) -> Pace:
    """Have exactly so many workers."""
    return Pace(workers, workers, Bound.NUMBER)


def automatic(cores: int, *, places: int = 0) -> Pace:
    """Begin with a worker for each core; `places` is what a model's servers work on at the same time, 0 without any."""
    if not places:
        return Pace(cores, cores, Bound.CPU)  # baselines do not wait for anybody
    most = ceil(BESIDE_THE_SERVER * places)
    return Pace(min(cores, most), most, Bound.SERVER)


def to_hire(pace: Pace, *, workers: int, waiting: int, spare: Spare) -> tuple[int, Bound | None]:
    """Return how many more to hire now, and what forbids it if none; `waiting` episodes have nobody."""
    if workers >= pace.most:
        return 0, pace.bound
    if not waiting:
        return 0, Bound.EPISODES
    if spare.idle < IDLE_ENOUGH:
        return 0, Bound.CPU
    if spare.memory_mb < MEMORY_ENOUGH_MB:
        return 0, Bound.MEMORY
    fitting = spare.memory_mb // MEMORY_ENOUGH_MB
    return min(max(1, workers // GROWTH), pace.most - workers, waiting, fitting), None


class Recruiter:
    """Says when to hire how many."""

    def __init__(self, pace: Pace, *, meter: Meter | None = None) -> None:
        self.pace = pace
        self.bound: Bound | None = pace.bound if pace.begin == pace.most else None
        """What kept more workers from being hired at the last look."""
        self._meter = meter or Meter()
        self._looked = time.monotonic()

    def now(self, *, workers: int, waiting: int) -> int:
        """Return how many to hire; most of the time none, without a look."""
        if self.pace.begin == self.pace.most or time.monotonic() - self._looked < LOOK_EVERY_S:
            return 0
        self._looked = time.monotonic()
        count, self.bound = to_hire(self.pace, workers=workers, waiting=waiting, spare=self._meter.look())
        return count
