"""Virtual time in whole nanoseconds, and what is due when. Nothing but `advance` moves it."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

NS = 1_000_000_000
MS = 1_000_000
US = 1_000

INPUT, WORLD, BOUNDARY, FILM = range(4)
"""Order within one instant. A film frame due at the end of a step belongs to the next step, so it comes last."""


class Timeline:
    """The clock and its agenda."""

    def __init__(self) -> None:
        self.now = 0
        """Nanoseconds since the game's process began to count."""
        self._agenda: list[tuple[int, int, int, Callable[[], None]]] = []
        self._order = count()
        self._sleep: Callable[[float], None] | None = None

    def at(self, moment: int, action: Callable[[], None], rank: int = WORLD) -> None:
        """Run `action` when time reaches `moment`."""
        heappush(self._agenda, (moment, rank, next(self._order), action))

    def advance(self, duration: int) -> None:
        """Move time by `duration`, running on the way whatever is due."""
        end = self.now + max(duration, 0)
        if self._sleep is not None:
            self._sleep(max(duration, 0) / NS)
        while self._agenda and self._agenda[0][0] <= end:
            moment, _, _, action = heappop(self._agenda)
            self.now = max(self.now, moment)
            action()
        self.now = max(self.now, end)

    def set_free(self, sleep: Callable[[float], None]) -> None:
        """Forget the agenda and pass as real time does: nobody steps a process that the game forked."""
        self._agenda.clear()
        self._sleep = sleep

    def next_due(self) -> int | None:
        """Return the moment of the next action, if there is one."""
        return self._agenda[0][0] if self._agenda else None
