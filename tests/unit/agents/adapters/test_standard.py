"""General models that count pixels: the action grammar comes back as it was, and other ways to answer are read too."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playsuite.agents.adapters.standard import standard
from playsuite.core.actions import Button, Click, Hold, Move, ParseStatus, Press, Scroll, Wait
from playsuite.core.keys import KEYS
from playsuite.core.points import Space, View

FRAMES = [(1280, 720), (800, 600), (640, 480), (400, 300), (641, 359)]
PICTURES = [None, (1288, 728), (812, 588), (644, 476)]
NEAR_PX = 2.0
GENEROUS_S = 10.0


@st.composite
def views(draw):
    frame = draw(st.sampled_from(FRAMES))
    return View(frame, draw(st.sampled_from(PICTURES)) or frame, Space.PICTURE)


def back(actions, view):
    return standard.parse(f"Observation: x\nReasoning: y\nAction: {standard.write(actions, view)}", view).parsed


@given(st.data(), views(), st.sampled_from(Button), st.integers(1, 3))
def test_a_click_comes_back_on_its_place(data, view, button, count):
    width, height = view.frame
    x, y = data.draw(st.floats(0, width - 1)), data.draw(st.floats(0, height - 1))
    parsed = back([Click(x, y, button, count)], view)
    (action,) = parsed.actions
    assert (action.button, action.count) == (button, count)
    assert abs(action.x - x) <= NEAR_PX
    assert abs(action.y - y) <= NEAR_PX


@given(views(), st.integers(-500, 500), st.integers(-500, 500), st.sampled_from([0.0, 0.5]))
def test_a_look_around_comes_back(view, dx, dy, seconds):
    (action,) = back([Move(dx, dy, relative=True, seconds=seconds)], view).actions
    assert (action.relative, action.seconds) == (True, seconds)
    assert abs(action.x - dx) <= NEAR_PX
    assert abs(action.y - dy) <= NEAR_PX


chords = st.lists(st.sampled_from(sorted(KEYS)), min_size=1, max_size=3, unique=True).map(tuple)
exact = st.one_of(
    chords.map(Press),
    st.builds(Hold, chords, st.integers(1, 200).map(lambda hundredths: hundredths / 100)),
    st.integers(-20, 20).filter(bool).map(Scroll),
    st.just(Wait()),
)


@given(views(), st.lists(exact, min_size=1, max_size=4).map(tuple))
def test_keys_wheel_and_waits_come_back_as_they_were(view, actions):
    parsed = back(actions, view)
    assert (parsed.actions, parsed.status, parsed.notes) == (actions, ParseStatus.OK, ())


@given(st.text(), views(), st.sampled_from(["stop", "length", ""]))
def test_any_text_is_an_answer(text, view, finish):
    parsed = standard.parse(text, view, finish_reason=finish).parsed
    assert parsed.actions
    assert parsed.notes or parsed.status is ParseStatus.OK


def test_the_fields_of_a_json_answer_are_told_apart():
    text = '{"observation": "a door", "reasoning": "it is shut", "action": "click", "x": 5, "y": 6, "button": "right"}'
    answer = standard.parse(text, View.of_frame(1280, 720))
    assert answer.parsed.actions == (Click(5, 6, Button.RIGHT),)
    assert (answer.observation, answer.reasoning) == ("a door", "it is shut")


@pytest.mark.parametrize("scrap", ["<tool_call>", '{"action": "wait"}\n', "<box>1", "Action: ", '{"a":', "[", "<ref>"])
def test_a_megabyte_of_anything_is_read_at_once(scrap):
    text = scrap * (1_000_000 // len(scrap))
    before = time.monotonic()
    standard.parse(text, View.of_frame(1280, 720))
    standard.parse("Action: " + text, View.of_frame(1280, 720), finish_reason="length")
    assert time.monotonic() - before < GENEROUS_S
