"""Raw answers of models with what must be read out of them, and mutations of them, which must never surprise.

Each file `answers/ADAPTER*.toml` holds rows of one adapter:

    [[answer]]
    name = "what is odd about it"
    text = '''what the model said'''
    actions = "click:640,360"       what must be done, in the action grammar and pixels of the frame
    status = "ok"
    notes = []                      a piece of each note, in order; as many as there are notes
    frame = [1280, 720]             these have defaults, below
    picture = [1280, 720]
    space = "rel1000"               default: the adapter's own
    y_first = false
    finish = "stop"
    source = "where it was seen"
"""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from playsuite.core.actions import Click, Hold, Move, ParseStatus, Press, Wait
from playsuite.core.grammar import format_actions
from playsuite.core.keys import KEYS
from playsuite.core.plugins import known, load
from playsuite.core.points import Space, View

FOLDER = Path(__file__).parent / "answers"
WANTED = 250


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    text: str
    actions: str
    status: ParseStatus
    notes: tuple[str, ...] = ()
    frame: tuple[int, int] = (1280, 720)
    picture: tuple[int, int] | None = None
    space: Space | None = None
    y_first: bool = False
    finish: str = "stop"
    source: str = ""


class File(Struct, frozen=True, forbid_unknown_fields=True):
    answer: tuple[Row, ...]


def rows():
    for path in sorted(FOLDER.glob("*.toml")):
        adapter = path.stem.partition("-")[0]
        for row in msgspec.toml.decode(path.read_bytes(), type=File).answer:
            yield pytest.param(adapter, row, id=f"{adapter}: {row.name}")


ROWS = list(rows())


def view_of(adapter, row):
    return View(row.frame, row.picture or row.frame, row.space or load("adapters", adapter).space, row.y_first)


@pytest.mark.parametrize(("adapter", "row"), ROWS)
def test_an_answer_is_read_as_it_was_meant(adapter, row):
    answer = load("adapters", adapter).parse(row.text, view_of(adapter, row), finish_reason=row.finish)
    parsed = answer.parsed
    assert (format_actions(parsed.actions), parsed.status) == (row.actions, row.status), parsed.notes
    assert len(parsed.notes) == len(row.notes), parsed.notes
    for note, piece in zip(parsed.notes, row.notes, strict=True):
        assert piece in note


def test_the_corpus_is_large_and_covers_every_adapter():
    assert len(ROWS) >= WANTED
    each = [param.values[0] for param in ROWS]
    assert {name for name in each if each.count(name) >= 25} == set(known("adapters"))


SCRAPS = st.sampled_from(
    [
        *("", "\n", "\x00", "'", '"', "(", ")", "[", "]", "{", "}", "<", ">", "|", "=", ":", ",", "\\", "`", "```"),
        *("</tool_call>", "<tool_call>", "<think>", "</think>", "Action:", "null", "None", "nan", "-1e999", "9" * 400),
        *("<point>", "</point>", "pyautogui.", "(" * 300, "[" * 300, "\ud83c\udfae", "\uff08", "é", "\u2028"),
    ]
)


@st.composite
def mutated(draw):
    """Cut, doubled, spliced and sprinkled answers of the corpus, read by their own adapter or another one."""
    adapter, row = draw(st.sampled_from([param.values for param in ROWS]))
    text = row.text
    for _ in range(draw(st.integers(1, 4))):
        at, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        other = draw(st.sampled_from([param.values[1].text for param in ROWS]))
        middle = draw(st.one_of(SCRAPS, st.just(text[at:end] * 2), st.just(other), st.text(max_size=5)))
        text = text[:at] + middle + text[end:]
    reader = draw(st.sampled_from([adapter, adapter, adapter, *known("adapters")]))
    return reader, row, text, draw(st.sampled_from(["stop", "length"]))


@settings(max_examples=1500, deadline=None)
@given(mutated())
def test_no_mutation_raises_or_is_lost_in_silence(case):
    reader, row, text, finish = case
    view = view_of(reader, row)
    parsed = load("adapters", reader).parse(text, view, finish_reason=finish).parsed
    assert parsed.actions
    for action in parsed.actions:
        assert_possible(action, view)
    if parsed.status is not ParseStatus.OK:
        assert parsed.notes
    if parsed.status not in (ParseStatus.OK, ParseStatus.REPAIRED, ParseStatus.PARTIAL):
        assert parsed.actions == (Wait(),)
    if finish == "length":
        assert parsed.status is not ParseStatus.OK


def assert_possible(action, view):
    width, height = view.frame
    match action:
        case Press(keys) | Hold(keys):
            assert keys
            assert set(keys) <= KEYS
        case Click(x, y) | Move(x, y, relative=False):
            assert 0 <= x <= width - 1
            assert 0 <= y <= height - 1
