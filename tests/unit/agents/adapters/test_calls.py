"""Calls are read out of any text, by name and by place, and mended where they are broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playsuite.agents.adapters.calls import calls_in


def only(text):
    (call,) = calls_in(text)
    return call


def test_arguments_have_names_or_places():
    call = only("pyautogui.scroll(-3, x=5, y = 6)")
    assert (call.name, call.positional, call.named) == ("pyautogui.scroll", ("-3",), {"x": "5", "y": "6"})


@pytest.mark.parametrize(
    ("said", "meant"), [(r"'it\'s'", "it's"), ("'it's'", "it's"), ('"a, b)"', "a, b)"), (r"'a\n'", "a\n"), ("''", "")]
)
def test_a_string_ends_where_an_argument_may_end(said, meant):
    call = only(f"type(content={said})")
    assert (call.named, call.note) == ({"content": meant}, "")


def test_a_call_without_its_bracket_ends_where_the_next_begins():
    first, second = calls_in("press('a'\npress('b')")
    assert (first.positional, first.closed, second.positional) == (("a",), False, ("b",))


@given(st.text(alphabet="ab.('\")[]{}=, \n\\<>"))
def test_calls_stand_one_after_another_whatever_the_text(text):
    at = 0
    for call in calls_in(text):
        assert at <= call.begin < call.end <= len(text)
        at = call.end
