"""Find the tool calls and pointed-at places of an answer: in `<tool_call>` blocks, in fences, or bare."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from playsuite.agents.adapters.bracketed import numbers_in
from playsuite.agents.adapters.values import values_in
from playsuite.core.answers import LONGEST_ANSWER, clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playsuite.agents.adapters.values import Value

POINTED = "point"
"""The verb of a place that is named without saying what to do there."""
DEEPEST = 8
"""Dictionaries inside of one another among which a call is looked for."""
MOST_NUMBERS = 64
"""Of one argument; a place has four at most."""

_BLOCK = re.compile(r"<(/?)tool_?calls?\s{0,8}>", re.IGNORECASE)
_FENCE = re.compile(r"```[\w+-]{0,16}")
_HALF_TAG = re.compile(r"</?[a-z_]{0,12}\Z", re.IGNORECASE)
_ESCAPED = re.compile(r"[^{]*\{\s*\\\"")
_FUNCTION = re.compile(r"<function\s?=\s?[\"']?([\w.-]{1,60})[\"']?>", re.IGNORECASE)
_PARAMETER = re.compile(r"<parameter\s?=\s?[\"']?([\w.-]{1,60})[\"']?>([^<]*)", re.IGNORECASE)
_FUNCTION_END = re.compile(r"</function>", re.IGNORECASE)
_PLACE = re.compile(r"<(box|point)>([^<>]{0,120})(</\1>|(?=<)|\Z)", re.IGNORECASE)
_NAMED = re.compile(r"<ref>[^<>]{0,200}</ref>", re.IGNORECASE)
_VERBS = ("action", "action_type", "next action", "next_action", "actions", "tool_calls", "type")
_ARGUMENTS = ("arguments", "parameters", "params", "args", "function", "input")
_PLACES = ("point_2d", "bbox_2d", "box_2d")
_SAYS_MORE = frozenset(("coordinate", "coordinates", "keys", "key", "text", "time", "pixels"))
"""What makes a call of a dictionary that has a name and no action."""


class Call(NamedTuple):
    """One call of an answer."""

    verb: str
    arguments: dict[str, Any]
    begin: int
    end: int
    note: str = ""
    """What had to be mended to read it."""
    whole: bool = True
    """It does not just end where the answer does."""
    tagged: bool = True
    """It stands in a `<tool_call>` block."""


class Said(NamedTuple):
    """What an answer says, and what it thought before."""

    words: str
    thoughts: str
    notes: tuple[str, ...] = ()


def said_in(answer: str, *, cut_off: bool) -> Said:
    """Clean an answer; a whole call that ends a thinking block behind which nothing comes was meant to be said."""
    thoughts, words = clean(answer)
    lost = len(answer) > LONGEST_ANSWER
    notes = (f"of {len(answer)} characters only the last {LONGEST_ANSWER} were read",) if lost else ()
    begin = thoughts.rfind("<tool_call>")
    if cut_off or words.strip() or begin < 0 or not thoughts.endswith("</tool_call>"):
        return Said(words, thoughts, notes)
    return Said(thoughts[begin:], thoughts[:begin].strip(), (*notes, "the call stood in a thinking block"))


def calls_in(text: str) -> list[Call]:
    """Return the calls of a cleaned answer in their order: those in blocks, if it has blocks. Total, and linear."""
    if blocks := list(_blocks(text)):
        return [call for begin, end in blocks for call in _calls(text, begin, end)]
    fences = list(_FENCE.finditer(text))
    begins = [0, *(fence.end() for fence in fences)]
    ends = [*(fence.start() for fence in fences), len(text)]
    between = zip(begins, ends, strict=True)
    return [call._replace(tagged=False) for begin, end in between for call in _calls(text, begin, end)]


def around(text: str, calls: Sequence[Call]) -> str:
    """Return what an answer says around its calls."""
    said, at = [], 0
    for call in calls:
        said.append(text[at : call.begin])
        at = max(at, call.end)
    return _NAMED.sub("", _BLOCK.sub("", "".join([*said, text[at:]])))


def places_in_words(text: str) -> str:
    """Write places in tags as the action grammar does: `click <ref>Start</ref><box>(1,2),(3,4)</box>`."""
    return _PLACE.sub(_in_words, _NAMED.sub("", text))


def numbers_of(value: Any, depth: int = 0) -> list[float]:
    """Return the numbers of an argument: a number, a text, a list, lists in a list, or x and y by name."""
    match value:
        case bool() | None:
            return []
        case int() | float():
            return [float(value)]
        case str():
            return numbers_in([value])[:MOST_NUMBERS]
        case {"x": x, "y": y} if depth <= DEEPEST:
            return [*numbers_of(x, depth + 1), *numbers_of(y, depth + 1)]
        case list() | dict() if depth <= DEEPEST:
            items = list(value.values() if isinstance(value, dict) else value)[:MOST_NUMBERS]
            return [number for item in items for number in numbers_of(item, depth + 1)][:MOST_NUMBERS]
        case _:
            return []


def _in_words(place: re.Match[str]) -> str:
    if not _ends(place):
        return place[0]  # It ends where the answer does, perhaps in the middle of a number.
    return f" {', '.join(f'{number:g}' for number in numbers_in([place[2]]))} "


def _ends(place: re.Match[str]) -> bool:
    return bool(place[3]) or place.end() < len(place.string)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the blocks begin and end; one that is not closed ends where the next one begins."""
    tags = list(_BLOCK.finditer(text))
    ends = [*(tag.start() for tag in tags), len(text)][1:]
    if tags and tags[0][1]:
        yield 0, tags[0].start()  # Its opening tag was lost.
    yield from ((tag.end(), end) for tag, end in zip(tags, ends, strict=True) if not tag[1])


def _calls(text: str, begin: int, end: int) -> Iterator[Call]:
    said = text[begin:end]
    if _ESCAPED.match(said):
        said = said.replace('\\"', ' "')  # Written as if inside of a string; as long as before, so places stay.
    for call in _functions(said) if _FUNCTION.search(said) else _of_values(said):
        whole = call.whole or end < len(text)
        yield call._replace(begin=call.begin + begin, end=call.end + begin, whole=whole)


def _functions(said: str) -> Iterator[Call]:
    """Yield calls written as `<function=name><parameter=action>wait</parameter></function>`."""
    starts = list(_FUNCTION.finditer(said))
    ends = [*(start.start() for start in starts), len(said)][1:]
    for start, end in zip(starts, ends, strict=True):
        close = _FUNCTION_END.search(said, start.end(), end)
        found = {field[1].lower(): _meant(field[2]) for field in _PARAMETER.finditer(said, start.end(), end)}
        verb = found.get("action", start[1])
        yield Call(str(verb), found, start.start(), close.end() if close else end, whole=close is not None)


def _meant(said: str) -> Any:
    """Return a parameter's value: brackets are read, anything else is the text itself."""
    value = next(values_in(said), None) if said.lstrip()[:1] in ("[", "{") else None
    return said.strip() if value is None else value.value


def _of_values(said: str) -> list[Call]:
    values = list(values_in(_HALF_TAG.sub("", said)))
    calls = [
        Call(verb, arguments, value.begin, value.end, _noted(_mended(value, said), note), value.closed)
        for value in values
        for verb, arguments, note in _unwrapped(value.value)
    ]
    return sorted([*calls, *_places(said, values)], key=lambda call: call.begin)


def _mended(value: Value, said: str) -> str:
    rest = said[value.end : value.end + 8].lstrip()[:1]
    mended = dict.fromkeys((*value.mended, *(("a bracket is too many",) if rest and rest in "}]" else ())))
    return f"a call was mended: {', '.join(mended)}" if mended else ""


def _places(said: str, values: Sequence[Value]) -> Iterator[Call]:
    """Yield the places in tags that stand in no dictionary."""
    spans = iter([value for value in values if isinstance(value.value, dict)])
    span = next(spans, None)
    for place in _PLACE.finditer(said):
        while span and span.end <= place.start():
            span = next(spans, None)
        if span is None or place.start() < span.begin:
            yield Call(POINTED, {"coordinate": place[2]}, place.start(), place.end(), whole=_ends(place))


def _unwrapped(value: Any, depth: int = 0) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield (verb, arguments, note) of the calls in a value."""
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from _unwrapped(item, depth + 1)
    if isinstance(value, dict):
        call, inside, note = _call_of(_fields(value))
        if call:
            yield *call, note
        for content in inside:
            yield from ((*found[:2], _noted(note, found[2])) for found in _unwrapped(content, depth + 1))


def _call_of(fields: dict[str, Any]) -> tuple[tuple[str, dict[str, Any]] | None, list[Any], str]:
    """Return (the call that a dictionary is, the values in which more calls are looked for, a note)."""
    nameless = [content for name, content in fields.items() if name.isdigit()]
    verb = next((fields[name] for name in _VERBS if fields.get(name)), None)
    name = fields.get("name")
    arguments, note = _arguments(fields)
    if arguments is not None and _is_call(arguments):
        return None, [arguments, *nameless], note
    if isinstance(arguments, dict) and isinstance(called := verb if isinstance(verb, str) else name, str):
        return (called, _fields(arguments)), nameless, note
    if isinstance(verb, dict | list):
        listed = verb if isinstance(verb, list) else [verb]
        return None, [*({"action": item} if isinstance(item, str) else item for item in listed), *nameless], ""
    if place := next((fields[name] for name in _PLACES if name in fields), None):
        return (POINTED, {"coordinate": place}), nameless, ""
    if isinstance(verb, str):
        return (verb, fields), nameless, ""
    if isinstance(name, str) and _SAYS_MORE & fields.keys():
        return (name, fields), nameless, ""
    return None, list(fields.values()), ""


def _arguments(fields: dict[str, Any]) -> tuple[dict[str, Any] | list[Any] | None, str]:
    """Return (what a call is called with, a note); also where it was written as a text."""
    for name in _ARGUMENTS:
        match fields.get(name):
            case dict() | list() as content:
                return content, ""
            case str() as content if value := next(values_in(content), None):
                return value.value, f"its {name} were written as a text"
            case str() as content if name == "arguments":
                return {"text": content}, ""
    return None, ""


def _is_call(arguments: dict[str, Any] | list[Any]) -> bool:
    return isinstance(arguments, list) or any(name in _fields(arguments) for name in (*_VERBS, "name", "arguments"))


def _fields(value: dict[str, Any]) -> dict[str, Any]:
    return {str(name).strip().lower(): content for name, content in value.items()}


def _noted(*notes: str) -> str:
    return "; ".join(filter(None, notes))
