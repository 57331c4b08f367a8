"""What every runtime promises, as checks that anybody who writes one can run on it."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.actions import EventKind, InputEvent
from playsuite.core.errors import PlaySuiteError
from playsuite.core.protocols import Launch, Runtime
from playsuite.core.wait import WaitTimeoutError, until

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playsuite.core.protocols import Frame, FrameSink, Session

THINKING_S = 0.2
"""Wall seconds between two looks at a game that should stand still."""
STEPS = 12
STEP_S = 1 / 3
"""Game seconds; a third shows whether rounding errors add up."""
CLOCK_ERROR_S = 1e-9
END_S = 5.0
"""Wall seconds for a closed game's processes to be gone."""

INPUT = (
    InputEvent(0.0, EventKind.POINTER_TO, x=40, y=30),
    InputEvent(0.0, EventKind.KEY_DOWN, key="right"),
    InputEvent(0.05, EventKind.BUTTON_DOWN),
    InputEvent(0.1, EventKind.KEY_UP, key="right"),
    InputEvent(0.15, EventKind.BUTTON_UP),
    InputEvent(0.15, EventKind.KEY_DOWN, key="space"),
    InputEvent(0.3, EventKind.KEY_UP, key="space"),
)
"""Harmless keys: Escape and Enter could end the game."""


class Check(Struct, frozen=True):
    """What was checked, and what came instead if it does not hold."""

    name: str
    ok: bool
    detail: str = ""


class Setup(Struct, frozen=True):
    """What is checked: a runtime with a game to start in it."""

    launch: Runtime
    game: Launch

    def start(self, film: FrameSink | None = None) -> Session:
        """Start the game."""
        return self.launch(self.game, film)


class Film:
    """Remembers when each frame came and a digest of it."""

    def __init__(self, fps: float) -> None:
        self.fps = fps
        self.times: list[float] = []
        self.digests: list[str] = []

    def add(self, t: float, frame: Frame) -> None:
        """Take one frame."""
        self.times.append(t)
        self.digests.append(_digest(frame))


def check_runtime(launch: Runtime, game: Launch) -> list[Check]:
    """Run all checks of a runtime on one of its games; each starts the game anew."""
    setup = Setup(launch, game)
    return [_run(name, probe, setup) for name, probe in CHECKS]


def _stands_still(setup: Setup) -> str:
    with setup.start() as session:
        session.step(INPUT, 1.0)
        before = session.observe()
        _think()
        after = session.observe()
    if before.t != after.t:
        return f"the clock went from {before.t:g} s to {after.t:g} s during thinking"
    return "" if _digest(before.frame) == _digest(after.frame) else "the picture changed during thinking"


def _steps_exactly(setup: Setup) -> str:
    with setup.start() as session:
        if (begin := session.observe().t) != 0:
            return f"the game begins at {begin:g} s instead of 0"
        for number in range(1, STEPS + 1):
            seen = session.step((), STEP_S)
            if seen.over:
                return ""
            if abs(seen.t - number * STEP_S) > CLOCK_ERROR_S:
                return f"after {number} steps of 1/3 s the clock shows {seen.t:.9f} s"
    return ""


def _repeats(setup: Setup) -> str:
    first, second = _played(setup), _played(setup)
    return _difference(first, second, "the second launch")


def _is_not_changed_by_film(setup: Setup) -> str:
    plain = _played(setup)
    for fps in (5.0, 30.0):
        if difference := _difference(plain, _played(setup, Film(fps)), f"filming at {fps:g} frames a second"):
            return difference
    return ""


def _films_on_time(setup: Setup) -> str:
    film = Film(5.0)
    with setup.start(film) as session:
        for _ in range(STEPS):
            seen = session.step((), STEP_S)
            if seen.index != len(film.times):
                return f"{len(film.times)} film frames came, but the observation counts {seen.index}"
    wanted = [number / film.fps for number in range(len(film.times))]
    late = [t for t, due in zip(film.times, wanted, strict=True) if abs(t - due) > CLOCK_ERROR_S]
    if late:
        return f"a film frame came at {late[0]:g} s, which is no multiple of {1 / film.fps:g} s"
    missing = round(seen.t * film.fps) - len(film.times)
    return f"{missing} of the film's frames did not come" if missing > 1 else ""


def _can_be_closed_twice(setup: Setup) -> str:
    with setup.start() as session:
        session.close()
        session.close()
    return ""


def _leaves_nothing_running(setup: Setup) -> str:
    before = _descendants()
    with setup.start() as session:
        session.step((), STEP_S)
    try:
        until(lambda: _descendants() <= before, timeout=END_S, waiting_for="the game's processes to end")
    except WaitTimeoutError:
        return f"still running after the end: {sorted(_descendants() - before)}"
    return ""


CHECKS: Sequence[tuple[str, Callable[[Setup], str]]] = (
    ("the game stands still while the agent thinks", _stands_still),
    ("a step takes exactly the game time asked for", _steps_exactly),
    ("the same seed and input give the same frames", _repeats),
    ("filming, at any rate, changes nothing", _is_not_changed_by_film),
    ("the film has a frame at every multiple of its period", _films_on_time),
    ("closing twice does nothing the second time", _can_be_closed_twice),
    ("nothing is left running", _leaves_nothing_running),
)


def _run(name: str, probe: Callable[[Setup], str], setup: Setup) -> Check:
    try:
        complaint = probe(setup)
    except PlaySuiteError as error:
        complaint = f"{error.boundary}: {error}"
    return Check(name, not complaint, complaint)


def _played(setup: Setup, film: Film | None = None) -> list[str]:
    """Play a fixed script; return the digest of every frame seen."""
    with setup.start(film) as session:
        return [_digest(session.step(INPUT if number % 2 == 0 else (), STEP_S).frame) for number in range(STEPS)]


def _difference(first: list[str], second: list[str], what: str) -> str:
    for number, (one, other) in enumerate(zip(first, second, strict=True), start=1):
        if one != other:
            return f"{what} shows another frame after step {number}"
    return ""


def _think() -> None:
    end = time.monotonic() + THINKING_S
    until(lambda: time.monotonic() >= end, timeout=END_S, waiting_for="the agent to have thought")


def _digest(frame: Frame) -> str:
    return hashlib.sha256(frame.tobytes()).hexdigest()


def _descendants() -> set[int]:
    """Return the processes that this one started, and those that they started."""
    parents = dict(filter(None, map(_parent, Path("/proc").glob("[0-9]*/stat"))))
    found, fresh = set[int](), {os.getpid()}
    while fresh:
        fresh = {process for process, parent in parents.items() if parent in fresh} - found
        found |= fresh
    return found


def _parent(stat: Path) -> tuple[int, int] | None:
    try:
        fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None  # It has just ended.
    return int(stat.parent.name), int(fields[1])
