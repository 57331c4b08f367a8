"""The loop: observe, act, step. Everything else in this stage serves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from playsuite.core.errors import AgentError, DriverError, boundary
from playsuite.core.lower import lower
from playsuite.core.records import Clock, Ending, Game, RunSpec, Step, Turn
from playsuite.play.witness import Witness, fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playsuite.core.actions import InputEvent
    from playsuite.core.protocols import Agent, Observation, Session

TICK_S = 1e-6
"""What is left of an episode below this is rounding, not time."""


def play(session: Session, game: Game, agent: Agent, spec: RunSpec, witness: Witness) -> Iterator[Step]:
    """Yield the steps of one episode, each before it is carried out, until the game or its time is over.

    The game stands still while the agent thinks, so a slow model and a fast one face the same game.

    Raises:
        AgentError: the agent has no answer.
        GameError: the game failed.
        DriverError: the game moved while the agent was thinking, or the runtime failed otherwise.
    """
    history: list[Step] = []
    seen = witness.see(look(session))
    while ending(seen, spec) is None:
        with boundary(AgentError, f"asking the agent for step {len(history)}"):
            turn = agent.act(game, seen, remembered(history, spec))
        _refuse_leak(look(session), seen, witness)
        step = Step(index=len(history), t=seen.t, frame=seen.index, turn=turn, digest=witness.digest)
        history.append(step)
        yield step
        seen = witness.see(advance(session, seen, turn, spec))


def remembered(history: Sequence[Step], spec: RunSpec) -> Sequence[Step]:
    """Return the steps an agent is told: the last k of them.

    With pictures it is at least k and below 2k: a window that slid at each step would change everything behind its
    beginning, so a server could never reuse its work (0 of 3,631 tokens measured); this one only grows, and is cut
    back to k every k steps.
    """
    if not spec.history:
        return ()
    grown = len(history) % spec.history if spec.history_images else 0
    return history[-(spec.history + grown) :]


def advance(session: Session, seen: Observation, turn: Turn, spec: RunSpec, *, silent: bool = False) -> Observation:
    """Let the game run for one interaction: with the latency clock first for the time the agent took, then the actions.

    The last interaction is cut to the time that is left; what it had still down comes up then. `silent` takes the same
    game time, without the input.
    """
    if spec.clock is Clock.LATENCY and turn.usage.seconds > 0:
        seen = _step(session, (), min(turn.usage.seconds, spec.seconds - seen.t))
        if ending(seen, spec) is not None:
            return seen
    events, needed = lower(turn.actions)
    seconds = min(max(1 / spec.rate_hz, needed), spec.seconds - seen.t)
    cut = tuple(replace(event, at=min(event.at, seconds)) for event in events)
    return _step(session, () if silent else cut, seconds)


def ending(seen: Observation, spec: RunSpec) -> Ending | None:
    """Return how an episode has ended by what was seen last, or None while it goes on."""
    if seen.over:
        return Ending.GAME_OVER
    if spec.seconds - seen.t < TICK_S or seen.frames >= spec.max_frames:
        return Ending.TIME_UP
    return None


def look(session: Session) -> Observation:
    """Observe; whatever fails unexpectedly there is the runtime's."""
    with boundary(DriverError, "observing the game"):
        return session.observe()


def _step(session: Session, events: tuple[InputEvent, ...], seconds: float) -> Observation:
    with boundary(DriverError, f"stepping the game by {seconds:g} s"):
        return session.step(events, seconds)


def _refuse_leak(now: Observation, seen: Observation, witness: Witness) -> None:
    moved = f"{now.t - seen.t:g} s went by" if now.t != seen.t else "the picture changed"
    if now.t != seen.t or fingerprint(now.frame) != witness.look:
        raise DriverError(f"the game did not stand still while the agent was thinking: at {seen.t:g} s {moved}")
