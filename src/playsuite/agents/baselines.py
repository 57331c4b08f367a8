"""The floor of every table: an agent that does nothing, and one that does anything."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from playsuite.agents.options import refuse_model, refuse_unknown_options
from playsuite.core.actions import Click, Hold, Press, Wait
from playsuite.core.grammar import format_action
from playsuite.core.keys import FALLBACK
from playsuite.core.records import Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.actions import Action
    from playsuite.core.protocols import Agent, AgentSetup, Observation
    from playsuite.core.records import Controls, Game, Step

VERSION = 1
CLICK_SHARE, HOLD_SHARE = 0.25, 0.3
"""Of the random agent's actions: clicks in games with a mouse, and holds among the key presses."""
SHORTEST_HOLD_S, LONGEST_HOLD_S = 0.2, 2.0


def idle(setup: AgentSetup) -> Agent:
    """Make an agent that never touches anything."""
    refuse_unknown_options(setup, "idle")
    refuse_model(setup, "idle")
    return Idle()


def random(setup: AgentSetup) -> Agent:
    """Make an agent that presses, holds and clicks at random, the same way for the same seed."""
    refuse_unknown_options(setup, "random")
    refuse_model(setup, "random")
    return RandomPlayer(setup.seed)


class Idle:
    """Waits."""

    def act(self, game: Game, observation: Observation, history: Sequence[Step]) -> Turn:
        """Answer with `wait`."""
        return Turn((Wait(),), raw="wait")


class RandomPlayer:
    """Draws every action from the game's own controls, without looking."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def act(self, game: Game, observation: Observation, history: Sequence[Step]) -> Turn:
        """Answer with a random action."""
        action = self._draw(game.controls, *observation.frame.shape[:2])
        return Turn((action,), raw=format_action(action))

    def _draw(self, controls: Controls, height: int, width: int) -> Action:
        if uses_mouse(controls) and (not usable_keys(controls) or self._random.random() < CLICK_SHARE):
            return Click(self._random.randrange(width), self._random.randrange(height))
        key = self._random.choice(usable_keys(controls))
        if self._random.random() < HOLD_SHARE:
            return Hold((key,), round(self._random.uniform(SHORTEST_HOLD_S, LONGEST_HOLD_S), 2))
        return Press((key,))


def usable_keys(controls: Controls) -> tuple[str, ...]:
    """Return the keys worth pressing: the documented ones; the fallback keys where nothing is documented."""
    undocumented = not controls.keys and not controls.mouse
    return FALLBACK if undocumented else controls.keys


def uses_mouse(controls: Controls) -> bool:
    """Tell whether clicks are worth trying: the mouse is documented, or nothing is."""
    return controls.mouse or not controls.keys
