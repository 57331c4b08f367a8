"""What models write as JSON is read as it was meant, however it is broken, and what was mended is said."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playsuite.agents.adapters.values import DEEPEST, values_in

GENEROUS_S = 5.0

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e6, 1e6) | st.text(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(min_size=1), inside, max_size=4),
    max_leaves=12,
)
containers = st.lists(plain, max_size=4) | st.dictionaries(st.text(min_size=1), plain, max_size=4)


def only(text):
    (value,) = values_in(text)
    return value


@given(containers, st.booleans(), st.sampled_from([None, 1]))
def test_json_is_read_as_json(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    read = only(text)
    assert read.value == value
    assert (read.begin, read.end, read.closed, read.mended) == (0, len(text), True, ())


@given(st.dictionaries(st.sampled_from("abc"), st.none() | st.booleans() | st.integers() | st.just("it's"), min_size=1))
def test_pythons_literals_are_read_too(value):
    assert only(repr(value)).value == value


@pytest.mark.parametrize(
    ("text", "value", "mended"),
    [
        ('{"a": {"b": 1}', {"a": {"b": 1}}, "a bracket is missing"),
        ('{"a": [1, 2}', {"a": [1, 2]}, "a bracket is missing"),
        ('{"a": 1]}', {"a": 1}, "a bracket is too many"),
        ('{"a": 1,}', {"a": 1}, "a comma is too many"),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}, "a comma is missing"),
        ('{"a": "x" "b": 2}', {"a": "x", "b": 2}, "a comma is missing"),
        ('{"a": "x, "b": 2}', {"a": "x", "b": 2}, "a quote is missing"),
        ('{"a": "x}', {"a": "x"}, "a quote is missing"),
        ('{"a": 1, b": 2}', {"a": 1, "b": 2}, "a quote is missing"),
        ('{"a": "say "hi" now"}', {"a": 'say "hi" now'}, "it has quotes inside of quotes"),
        ('{"a": "x\ny"}', {"a": "x\ny"}, "a line breaks inside of quotes"),
        ("{'a': 'x'}", {"a": "x"}, "it has single quotes"),
        ('{"a": None}', {"a": None}, "it has Python's names"),
        ('{"a": (1, 2)}', {"a": [1, 2]}, "it has round brackets"),
        ("{a: left click}", {"a": "left click"}, "a word has no quotes"),
        ('{"a": , "b": 2}', {"a": None, "b": 2}, "a value is missing"),
        ('{"a": 1, "a": 2}', {"a": 2}, "'a' stands there twice"),
    ],
)
def test_what_is_broken_is_mended_and_said(text, value, mended):
    read = only(text)
    assert read.value == value
    assert mended in read.mended


def test_values_are_found_between_words():
    assert [value.value for value in values_in('first {"a": 1}, then [2] and no {more')] == [
        {"a": 1},
        [2],
        {" 0": "more"},
    ]


def test_a_value_that_ends_with_the_text_is_not_closed():
    assert not only('{"a": [1').closed
    assert only('{"a": [1]}').closed


def test_depth_is_bounded_and_said():
    read = only("[" * 5_000 + "1" + "]" * 5_000)
    assert read.closed
    assert read.mended == ("it is nested too deeply",)
    depth, inside = 0, read.value
    while isinstance(inside, list):
        depth, inside = depth + 1, inside[0] if inside else None
    assert depth == DEEPEST


@given(st.text(alphabet="{}[](),:'\"\\ \nab1<"))
def test_any_text_is_read_to_its_end(text):
    ends = [0]
    for value in values_in(text):
        assert ends[-1] <= value.begin < value.end <= len(text)
        ends.append(value.end)


SCRAPS = ["[", "{", '{"', "{'a':", '["a" ', "[\\", '{"a": "b, "', "[(", "[a ", "{:", "}", ' "a']


@pytest.mark.parametrize("scrap", SCRAPS)
@pytest.mark.parametrize("before", ["", "[", '{"a": "'])
def test_hundreds_of_thousands_of_signs_are_read_at_once(scrap, before):
    begin = time.monotonic()
    for _ in values_in(before + scrap * (200_000 // len(scrap))):
        pass
    assert time.monotonic() - begin < GENEROUS_S
