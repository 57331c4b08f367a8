"""Models without a format of their own: the general prompt, the action grammar, pixels of the picture sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from playsuite.agents.adapters.computer_use import of_calls, spoken_place
from playsuite.agents.adapters.family import Family
from playsuite.agents.adapters.toolcalls import around, calls_in, said_in
from playsuite.agents.adapters.toolverbs import is_verb
from playsuite.core.actions import Parsed, ParseStatus
from playsuite.core.answers import find
from playsuite.core.grammar import format_actions, parse
from playsuite.core.points import Space, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.actions import Action, Answer
    from playsuite.core.points import View

VERSION = 1
GENERAL = {
    "general": {"system": "system", "user": "user", "answer": "answer_general"},
    "strategy": {"system": "system", "user": "user", "answer": "answer_strategy"},
    "few_shot": {"system": "system", "user": "user", "answer": "answer_general", "examples": "examples"},
}
"""The general prompt and its variants."""

_CHORD = r"[a-z0-9]{1,12}(\+[a-z0-9]{1,12}){0,2}"
_POINT = r"[0-9]{1,4},[0-9]{1,4}"
_ACTION = (
    rf"(wait|{_CHORD}|hold:{_CHORD}:[0-9]\.[0-9]|(right)?click:{_POINT}|scroll:(up|down):[0-9]"
    rf"|move:{_POINT}|move:[+-][0-9]{{1,3}},[+-][0-9]{{1,3}})"
)
_WORDS = r"[^\n]{1,300}\n"
PATTERNS = {
    variant: "".join(f"{label}: {_WORDS}" for label in labels) + f"Action: {_ACTION}"
    for variant, labels in (
        ("general", ("Observation", "Reasoning")),
        ("strategy", ("Observation", "Strategy", "Reasoning")),
        ("few_shot", ("Observation", "Reasoning")),
    )
}
"""What an answer to each variant looks like, for servers that can force it."""


def read(text: str, view: View, finish_reason: str) -> Answer:
    """Read an answer in the action grammar, or what a model says instead that was trained to call tools or to point."""
    cut_off = finish_reason == "length"
    said = said_in(text, cut_off=cut_off)
    calls = calls_in(said.words)
    if len(calls) == 1 and not (calls[0].tagged or is_verb(calls[0].verb)):
        calls = []  # JSON around a phrase of the action grammar, which knows that too.
    placed = spoken_place(text, calls, view, finish_reason)
    in_grammar = parse(placed or text, view, finish_reason=finish_reason)
    if placed or not calls:
        return in_grammar
    if spoken := _labelled(around(said.words, calls), view, finish_reason):
        return spoken
    called = of_calls(said, calls, view, cut_off=cut_off)
    same = called.parsed.actions == in_grammar.parsed.actions and in_grammar.parsed.status is ParseStatus.OK
    return in_grammar if same else called


def write(actions: Sequence[Action], view: View) -> str:
    """Write actions in the action grammar, in the coordinates of the view."""
    return format_actions([told(action, view) for action in actions])


standard = Family(name="general", space=Space.PICTURE, texts=GENERAL, patterns=PATTERNS, read=read, write=write)


def _labelled(words: str, view: View, finish_reason: str) -> Answer | None:
    """Return the action that an answer says beside its calls, if it plainly says one."""
    answer = parse(words, view, finish_reason=finish_reason)
    if answer.parsed.status is not ParseStatus.OK or not find(words).labelled:
        return None
    notes = ("there was a call beside the action; it was not made",)
    return replace(answer, parsed=Parsed(answer.parsed.actions, ParseStatus.REPAIRED, notes))
