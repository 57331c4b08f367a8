"""What a fake server is made of and what has happened to it; its routes and its address are elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from playsuite.testing.server.pace import PacedEngine
from playsuite.testing.server.prompts import PrefixCache
from playsuite.testing.server.scripts import Script

if TYPE_CHECKING:
    from playsuite.testing.server.latency import LatencyModel

ANY_NAME = "fake"
"""What it calls its model if any name will do."""


class Asked(Struct, frozen=True):
    """One request for a completion, as it came."""

    path: str
    key: str | None
    """The Authorization header."""
    body: dict[str, Any]


class Counts(Struct):
    """What has happened so far."""

    requests: int = 0
    succeeded: int = 0
    in_flight: int = 0
    largest_in_flight: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    generated_tokens: int = 0
    health_checks: int = 0


class Fake(Struct):
    """A fake server without its socket. Its state belongs to one event loop; others may look at it."""

    script: Script
    models: tuple[str, ...] = ()
    """The only names it knows; empty if any name will do."""
    engine: PacedEngine | None = None
    keep: bool = False
    """Remember the requests."""
    ready: bool = True
    """False while the model is loaded: every answer is then 503."""
    well: bool = True
    """False if only /health is to say 503, as vLLM's does when its engine has died and the rest is about to."""
    asked: list[Asked] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    cache: PrefixCache = field(default_factory=PrefixCache)


def make_fake(
    script: Script, *, models: tuple[str, ...] = (), latency: LatencyModel | None = None, keep: bool = False
) -> Fake:
    """Make a fake server; without a latency model it answers at once."""
    return Fake(script, models, PacedEngine(latency) if latency else None, keep)


def metrics(fake: Fake) -> dict[str, float]:
    """Return what /metrics says: vLLM's names where it has one for the thing."""
    counts, paced = fake.counts, fake.engine
    return {
        "vllm:num_requests_running": paced.engine.running if paced else counts.in_flight,
        "vllm:num_requests_waiting": paced.engine.waiting if paced else 0,
        "vllm:request_success_total": counts.succeeded,
        "vllm:prompt_tokens_total": counts.prompt_tokens,
        "playsuite:prompt_tokens_read_total": counts.prompt_tokens - counts.cached_tokens,
        "vllm:generation_tokens_total": counts.generated_tokens,
        "playsuite:requests_total": counts.requests,
        "playsuite:largest_batch": largest_batch(fake),
        "playsuite:simulated_busy_seconds": paced.busy_seconds if paced else 0,
        "playsuite:simulator_late_seconds": paced.latest_seconds if paced else 0,
    }


def largest_batch(fake: Fake) -> int:
    """Return how many requests were worked on at once at most."""
    return fake.engine.largest_batch if fake.engine else fake.counts.largest_in_flight
