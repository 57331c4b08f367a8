"""The only sleep in the project: wait for a condition, with a deadline, saying what was waited for."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from playsuite.core.errors import PlaySuiteError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

FIRST_PAUSE_S = 0.001
LONGEST_PAUSE_S = 0.1


class WaitTimeoutError(PlaySuiteError):
    """A condition did not come true before its deadline."""


def until(condition: Callable[[], T], *, timeout: float, waiting_for: str) -> T:
    """Return the first true value of `condition`, asked at growing intervals of at most 0.1 s.

    Raises:
        WaitTimeoutError: `timeout` wall seconds passed and the condition was still false.
    """
    deadline = time.monotonic() + timeout
    pause = FIRST_PAUSE_S
    while not (value := condition()):
        if time.monotonic() >= deadline:
            raise WaitTimeoutError(f"waited {timeout:g} s for {waiting_for}, which did not happen")
        time.sleep(pause)  # noqa: TID251 the one place where waiting is built from sleeping
        pause = min(2 * pause, LONGEST_PAUSE_S)
    return value
