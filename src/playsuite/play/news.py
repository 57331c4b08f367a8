"""What a worker process and its parent tell each other."""

from __future__ import annotations

from msgspec import Struct

from playsuite.core.protocols import Endpoint
from playsuite.core.records import Episode, Fault


class WorkerOrders(Struct, frozen=True):
    """What a worker is told on its command line."""

    run: str
    parent: int
    """Process id of whoever started it, whom it does not outlive."""
    news: int
    """File descriptor for its `News`, a line each."""
    endpoint: Endpoint = Endpoint()
    trust: bool = False


class Began(Struct, frozen=True, tag="began"):
    """An episode is being played now."""

    key: str


class Ended(Struct, frozen=True, tag="ended"):
    """An attempt came to its end; if it was the last, it is the result."""

    episode: Episode
    last: bool


class Stopped(Struct, frozen=True, tag="stopped"):
    """The run cannot go on, for a reason that is no single episode's."""

    fault: Fault


News = Began | Ended | Stopped
