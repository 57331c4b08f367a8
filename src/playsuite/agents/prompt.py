"""What a model is told: texts in files, filled with the game, the history and the size of the picture."""

from __future__ import annotations

from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.actions import ParseStatus
from playsuite.core.errors import ConfigError
from playsuite.core.grammar import format_actions
from playsuite.core.keys import FALLBACK
from playsuite.core.phrases import MAX_HOLD_S
from playsuite.core.plugins import did_you_mean
from playsuite.core.records import digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.records import Game, Step

VERSION = "v1"
"""Folder of the texts. A text that was published is never edited; it gets a successor."""
VARIANTS = {
    "general": ("system", "user", "answer_general"),
    "strategy": ("system", "user", "answer_strategy"),
    "few_shot": ("system", "user", "answer_general", "examples"),
}
"""The texts each prompt variant is made of: system, user, how to answer, examples."""
LONGEST_DESCRIPTION = 6_000
LONGEST_CONTROLS = 2_000
LONGEST_SAYING = 300
"""Characters of a game's own texts, and of a past observation, that are told."""


class Prompt(Struct, frozen=True):
    """The words of one request, without the picture."""

    system: str
    user: str


def render(game: Game, history: Sequence[Step], *, variant: str, width: int, height: int) -> Prompt:
    """Fill in a prompt. What never changes comes first, so that a server can keep it between requests.

    Raises:
        ConfigError: there is no such variant.
    """
    system, user, answer, *examples = _texts(variant)
    filled = Template(user).substitute(
        fallback_keys=", ".join(FALLBACK),
        max_hold=f"{MAX_HOLD_S:g}",
        answer=answer.strip(),
        examples="".join(examples),
        title=game.title,
        genre=f" ({game.genre})" if game.genre else "",
        description=_cut(game.description, LONGEST_DESCRIPTION) or "There is no description.",
        controls=_cut(game.controls.text, LONGEST_CONTROLS) or _documented(game),
        history="\n".join(map(_told, history)) or "Nothing is remembered.",
        width=width,
        height=height,
    )
    return Prompt(system.strip(), filled.strip())


def prompt_digest(variant: str) -> str:
    """Return the digest of a variant's texts, for the spec of a run.

    Raises:
        ConfigError: there is no such variant.
    """
    return digest(_texts(variant))


def _texts(variant: str) -> list[str]:
    if variant not in VARIANTS:
        raise ConfigError(f"no prompt called '{variant}'.{did_you_mean(variant, sorted(VARIANTS))}")
    folder = files("playsuite.agents") / "prompts" / VERSION
    return [(folder / f"{name}.md").read_text(encoding="utf-8") for name in VARIANTS[variant]]


def _documented(game: Game) -> str:
    inputs = [*game.controls.keys, *(["the mouse"] if game.controls.mouse else [])]
    return ", ".join(inputs) or "None are documented."


def _told(step: Step) -> str:
    """Tell one past step in a line; an answer that could not be read is said to have done nothing, and why."""
    turn = step.turn
    did = format_actions(turn.actions)
    if turn.status not in (ParseStatus.OK, ParseStatus.REPAIRED) and turn.notes:
        did += f" (not understood: {_cut('; '.join(turn.notes), LONGEST_SAYING)})"
    saw = _cut(turn.observation, LONGEST_SAYING) or "no note"
    return f"- step {step.index}, {step.t:.1f} s. Observation: {saw} Action: {did}"


def _cut(text: str, most: int) -> str:
    text = text.strip()
    return text if len(text) <= most else f"{text[:most].rstrip()} …"
