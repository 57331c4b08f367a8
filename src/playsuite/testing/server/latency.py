"""How long a model takes: continuous batching as a GPU does it, in simulated time.

The engine works in ticks, as vLLM does. At the beginning of a tick waiting requests take the free places of the batch;
their prompts are read one after the other, then every request in the batch gets one token. So a tick lasts

    prompts read * prefill_seconds + tick_seconds + batch * seconds_per_sequence

where a prompt counts by the tokens that are not in the prefix cache, of `PROMPT_TOKENS` that make a whole one. What is
left out: the growth of a sequence's cost with its length, and the server's own work for a request, which the fake
server does for real.
"""

from __future__ import annotations

from collections import deque
from itertools import count

from msgspec import Struct

WEIGHTS_BYTES = 16.4e9
"""8.2e9 parameters in bfloat16: the language model of an 8B vision model, all read for every token."""
BYTES_PER_SECOND = 0.7 * 3.35e12
"""H100 SXM5: 3.35 TB/s in its data sheet; kernels that read weights reach about 70% of it (assumed)."""
KEYS_AND_VALUES_BYTES = 36 * 2 * 8 * 128 * 2
"""Of one token: layers * (key, value) * heads * width * bytes, as in the published configuration of Qwen3-8B."""
CONTEXT_TOKENS = 1300
"""A 1280 x 720 frame (about 900), the prompt and half of the answer."""
PROMPT_TOKENS = 1200
"""What `prefill_seconds` are for: a 1280 x 720 frame and the words that are new around it."""
HOST_SECONDS_PER_SEQUENCE = 5e-5
"""Sampling, detokenising and scheduling (assumed)."""


class LatencyModel(Struct, frozen=True):
    """What requests cost on one GPU."""

    prefill_seconds: float
    """For `PROMPT_TOKENS` of a prompt, its image included."""
    tick_seconds: float
    """For one token of every request in the batch, however many."""
    seconds_per_sequence: float
    """And for each of these."""
    largest_batch: int = 32
    """vLLM's --max-num-seqs."""

    def tick(self, batch: int, prompts: float) -> float:
        """Return how long a tick lasts that reads so many whole prompts."""
        return prompts * self.prefill_seconds + self.tick_seconds + batch * self.seconds_per_sequence

    def prefill(self, prompt: float) -> float:
        """Return how long reading so many tokens of a prompt takes."""
        return self.prefill_seconds * prompt / PROMPT_TOKENS

    def requests_per_second(self, batch: int, tokens: float, *, prompt: float = PROMPT_TOKENS) -> float:
        """Return what the engine does when `batch` places are never empty.

        Answers have `tokens` tokens, and of each prompt so many have to be read.
        """
        return batch / (batch * self.prefill(prompt) + tokens * self.tick(batch, prompts=0))

    def ceiling(self, tokens: float, *, prompt: float = PROMPT_TOKENS) -> float:
        """Return the most requests a second it can do."""
        return self.requests_per_second(self.largest_batch, tokens, prompt=prompt)


H100_8B = LatencyModel(
    # 1,200 tokens are 2e13 operations, 40 ms at half of the 989 TFLOP/s of the data sheet; the image encoder and the
    # preparation of the picture take about half as long again (assumed).
    prefill_seconds=0.06,
    tick_seconds=WEIGHTS_BYTES / BYTES_PER_SECOND,
    seconds_per_sequence=CONTEXT_TOKENS * KEYS_AND_VALUES_BYTES / BYTES_PER_SECOND + HOST_SECONDS_PER_SEQUENCE,
)
"""An 8B vision model on one H100: about 7.2 ms a token alone, 11 ms in a batch of 32. Calculated, not measured."""
PRESETS = {"h100-8b": H100_8B}


class Timing(Struct, frozen=True):
    """How long one request took, in simulated seconds."""

    queue_seconds: float
    first_token_seconds: float
    """From its place in the batch to its first token."""
    generation_seconds: float
    """From there to its last."""
    batch: int
    """The largest batch it was in."""


class Tick(Struct, frozen=True):
    """What one tick did."""

    seconds: float
    batch: int
    finished: dict[int, Timing]
    """By ticket."""


class _Request(Struct):
    ticket: int
    tokens: int
    prompts: float
    arrived: float
    began: float = 0.0
    first: float | None = None
    batch: int = 0


class Engine:
    """Simulates the batch. It has no clock: the caller says when a request arrives and when a tick begins."""

    def __init__(self, latency: LatencyModel) -> None:
        self.latency = latency
        self._tickets = count()
        self._waiting: deque[_Request] = deque()
        self._running: list[_Request] = []

    @property
    def running(self) -> int:
        """How many requests are in the batch."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """How many wait for a place in it."""
        return len(self._waiting)

    def submit(self, tokens: int, *, at: float, prompt: float = PROMPT_TOKENS) -> int:
        """Take a request: at least one token to make, and so many of its prompt to read; return its ticket."""
        request = _Request(next(self._tickets), max(tokens, 1), prompt / PROMPT_TOKENS, arrived=at)
        self._waiting.append(request)
        return request.ticket

    def abort(self, ticket: int) -> None:
        """Forget a request, wherever it is."""
        self._running = [request for request in self._running if request.ticket != ticket]
        self._waiting = deque(request for request in self._waiting if request.ticket != ticket)

    def tick(self, *, at: float) -> Tick:
        """Read the prompts that have a place, and make one token of every answer."""
        begun = self._admit(at)
        batch = len(self._running)
        seconds = self.latency.tick(batch, begun)
        for request in self._running:
            request.batch = max(request.batch, batch)
            request.first = at + seconds if request.first is None else request.first
            request.tokens -= 1
        done = [request for request in self._running if not request.tokens]
        self._running = [request for request in self._running if request.tokens]
        return Tick(seconds, batch, {request.ticket: _timing(request, at + seconds) for request in done})

    def _admit(self, at: float) -> float:
        """Let in whoever has a place; return how many whole prompts that is to read."""
        admitted = [self._waiting.popleft() for _ in range(min(len(self._waiting), self._free()))]
        for request in admitted:
            request.began = at
        self._running += admitted
        return sum(request.prompts for request in admitted)

    def _free(self) -> int:
        return self.latency.largest_batch - len(self._running)


def _timing(request: _Request, end: float) -> Timing:
    # A request can arrive in a tick that has begun late by the real clock.
    queued = max(request.began - request.arrived, 0.0)
    first = end if request.first is None else request.first
    return Timing(queued, first - request.began, end - first, request.batch)
