"""General models that count thousandths: whatever way they point, it lands on the same place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playsuite.agents.adapters.qwen3 import qwen3
from playsuite.core.actions import Button, Click, ParseStatus
from playsuite.core.points import Space, View

FRAMES = [(1280, 720), (800, 600), (640, 480), (400, 300), (641, 359)]
PICTURES = [None, (1280, 704), (800, 608), (640, 480)]
NEAR_PX = 2.0


@st.composite
def views(draw):
    frame = draw(st.sampled_from(FRAMES))
    return View(frame, draw(st.sampled_from(PICTURES)) or frame, draw(st.sampled_from([Space.REL1000, Space.REL999])))


def called(x, y):
    return json.dumps({"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [x, y]}})


WAYS = {
    "the grammar": lambda x, y: f"Action: click:{x},{y}",
    "a tool call": lambda x, y: f"<tool_call>\n{called(x, y)}\n</tool_call>",
    "a bare call": called,
    "a place": lambda x, y: json.dumps({"point_2d": [x, y], "label": "start"}),
    "a box": lambda x, y: json.dumps([{"bbox_2d": [x, y, x, y], "label": "start"}]),
    "a box in tags": lambda x, y: f"<ref>start</ref><box>[[{x}, {y}, {x}, {y}]]</box>",
    "a place in tags": lambda x, y: f"Action: click <point>{x} {y}</point>",
}


@pytest.mark.parametrize("way", WAYS)
@given(view=views(), x=st.integers(2, 998), y=st.integers(2, 998))
def test_every_way_to_point_is_the_same_place(way, view, x, y):
    wide, high = view.extent
    (action,) = qwen3.parse(WAYS[way](x, y), view).parsed.actions
    assert isinstance(action, Click)
    assert abs(action.x - x * view.frame[0] / wide) <= NEAR_PX
    assert abs(action.y - y * view.frame[1] / high) <= NEAR_PX


@given(st.data(), views(), st.sampled_from(Button))
def test_a_click_comes_back_on_its_place(data, view, button):
    width, height = view.frame
    wanted = Click(data.draw(st.floats(0, width - 1)), data.draw(st.floats(0, height - 1)), button)
    parsed = qwen3.parse("Action: " + qwen3.write([wanted], view), view).parsed
    (action,) = parsed.actions
    assert action.button is button
    assert abs(action.x - wanted.x) <= NEAR_PX
    assert abs(action.y - wanted.y) <= NEAR_PX


@given(st.text(), views(), st.sampled_from(["stop", "length", ""]))
def test_any_text_is_an_answer(text, view, finish):
    parsed = qwen3.parse(text, view, finish_reason=finish).parsed
    assert parsed.actions
    assert parsed.notes or parsed.status is ParseStatus.OK
