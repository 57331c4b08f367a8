"""What a model is told: texts in files, filled with the game, the history and the size of the picture."""

from __future__ import annotations

from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from playsuite.core.actions import ParseStatus
from playsuite.core.errors import ConfigError
from playsuite.core.keys import FALLBACK
from playsuite.core.phrases import MAX_HOLD_S
from playsuite.core.plugins import did_you_mean
from playsuite.core.points import Space
from playsuite.core.protocols import Prompt, Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from playsuite.core.actions import Action
    from playsuite.core.points import View
    from playsuite.core.protocols import Question
    from playsuite.core.records import Game, Step

VERSION = "v2"
"""Folder of the texts. A text that was published is never edited; it gets a successor."""
FORM = 2
"""Goes up whenever what is put around the texts changes: how the past is told, where the pictures stand."""
LONGEST_DESCRIPTION = 6_000
LONGEST_CONTROLS = 2_000
LONGEST_SAYING = 300
"""Characters of a game's own texts, and of a past observation, that are told."""
VARIABLES = {
    "title": "title of the game",
    "genre": "its genre in parentheses, or nothing",
    "description": f"its description, cut to {LONGEST_DESCRIPTION} characters",
    "controls": f"its documented controls, cut to {LONGEST_CONTROLS} characters, else the keys that are known",
    "fallback_keys": "keys worth trying where nothing is documented",
    "max_hold": "seconds a key may be held",
    "coordinates": "a sentence that says what x and y are",
    "width": "of the picture, in pixels",
    "height": "of the picture, in pixels",
    "answer": "how to answer: the text `answer` of the variant",
    "examples": "worked examples: the text `examples` of the variant, or nothing",
    "history": "the steps remembered, a line each, with their pictures if they are shown",
}
"""What a text may hold as `$name`."""
COORDINATES = {
    Space.FRAME: "x and y are pixels of the picture, counted from its upper left corner.",
    Space.PICTURE: "x and y are pixels of the picture, counted from its upper left corner.",
    Space.REL1000: (
        "x and y are thousandths of the picture, whatever its size: 0,0 is its upper left corner, 1000,1000 the lower "
        "right one."
    ),
    Space.REL999: (
        "x and y go from 0 to 999, whatever the size of the picture: 0,0 is its upper left corner, 999,999 the lower "
        "right one."
    ),
    Space.UNIT: "x and y are shares of the picture from 0 to 1: 0,0 is its upper left corner, 1,1 the lower right one.",
}
_HISTORY = "\0history\0"
"""Marks where the past stands; no text can hold it."""


def read_texts(family: str, names: Mapping[str, str]) -> dict[str, str]:
    """Read the texts of a variant: what each is for -> its words."""
    folder = files("playsuite.agents") / "prompts" / VERSION / family
    return {use: (folder / f"{name}.md").read_text(encoding="utf-8") for use, name in names.items()}


def form() -> list[object]:
    """Return all that shapes a prompt besides its texts, for its digest."""
    cuts = [LONGEST_DESCRIPTION, LONGEST_CONTROLS, LONGEST_SAYING]
    return [FORM, cuts, COORDINATES, FALLBACK, MAX_HOLD_S]


def refuse_unknown_variant(variant: str, variants: Sequence[str]) -> None:
    """Refuse a variant that an adapter does not have.

    Raises:
        ConfigError: it does not.
    """
    if variant not in variants:
        raise ConfigError(f"no prompt called '{variant}' for this model.{did_you_mean(variant, sorted(variants))}")


def fill(question: Question, texts: Mapping[str, str], *, write: Callable[[Sequence[Action], View], str]) -> Prompt:
    """Fill in the texts of a variant. What never changes comes first, so that a server can keep it between requests."""
    variables = _variables(question) | {
        "answer": texts.get("answer", "").strip(),
        "examples": texts.get("examples", ""),
        "history": _HISTORY,
    }
    system = Template(texts.get("system", "")).substitute(variables).strip()
    head, mark, tail = Template(texts["user"]).substitute(variables).strip().partition(_HISTORY)
    past = _past(question, write) if mark else []
    if question.shown:
        # What is asked now comes after the picture: so this stands where it will in the next prompt, as one of the
        # past, and a server that has read it need not read it again.
        return Prompt(system, tuple(_joined([head, *past, Shown(), tail])))
    return Prompt(system, (*_joined([head, *past, tail]), Shown()))


def _variables(question: Question) -> dict[str, str]:
    game, (width, height) = question.game, question.view.picture
    return {
        "title": game.title,
        "genre": f" ({game.genre})" if game.genre else "",
        "description": _cut(game.description, LONGEST_DESCRIPTION) or "There is no description.",
        "controls": _cut(game.controls.text, LONGEST_CONTROLS) or _documented(game),
        "fallback_keys": ", ".join(FALLBACK),
        "max_hold": f"{MAX_HOLD_S:g}",
        "coordinates": COORDINATES[question.view.space],
        "width": str(width),
        "height": str(height),
    }


def _documented(game: Game) -> str:
    inputs = [*game.controls.keys, *(["the mouse"] if game.controls.mouse else [])]
    return ", ".join(inputs) or "None are documented."


def _past(question: Question, write: Callable[[Sequence[Action], View], str]) -> list[str | Shown]:
    parts: list[str | Shown] = []
    for step in question.past:
        parts += [Shown(step.index)] if step.index in question.shown else []
        line = _told(step, write(step.turn.actions, question.view))
        parts.append(line if step is question.past[-1] and not question.shown else line + "\n")
    return parts or ["Nothing is remembered."]


def _told(step: Step, did: str) -> str:
    """Tell one past step in a line; an answer that could not be read is said to have done nothing, and why."""
    turn = step.turn
    if turn.status not in (ParseStatus.OK, ParseStatus.REPAIRED) and turn.notes:
        did += f" (not understood: {_cut('; '.join(turn.notes), LONGEST_SAYING)})"
    saw = _cut(" ".join((turn.observation or turn.reasoning).split()), LONGEST_SAYING) or "no note"
    return f"- step {step.index}, {step.t:.1f} s. Observation: {saw} Action: {did}"


def _joined(parts: Sequence[str | Shown]) -> list[str | Shown]:
    """Make one text of neighbouring texts."""
    joined: list[str | Shown] = []
    for part in parts:
        match joined[-1:], part:
            case [str(before)], str():
                joined[-1] = before + part
            case _:
                joined.append(part)
    return [part for part in joined if part != ""]


def _cut(text: str, most: int) -> str:
    text = text.strip()
    return text if len(text) <= most else f"{text[:most].rstrip()} …"
