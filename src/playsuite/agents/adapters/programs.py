"""Do what an answer written as calls of functions says: its last action section, read by a family's own vocabulary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from playsuite.agents.adapters import gestures, standard
from playsuite.agents.adapters.calls import MAX_CALLS, Written, calls_in
from playsuite.agents.adapters.heldkeys import joined
from playsuite.agents.adapters.toolverbs import done, is_verb
from playsuite.core.answers import LONGEST_ANSWER, clean, find, without_fences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playsuite.agents.adapters.toolcalls import Call
    from playsuite.core.actions import Answer
    from playsuite.core.points import View

    Translate = Callable[[Sequence[Written]], list[Call]]

_BARE = re.compile(r"^[\s\d.)*>;-]*$")


class Section(NamedTuple):
    """The part of an answer that holds its actions."""

    words: str
    before: str
    calls: list[Written]
    notes: tuple[str, ...] = ()


def read_program(
    text: str,
    view: View,
    finish_reason: str,
    *,
    label: re.Pattern[str],
    translate: Translate,
    offered: Sequence[str],
    notes: Sequence[str] = (),
) -> Answer:
    """Read the calls behind the last label, or those of an answer without one; total.

    `offered` are the family's own verbs, of which an unknown one may have been meant for.
    """
    cut_off = finish_reason == "length"
    thoughts, words = clean(text)
    said = [*notes]
    if len(text) > LONGEST_ANSWER:
        said.append(f"of {len(text)} characters only the last {LONGEST_ANSWER} were read")
    if thoughts and not words.strip() and not cut_off:
        words = thoughts
        said.append("there was nothing but a thought, so what it says was done")
    section = section_of(without_fences(words), label)
    found = translate(section.calls)
    if len(section.calls) == MAX_CALLS:
        said.append(f"only the first {MAX_CALLS} calls were looked at")
    fields = find(section.before)
    answer = gestures.answered(
        list(done(list(joined(found, cut_off=cut_off)), view, cut_off=cut_off, offered=offered)),
        cut_off=cut_off,
        notes=[*said, *section.notes],
        observation=fields.observation,
        reasoning=fields.reasoning or section.before or thoughts,
        answer=words or thoughts,
    )
    return answer if found else gestures.or_instead(answer, standard.read(text, view, finish_reason))


def section_of(words: str, label: re.Pattern[str]) -> Section:
    """Return the last labelled part that holds calls; a thought may hold a label too, so it does not end the search."""
    labels = list(label.finditer(words))[-8:]
    for mark in reversed(labels):
        calls = _said(words[mark.end() :])
        if calls:
            earlier = [
                other for other in labels if other.end() < mark.end() and _said(words[other.end() : mark.start()])
            ]
            note = ("of several actions labelled as such the last one counts",) if earlier else ()
            return Section(words[mark.end() :], words[: mark.start()].strip(), calls, note)
    calls = _said(words)
    before = words[: calls[0].begin].strip() if calls else words
    return Section(words, before, calls)


def _said(words: str) -> list[Written]:
    """Return the calls that are meant: of verbs that are known, or, with any name, at the beginning of a line."""
    return [
        call
        for call in calls_in(words)
        if is_verb(call.name.rpartition(".")[2])
        or "." in call.name
        or _BARE.match(words[max(words.rfind("\n", 0, call.begin) + 1, call.begin - 40) : call.begin])
    ]


def with_names(written: Written, names: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of a call by name, those without one by their place, as far as there are names."""
    arguments = dict(zip(names, written.positional, strict=False))
    return {**arguments, **written.named}
