import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from playsuite.core.errors import StoreError
from playsuite.core.lines import LineWriter, read_lines


class Note(Struct, frozen=True):
    text: str


def write(path, *texts):
    with LineWriter(path) as writer:
        for text in texts:
            writer.add(Note(text))


def test_a_line_can_be_read_as_soon_as_it_is_added(tmp_path):
    with LineWriter(tmp_path / "notes.jsonl") as writer:
        writer.add(Note("one"))
        assert read_lines(tmp_path / "notes.jsonl", Note) == [Note("one")]


def test_opening_again_appends(tmp_path):
    write(tmp_path / "notes.jsonl", "one")
    write(tmp_path / "notes.jsonl", "two")
    assert read_lines(tmp_path / "notes.jsonl", Note) == [Note("one"), Note("two")]


@given(lost=st.integers(0, 60))
def test_a_torn_tail_costs_only_the_lines_it_hit(tmp_path_factory, lost):
    path = tmp_path_factory.mktemp("torn") / "notes.jsonl"
    write(path, "one", "two", "three")
    data = path.read_bytes()
    path.write_bytes(data[: max(len(data) - lost, 0)])
    whole = read_lines(path, Note)
    assert whole == [Note("one"), Note("two"), Note("three")][: len(whole)]
    write(path, "next")
    assert read_lines(path, Note) == [*whole, Note("next")]


def test_a_bad_line_in_the_middle_is_named(tmp_path):
    path = tmp_path / "notes.jsonl"
    path.write_text('{"text": "one"}\n{"text": 2}\n{"text": "three"}\n')
    with pytest.raises(StoreError, match=r"notes\.jsonl, line 2: no Note: Expected `str`, got `int`"):
        read_lines(path, Note)


def test_a_newer_line_is_refused_by_its_schema(tmp_path):
    path = tmp_path / "notes.jsonl"
    path.write_text('{"words": "one", "schema": 99}\n')
    with pytest.raises(StoreError, match="schema 99"):
        read_lines(path, Note)


def test_a_missing_file_is_an_error_not_an_empty_list(tmp_path):
    with pytest.raises(StoreError, match="nothing-here"):
        read_lines(tmp_path / "nothing-here", Note)
