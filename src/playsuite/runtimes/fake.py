"""A small deterministic game inside this process: catch falling coins. It can also misbehave on request, for tests."""

from __future__ import annotations

import os
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from playsuite.core.actions import EventKind, InputEvent
from playsuite.core.errors import ConfigError, GameError
from playsuite.core.protocols import Frame, FrameSink, Launch, Observation
from playsuite.core.records import ClockReport
from playsuite.runtimes.timeline import NS, instants, nanoseconds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

VERSION = 1
RATE_HZ = 30
COINS_A_LEVEL = 3
MISSES_ALLOWED = 20
LETTER_PX = 3

GLYPHS = {
    "A": "010101111101101",
    "C": "111100100100111",
    "E": "111100111100111",
    "G": "111100101101111",
    "I": "111010010010111",
    "L": "100100100100111",
    "M": "101111111101101",
    "N": "111101101101101",
    "O": "111101101101111",
    "P": "111101111100100",
    "R": "110101110101101",
    "S": "111100111001111",
    "T": "111010010010010",
    "V": "101101101101010",
}
DIGITS = (
    *("111101101101111", "010110010010111", "111001111100111", "111001111001111", "101101111001001"),
    *("111100111001111", "111100111101111", "111001001001001", "111101111101111", "111101111001111"),
)


class FakeManifest(Struct, frozen=True, forbid_unknown_fields=True):
    """What the fake game is told by a catalog. Times are game seconds; negative means never."""

    width: int = 320
    height: int = 240
    menu: bool = True
    """Begin at a title screen that any key or click leaves."""
    deaf: bool = False
    """Ignore all input."""
    game_over_at: float = -1.0
    crash_at: float = -1.0
    hang_at: float = -1.0
    never_draws: bool = False
    leaks: bool = False
    """Move on whenever it is looked at, which a runtime must never do."""
    restless: bool = False
    """Draw something else in every launch, so that no two launches agree."""


class State(Struct, frozen=True):
    """Everything that decides the next picture."""

    seed: int
    playing: bool
    x: float = 0.5
    """The player's place, 0 to 1."""
    coin_x: float = 0.5
    coin_y: float = 0.0
    score: int = 0
    missed: int = 0
    ticks: int = 0
    over: bool = False

    @property
    def level(self) -> int:
        """Return the level, which rises with the score."""
        return 1 + self.score // COINS_A_LEVEL


def launch(launch: Launch, film: FrameSink | None = None) -> FakeSession:
    """Start the fake game."""
    try:
        manifest = msgspec.convert(launch.game.manifest, FakeManifest)
    except msgspec.ValidationError as error:
        raise ConfigError(f"manifest of '{launch.game.id}' is not one for the fake runtime: {error}") from error
    if manifest.never_draws:
        raise GameError(f"'{launch.game.id}' drew no frame within {launch.limits.first_frame_seconds:g} s")
    return FakeSession(manifest, launch.seed, film)


class FakeSession:
    """A running fake game."""

    clock = ClockReport(driver="fake", exact=True, deterministic=True, sandbox="none")

    def __init__(self, manifest: FakeManifest, seed: int, film: FrameSink | None) -> None:
        self._manifest = manifest
        self._film = film
        self._seconds = 0.0
        self._now = 0
        self._filmed = 0
        self._held: frozenset[str] = frozenset()
        self._state = _new_coin(State(seed=seed, playing=not manifest.menu))
        self._noise = list(os.urandom(3)) if manifest.restless else [0, 0, 0]

    def observe(self, seat: int = 0) -> Observation:
        """Draw the game as it is now."""
        if self._manifest.leaks:
            self._state = tick(self._state, self._held)
        return Observation(
            frame=self._draw(), t=self._seconds, index=self._filmed, over=self._state.over, frames=self._state.ticks
        )

    def step(self, events: Sequence[InputEvent], seconds: float) -> Observation:
        """Run for exactly `seconds`, unless the game ends before that."""
        if self._state.over:
            return self.observe()
        self._seconds += seconds
        for moment, action in self._agenda(events, nanoseconds(self._seconds)):
            self._now = moment
            self._misbehave()
            action()
            if self._state.over:
                self._seconds = moment / NS
                return self.observe()
        self._now = nanoseconds(self._seconds)
        return self.observe()

    def close(self) -> None:
        """Do nothing: there is no process to end."""

    def __enter__(self) -> FakeSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _agenda(self, events: Sequence[InputEvent], until: int) -> list[tuple[int, Callable[[], None]]]:
        """List what happens up to `until`: at one instant the film comes first, then input, then the game."""
        begin = self._now
        films = [(moment, self._shoot) for moment in self._film_instants(until)]
        inputs = [(begin + nanoseconds(event.at), _bind(self._inject, event)) for event in events]
        ticks = [(moment, self._tick) for moment in instants(self._state.ticks + 1, until + 1, RATE_HZ)]
        return sorted([*films, *inputs, *ticks], key=itemgetter(0))

    def _film_instants(self, until: int) -> list[int]:
        return list(instants(self._filmed, until, self._film.fps)) if self._film else []

    def _shoot(self) -> None:
        if self._film:
            self._film.add(self._now / NS, self._draw())
            self._filmed += 1

    def _inject(self, event: InputEvent) -> None:
        if not self._manifest.deaf:
            self._held, self._state = react(self._held, self._state, event, self._manifest.width)

    def _tick(self) -> None:
        self._state = tick(self._state, self._held)
        if 0 <= self._manifest.game_over_at <= self._now / NS:
            self._state = replace(self._state, over=True)

    def _misbehave(self) -> None:
        seconds = self._now / NS
        if 0 <= self._manifest.crash_at <= seconds:
            raise GameError(f"the game crashed at {seconds:.3f} s: RuntimeError: it was asked to")
        if 0 <= self._manifest.hang_at <= seconds:
            raise GameError(f"the game hung at {seconds:.3f} s: it did not come back from its step")

    def _draw(self) -> Frame:
        frame = draw(self._state, self._manifest.width, self._manifest.height)
        frame[-1, -1] = self._noise
        return frame


def react(held: frozenset[str], state: State, event: InputEvent, width: int) -> tuple[frozenset[str], State]:
    """Return the keys that are held and the state after one input."""
    match event.kind:
        case EventKind.KEY_DOWN:
            return held | {event.key}, replace(state, playing=True)
        case EventKind.KEY_UP:
            return held - {event.key}, state
        case EventKind.BUTTON_DOWN:
            return held, replace(state, playing=True)
        case EventKind.POINTER_TO:
            return held, replace(state, x=min(max(event.x / width, 0.0), 1.0))
        case EventKind.POINTER_BY:
            return held, replace(state, x=min(max(state.x + event.x / width, 0.0), 1.0))
        case _:
            return held, state


def tick(state: State, held: frozenset[str]) -> State:
    """Return the state one thirtieth of a second later."""
    state = replace(state, ticks=state.ticks + 1)
    if not state.playing or state.over:
        return state
    push = ("right" in held or "d" in held) - ("left" in held or "a" in held)
    state = replace(state, x=min(max(state.x + 0.03 * push, 0.0), 1.0), coin_y=state.coin_y + 0.02)
    if state.coin_y < 1.0:
        return state
    caught = abs(state.x - state.coin_x) < 0.12
    missed = state.missed + (not caught)
    return _new_coin(replace(state, score=state.score + caught, missed=missed, over=missed > MISSES_ALLOWED))


def _new_coin(state: State) -> State:
    place = np.random.default_rng((state.seed, state.score, state.missed)).uniform(0.05, 0.95)
    return replace(state, coin_x=float(place), coin_y=0.0)


def draw(state: State, width: int, height: int) -> Frame:
    """Draw the state: the level is the colour behind, a bar is the player, a square is the coin."""
    frame = np.zeros((height, width, 3), np.uint8)
    if not state.playing:
        frame[:] = (20, 20, 60)
        _write(frame, "PRESS START", width // 4, height // 2)
        return frame
    frame[:] = (20 + 30 * (state.level % 6), 60, 30)
    _box(frame, state.coin_x, state.coin_y * 0.95, 6, (255, 220, 40))
    _box(frame, state.x, 0.95, 16, (240, 240, 240))
    _write(frame, f"SCORE {state.score}", 8, 8)
    _write(frame, f"LEVEL {state.level}", width - 110, 8)
    if state.over:
        _write(frame, "GAME OVER", width // 3, height // 2)
    return frame


def _box(frame: Frame, x: float, y: float, half: int, colour: tuple[int, int, int]) -> None:
    height, width, _ = frame.shape
    left, top = int(x * width), int(y * height)
    frame[max(top - 5, 0) : top + 5, max(left - half, 0) : left + half] = colour


def _write(frame: Frame, text: str, x: int, y: int) -> None:
    for place, letter in enumerate(text):
        bits = DIGITS[int(letter)] if letter.isdigit() else GLYPHS.get(letter)
        if bits is None:
            continue
        glyph = np.array([bit == "1" for bit in bits]).reshape(5, 3).repeat(LETTER_PX, 0).repeat(LETTER_PX, 1)
        left = x + place * 4 * LETTER_PX
        spot = frame[y : y + glyph.shape[0], left : left + glyph.shape[1]]
        spot[glyph[: spot.shape[0], : spot.shape[1]]] = 255


def _bind(inject: Callable[[InputEvent], None], event: InputEvent) -> Callable[[], None]:
    return lambda: inject(event)
