"""Reach the model of a run: at the address that was given, or by serving it on this machine for as long as it plays."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.protocols import Endpoint
from playsuite.core.records import Preset

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from playsuite.agents.serving.serve import Served
    from playsuite.play.run import Progress

PATIENCE_S = 60.0
"""For servers of others: long enough for a restart behind a gateway."""
OWN_PATIENCE_S = 900.0
"""For our own, which is started again when it dies: it has to load the model anew."""
UNSERVED = Endpoint("unix:///not-served-yet")
"""Stands for a server that will be started later, so that everything else can be checked before."""


class Reach(Struct, frozen=True):
    """How a run gets to its model."""

    preset: Preset | None = None
    """None for baselines, which have no model."""
    base_url: str = ""
    """Where it is served; empty means here."""
    patience_seconds: float | None = None
    gpus: tuple[int, ...] = ()
    """The GPUs to serve on; empty is all there are, or the CPU."""

    @property
    def address(self) -> str:
        """Where somebody else serves the model; empty if nobody does."""
        return self.base_url or (self.preset.base_url if self.preset is not None else "")

    @property
    def serves(self) -> bool:
        """Whether the model has to be served here."""
        return self.preset is not None and bool(self.preset.model.checkpoint) and not self.address

    @property
    def endpoint(self) -> Endpoint:
        """Where the model is asked, if it is not served here."""
        patience = PATIENCE_S if self.patience_seconds is None else self.patience_seconds
        return UNSERVED if self.serves else Endpoint(self.address, patience)


class Reached(Struct, frozen=True):
    """A model that can be asked."""

    endpoints: tuple[Endpoint, ...]
    places: int
    """Requests its servers work on at the same time; 0 without a model."""
    check: Callable[[], None]
    """Raises what a server of ours was given up for."""

    def watched(self, steps: Generator[Progress]) -> Generator[Progress]:
        """Hand on the progress of a run for as long as its servers are there.

        Raises:
            AgentError: a server died again and again.
        """
        with closing(steps):  # whoever stops looking stops the workers, while the servers still are there
            for now in steps:
                self.check()
                yield now


@contextmanager
def reached(reach: Reach, *, logs: Path, log: Callable[[str], None]) -> Generator[Reached]:
    """Serve the model if nobody else does, and say where it is.

    Raises:
        ConfigError: it cannot be served here; the reason is from its log.
    """
    if reach.preset is None or not reach.serves:
        _tell_if_away(reach.endpoint, log)
        places = 0 if reach.preset is None else reach.preset.serving.max_num_seqs
        yield Reached((reach.endpoint,), places, _nothing)
        return
    from playsuite.agents.serving.serve import serving

    logs.mkdir(parents=True, exist_ok=True)
    log(f"serving {reach.preset.model.name} here; the engine's log is in {logs}")
    with serving(reach.preset, gpus=_groups(reach), folder=logs, log=log) as served:
        endpoints = _endpoints(served, reach)
        yield Reached(endpoints, len(endpoints) * reach.preset.serving.max_num_seqs, served.check)


def _tell_if_away(endpoint: Endpoint, log: Callable[[str], None]) -> None:
    """Say at once that nobody answers, since the first request that fails says so only after all its patience."""
    from playsuite.agents.client import Client

    if endpoint.base_url:
        with closing(Client(endpoint.base_url)) as client:
            if not client.healthy():
                waited = f"each request waits {endpoint.patience_seconds:g} s for it (--patience)"
                log(f"{endpoint.base_url} does not answer, or not yet; {waited}")


def _groups(reach: Reach) -> Sequence[tuple[int, ...]] | None:
    from playsuite.agents.serving.devices import share_out

    if reach.preset is None or not reach.gpus:
        return None
    return share_out(reach.gpus, reach.preset.serving.gpus)


def _endpoints(served: Served, reach: Reach) -> tuple[Endpoint, ...]:
    patience = OWN_PATIENCE_S if reach.patience_seconds is None else reach.patience_seconds
    return tuple(Endpoint(url, patience) for url in served.urls)


def _nothing() -> None:
    """Check a server of others: their requests say how it is."""
