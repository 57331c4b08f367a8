"""Let a simulated engine run in real time."""

from __future__ import annotations

import asyncio

from playsuite.testing.server.latency import PROMPT_TOKENS, Engine, LatencyModel, Timing


class PacedEngine:
    """Serves requests as slowly as the latency model says; to be used in one event loop.

    A tick ends when the model says, not so long after it began: what the loop was late for is caught up, so that a
    busy machine does not slow the simulated GPU down as long as it keeps up on average. `latest_seconds` says how far
    behind it ever was.
    """

    def __init__(self, latency: LatencyModel) -> None:
        self.engine = Engine(latency)
        self.largest_batch = 0
        self.latest_seconds = 0.0
        self.busy_seconds = 0.0
        """Simulated time in which there was something to do."""
        self._answers: dict[int, asyncio.Future[Timing]] = {}
        self._work: asyncio.Task[None] | None = None

    async def serve(self, tokens: int, *, prompt: float = PROMPT_TOKENS) -> Timing:
        """Make so many tokens, of whose prompt so many have to be read; cancelling gives its place away."""
        loop = asyncio.get_running_loop()
        ticket = self.engine.submit(tokens, at=loop.time(), prompt=prompt)
        self._answers[ticket] = loop.create_future()
        if self._work is None or self._work.done():
            self._work = loop.create_task(self._run())
        try:
            return await self._answers[ticket]
        finally:
            self.engine.abort(ticket)
            del self._answers[ticket]

    async def _run(self) -> None:
        now = asyncio.get_running_loop().time()
        while self.engine.running or self.engine.waiting:
            tick = self.engine.tick(at=now)
            now += tick.seconds
            self.busy_seconds += tick.seconds
            self.largest_batch = max(self.largest_batch, tick.batch)
            await self._reach(now)
            for ticket, timing in tick.finished.items():
                if (answer := self._answers.get(ticket)) is not None and not answer.done():
                    answer.set_result(timing)

    async def _reach(self, moment: float) -> None:
        ahead = moment - asyncio.get_running_loop().time()
        self.latest_seconds = max(self.latest_seconds, -ahead)
        await asyncio.sleep(max(ahead, 0.0))
