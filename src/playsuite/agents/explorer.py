"""The strongest floor: try everything the game offers, and do more of what changes the screen.

It offers the documented keys, and those that lead through most menus. "Observed" means that a key was seen to have an
effect when it was tried; keys that are only named on the screen are not read, for no agent of the floor reads text.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from random import Random
from typing import TYPE_CHECKING

from playsuite.agents.baselines import usable_keys, uses_mouse
from playsuite.agents.options import refuse_model, refuse_unknown_options
from playsuite.agents.sight import Glance, changed, glance, salient, scene
from playsuite.core.actions import Action, Click, Hold, Press, Wait
from playsuite.core.grammar import format_action
from playsuite.core.keys import FALLBACK
from playsuite.core.records import Turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playsuite.core.protocols import Agent, AgentSetup, Frame, Observation
    from playsuite.core.records import Controls, Game, Step

VERSION = 1
LEAVING_KEYS = frozenset({"escape", "q"})
"""Keys that often quit a game; pressed only where nothing else has helped."""
MENU_KEYS = ("enter", "space", "down", "up", "left", "right")
"""Worth trying in any game, after its documented keys: menus are seldom documented."""
STILL = 0.002
"""Share of the screen below which a change is none."""
STUCK_STEPS = 5
NEW_SCENE_GAIN = 0.5
CURIOSITY = 0.25
"""How much an input that was seldom tried is preferred (UCB1's constant)."""
WHIM = 0.15
"""Share of steps that are drawn at random."""
IDLE_EVERY = 12
"""Steps after which it waits for once, to see how much changes by itself."""
SPOTS = 12
"""Salient points looked at for a click."""
HOLD_S = (0.5, 1.0, 1.8)
CLICK, WAIT = "click", "wait"


def explorer(setup: AgentSetup) -> Agent:
    """Make an agent that explores, the same way for the same seed and the same frames."""
    refuse_unknown_options(setup, "explorer")
    refuse_model(setup, "explorer")
    return Explorer(setup.seed)


@dataclass
class Tally:
    """What one kind of input brought so far."""

    tries: int = 0
    gain: float = 0.0

    def promise(self, total: int) -> float:
        """Return the mean gain with a bonus for uncertainty: UCB1 (Auer et al. 2002)."""
        return self.gain / self.tries + CURIOSITY * sqrt(log(total + 1) / self.tries)


class Explorer:
    """Learns within one episode which inputs do something."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._tallies: dict[str, Tally] = {}
        self._seen: Glance | None = None
        self._did = WAIT
        self._scenes: set[bytes] = set()
        self._clicked: set[tuple[bytes, float, float]] = set()
        self._still_steps = 0
        self._steps = 0
        self._idle_change = 0.0
        self._ways_out: Iterator[str] = iter(())

    def act(self, game: Game, observation: Observation, history: Sequence[Step]) -> Turn:
        """Answer with the input that promises most."""
        now = glance(observation.frame)
        change = self._learn(now)
        kind, reason = self._choose(game.controls)
        action = self._action(kind, now, observation.frame)
        self._did = kind
        self._steps += 1
        saw = f"{change:.1%} of the screen changed"
        return Turn((action,), raw=format_action(action), observation=saw, reasoning=reason)

    def _learn(self, now: Glance) -> float:
        """Credit the last input with what changed, less what changes by itself."""
        before, self._seen = self._seen, now
        new_scene = scene(now) not in self._scenes
        self._scenes.add(scene(now))
        if before is None:
            return 0.0
        change = changed(before, now)
        self._still_steps = self._still_steps + 1 if change < STILL else 0
        if self._did == WAIT:
            self._idle_change = change
            return change
        tally = self._tallies.setdefault(self._did, Tally())
        tally.tries += 1
        tally.gain += max(0.0, change - self._idle_change) + NEW_SCENE_GAIN * new_scene
        return change

    def _choose(self, controls: Controls) -> tuple[str, str]:
        """Return (kind of input, why)."""
        kinds = _kinds(controls)
        if self._still_steps >= STUCK_STEPS:
            return self._way_out(kinds), "Nothing has changed for some time: I try to get out of here."
        self._ways_out = iter(())
        if self._steps % IDLE_EVERY == 0:
            return WAIT, "I look what happens by itself."
        if untried := [kind for kind in kinds if kind not in self._tallies]:
            return untried[0], "I have not tried this yet."
        if self._random.random() < WHIM:
            return self._random.choice(kinds), "A whim."
        total = sum(tally.tries for tally in self._tallies.values())
        best = max(kinds, key=lambda kind: self._tallies[kind].promise(total))
        return best, "This has changed most so far."

    def _way_out(self, kinds: list[str]) -> str:
        """Go through what may lead out of a still screen, the keys that may end the game last, then all over again."""
        if (way := next(self._ways_out, None)) is None:
            rest = [kind for kind in (*kinds, *FALLBACK) if kind not in LEAVING_KEYS and kind not in MENU_KEYS]
            self._random.shuffle(rest)
            self._ways_out = iter([*MENU_KEYS[:2], CLICK, CLICK, *MENU_KEYS[2:], *rest, *sorted(LEAVING_KEYS)])
            way = next(self._ways_out)
        return way

    def _action(self, kind: str, now: Glance, frame: Frame) -> Action:
        if kind == WAIT:
            return Wait()
        if kind == CLICK:
            return self._click(now, frame)
        verb, _, key = kind.rpartition(":")
        return Hold((key,), self._random.choice(HOLD_S)) if verb else Press((kind,))

    def _click(self, now: Glance, frame: Frame) -> Click:
        """Click the most salient spot not yet clicked in this scene; anywhere if there is none."""
        here = scene(now)
        fresh = [(here, *spot) for spot in salient(now, SPOTS) if (here, *spot) not in self._clicked]
        _, across, down = fresh[0] if fresh else (here, self._random.random(), self._random.random())
        self._clicked.add((here, across, down))
        height, width = frame.shape[:2]
        return Click(int(across * width), int(down * height))


def _kinds(controls: Controls) -> list[str]:
    """List the kinds of input to explore: taps first, clicks among them, then holds of the same keys."""
    documented = [key for key in usable_keys(controls) if key not in LEAVING_KEYS]
    taps = list(dict.fromkeys([*documented, *MENU_KEYS]))
    clicks = [CLICK] if uses_mouse(controls) else []
    return [*taps[:1], *clicks, *taps[1:], *(f"hold:{key}" for key in documented)]
