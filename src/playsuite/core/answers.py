"""Find the action in a model's answer, and the words it wrote around it: fields, fences, thoughts, JSON."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from playsuite.core.actions import ParseStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_ANSWER = 65_536
"""Characters of an answer that are read; the action stands at its end, so the end is kept."""
MAX_NOTES = 12
LONGEST_ACTION = 2_000
"""Characters of an action that are read."""
DEEPEST = 24
"""Brackets inside of one another in an answer that is read as JSON; what is nested deeper is no action."""

_LABEL = re.compile(
    r"^[\s>#*_\-\"'`{]{0,12}(?:final\s|next\s|my\s)?(observation|strategy|reasoning|thought|thinking|action)s?"
    r"[\"'*_` ]{0,4}:[*_]{0,3}",
    re.IGNORECASE | re.MULTILINE,
)
_BRACKET = re.compile(r"[\[\]{}]")
_INLINE_ACTION = re.compile(r"\bactions?[\"'*_` ]{0,4}:[*_]{0,3}", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]{0,8}`{3,}[\w+-]{0,16}[ \t]*$|`{3,}", re.MULTILINE)
_THINK_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_THINK_BEGIN = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_SPECIAL = re.compile(r"<\|[^<>|\n]{1,40}\|>|\[EOS\]|</?s>|<eos>|<(?:start|end)_of_turn>", re.IGNORECASE)
_WIDE = str.maketrans(
    "".join(map(chr, range(0xFF01, 0xFF5F))) + "\u3000\u3001\u3002\u2018\u2019\u201c\u201d\u2212",
    "".join(map(chr, range(0x21, 0x7F))) + " ,.''\"\"-",
)
"""Full-width and typographic characters, and what they stand for."""


class Found(Struct, frozen=True):
    """Where an answer keeps its parts."""

    action: str
    labelled: bool
    """The answer says itself that this is its action; otherwise it is all that might be one."""
    observation: str = ""
    reasoning: str = ""
    notes: tuple[str, ...] = ()


def find(answer: str, *, cut_off: bool = False) -> Found:
    """Find the last action of an answer. Total, and linear in the length of the answer.

    `cut_off` says that the answer ended at its token limit: its last word may be half a word and is not read.
    """
    notes = []
    if len(answer) > LONGEST_ANSWER:
        notes.append(f"of {len(answer)} characters only the last {LONGEST_ANSWER} were read")
        answer = answer[-LONGEST_ANSWER:]
    if cut_off:
        answer, lost = _without_last_word(answer)
        notes.append(f"the answer was cut off at its token limit; its end {shorten(lost)} was not read")
    thoughts, said = clean(answer)
    said = without_fences(said)
    fields, times = _fields(said)
    labelled = "action" in fields
    action = fields["action"] if labelled else _after_the_fields(said, fields)
    if times > 1:
        notes.append(f"of {times} actions labelled 'Action:' the last one counts")
    if labelled and len(action) > LONGEST_ACTION:
        notes.append(f"of {len(action)} characters of action only the first {LONGEST_ACTION} were read")
        action = action[:LONGEST_ACTION]
    reasoning = "\n".join(fields[name] for name in ("strategy", "reasoning", "thought", "thinking") if fields.get(name))
    return Found(action, labelled, fields.get("observation", ""), reasoning or thoughts, tuple(notes))


def clean(answer: str) -> tuple[str, str]:
    """Return (what stands in a thinking block, what was said after it), without special tokens and full-width signs."""
    return _split_thoughts(_SPECIAL.sub("", answer[-LONGEST_ANSWER:]).translate(_WIDE))


def without_fences(text: str) -> str:
    """Take the marks of code blocks out of a text, and leave what stands in them."""
    return _FENCE.sub("", text)


def status_of(*, done: bool, refused: bool, noted: bool, cut_off: bool) -> ParseStatus:
    """Return how well an answer could be read: whether anything is done, was refused, or needed a note."""
    if not done:
        nothing = ParseStatus.INVALID if refused else ParseStatus.NO_ACTION
        return ParseStatus.TRUNCATED if cut_off else nothing
    if refused:
        return ParseStatus.PARTIAL
    return ParseStatus.REPAIRED if noted else ParseStatus.OK


def few(notes: Sequence[str]) -> tuple[str, ...]:
    """Keep the first notes of many."""
    more = len(notes) - MAX_NOTES
    return tuple(notes if more <= 0 else [*notes[:MAX_NOTES], f"and {more} more notes"])


def shorten(text: str, width: int = 60) -> str:
    """Quote a text for a note, at most `width` characters of it."""
    text = text[: 4 * width].strip()
    return repr(text if len(text) <= width else text[:width] + "…")


def _without_last_word(answer: str) -> tuple[str, str]:
    words = re.split(r"\s(?=\S*$)", answer[-LONGEST_ACTION:], maxsplit=1)
    lost = words[-1]
    return answer[: len(answer) - len(lost)], lost


def _split_thoughts(answer: str) -> tuple[str, str]:
    """Return (what stands in a thinking block, what was said after it)."""
    ends = list(_THINK_END.finditer(answer))
    if ends:
        return _THINK_BEGIN.sub("", answer[: ends[-1].start()]).strip(), answer[ends[-1].end() :]
    begin = _THINK_BEGIN.search(answer)
    if begin is None:
        return "", answer
    # Nothing after an unclosed block was meant as an answer.
    return answer[begin.end() :].strip(), answer[: begin.start()]


def _fields(text: str) -> tuple[dict[str, str], int]:
    """Return the labelled parts of an answer, each the last of its name, and how many actions there were."""
    if (found := _json_fields(text)) is not None:
        return found, 1
    labels = list(_LABEL.finditer(text))
    ends = [*(label.start() for label in labels), len(text)][1:]
    fields = {label[1].lower(): text[label.end() : end].strip() for label, end in zip(labels, ends, strict=True)}
    if "action" not in fields and (inline := list(_INLINE_ACTION.finditer(text))):
        fields["action"] = text[inline[-1].end() :].strip()
    return fields, sum(label[1].lower() == "action" for label in labels)


def _after_the_fields(text: str, fields: dict[str, str]) -> str:
    """Return what may be an action without a label: anything, or the lines that follow the last field's own line."""
    if not fields:
        return text
    return list(fields.values())[-1].partition("\n")[2]


def _json_fields(text: str) -> dict[str, str] | None:
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or end < begin or _depth(text[begin : end + 1]) > DEEPEST:
        return None
    try:
        value = json.loads(text[begin : end + 1])
    except ValueError:
        return None  # Prose with braces, or broken JSON, in which labels are looked for as in any text.
    if not isinstance(value, dict):
        return None
    fields = {str(name).lower(): content for name, content in value.items()}
    action = fields.get("action", fields.get("actions"))
    if action is None:
        return None
    said = {name: content for name, content in fields.items() if isinstance(content, str)}
    return {**said, "action": _phrase(action, fields)}


def _depth(text: str) -> int:
    """Return how many brackets stand inside of one another at most; those in strings count too."""
    steps = (1 if sign in "[{" else -1 for sign in _BRACKET.findall(text))
    return max(accumulate(steps, initial=0))


def _phrase(action: Any, rest: dict[str, Any]) -> str:
    """Write a JSON action in the words of the grammar."""
    match action:
        case [*parts]:
            return "\n".join(_phrase(part, {}) for part in parts[:LONGEST_ACTION])
        case dict():
            return _phrase(action.get("action", action.get("type", "")), action)
    parts = [action, rest.get("key", rest.get("keys")), rest.get("coordinate"), _point(rest), rest.get("direction")]
    parts += [rest.get("amount"), rest.get("seconds", rest.get("duration"))]
    return ":".join(_joined(part) for part in parts if part is not None)


def _point(rest: dict[str, Any]) -> Any:
    return [rest["x"], rest["y"]] if "x" in rest and "y" in rest else None


def _joined(part: Any) -> str:
    if not isinstance(part, list):
        return str(part)
    numbers = all(isinstance(item, int | float) for item in part)
    return ("," if numbers else "+").join(map(str, part))
