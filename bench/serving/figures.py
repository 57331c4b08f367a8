"""What is measured of one run, and the figures that follow from it. Pure."""

from __future__ import annotations

from enum import StrEnum
from statistics import linear_regression
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.testing.server.latency import LatencyModel

GAME_SECONDS, RATE_HZ = 300.0, 1 / 3
STEPS = 100
"""Of an evaluation: 300 game seconds, one interaction every 3."""
HOUR_S = 3600.0


class Regime(StrEnum):
    """What the game does between two questions."""

    PAUSED = "paused"
    """It runs as fast as the machine can."""
    REAL_TIME = "real time"
    """A game second takes a second. While the model thinks it stands still, as with the paper's harness."""


class Setting(Struct, frozen=True):
    """One run to be measured."""

    games: str
    """`suite` are the installed pygame games, `fake` is the built-in one, which costs next to nothing."""
    regime: Regime = Regime.PAUSED
    workers: int = 8
    """0 is as many as the machine and the server have room for."""
    tokens: int = 100
    """In every answer; 0 is a server that answers at once."""
    twins: int = 0
    episode_seconds: float = 60.0
    warm_seconds: float = 8.0
    window_seconds: float = 40.0


class Measured(Struct, frozen=True):
    """What happened within the window."""

    seconds: float
    answers_per_second: float
    """How many steps all workers played in a second: the slope of the server's counter."""
    workers: int
    bound: str
    """What kept more workers from being hired, where nobody gave their number."""
    cpu: float
    """Share of the machine's processors that was used, by whomever."""
    own_cpu_seconds: float
    """What the run and its games used of them."""
    server_cpu_seconds: float
    """What the simulated server used of them."""
    busy_seconds: float
    """For how long it had something to do, in simulated time."""
    late_seconds: float
    """How far it was behind the simulated GPU at worst."""
    episodes: int
    """That ended within the window, each with the start of another."""
    faults: tuple[str, ...]
    prompt_tokens: float = 0.0
    """That the server had to read for a request, on average: those of the picture and what is new after it."""

    @property
    def evaluations_per_hour(self) -> float:
        """Evaluations of one server in an hour, the starts of their games counted as often as they happened."""
        return self.answers_per_second * HOUR_S / STEPS

    def share(self, latency: LatencyModel, tokens: int) -> float:
        """Return the part of what the server can do at most."""
        return self.answers_per_second / latency.ceiling(tokens, prompt=self.prompt_tokens)

    def share_with_these(self, latency: LatencyModel, tokens: int) -> float:
        """Return the part of what it could do if every worker asked all the time, so if games took no time at all."""
        in_flight = min(self.workers, latency.largest_batch)
        return self.answers_per_second / latency.requests_per_second(in_flight, tokens, prompt=self.prompt_tokens)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return how fast a counter grew, by the line nearest to (seconds, count) points.

    Workers that started together and wait as long as each other ask together, so the counter is a staircase; its ends
    would say too much or too little by a whole stair.
    """
    times, counts = zip(*points, strict=True)
    return linear_regression(times, counts).slope


def real_time_evaluations_per_hour(latency: LatencyModel, tokens: int, workers: int, *, prompt: float) -> float:
    """Return what the real-time regime can reach at most: no harness, no start of a game, every answer at its earliest.

    An upper bound for a number of workers the server has places for.
    """
    thinking = latency.prefill(prompt) + tokens * latency.tick(1, prompts=0)
    return workers * HOUR_S / (GAME_SECONDS + STEPS * thinking)
