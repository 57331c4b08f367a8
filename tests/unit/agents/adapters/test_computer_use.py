"""Tool callers: what they say comes back as it was meant; the oddities of their answers are in the golden corpus."""

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playsuite.agents.adapters.computer_use import computer_use
from playsuite.agents.prompt import read_texts
from playsuite.core.actions import Button, Click, Hold, Move, ParseStatus, Press, Scroll, Wait
from playsuite.core.keys import KEYS
from playsuite.core.points import Space, View

FRAMES = [(1280, 720), (800, 600), (640, 480), (400, 300), (641, 359)]
PICTURES = [None, (1280, 704), (800, 608), (640, 480)]
SPACES = [Space.REL1000, Space.REL999, Space.PICTURE]
NEAR_PX = 2.0
GENEROUS_S = 10.0


@st.composite
def views(draw):
    frame = draw(st.sampled_from(FRAMES))
    return View(frame, draw(st.sampled_from(PICTURES)) or frame, draw(st.sampled_from(SPACES)))


@st.composite
def points(draw, view):
    width, height = view.frame
    return draw(st.floats(0, width - 1)), draw(st.floats(0, height - 1))


def back(actions, view):
    return computer_use.parse(computer_use.write(actions, view), view).parsed


def call(**arguments):
    return f"<tool_call>\n{json.dumps({'name': 'computer_use', 'arguments': arguments})}\n</tool_call>"


def assert_near(action, wanted):
    assert abs(action.x - wanted.x) <= NEAR_PX
    assert abs(action.y - wanted.y) <= NEAR_PX


@given(st.data(), views(), st.sampled_from(Button), st.integers(1, 5))
def test_a_click_comes_back_on_its_place(data, view, button, count):
    wanted = Click(*data.draw(points(view)), button, count)
    parsed = back([wanted], view)
    (action,) = parsed.actions
    assert (action.button, action.count) == (button, count)
    assert_near(action, wanted)


@given(st.data(), views(), st.sampled_from([0.0, 0.5]))
def test_a_move_comes_back_on_its_place(data, view, seconds):
    wanted = Move(*data.draw(points(view)), seconds=seconds)
    (action,) = back([wanted], view).actions
    assert (action.relative, action.seconds) == (False, seconds)
    assert_near(action, wanted)


@given(views(), st.integers(-500, 500), st.integers(-500, 500), st.sampled_from([0.0, 0.5]))
def test_a_look_around_comes_back(view, dx, dy, seconds):
    wanted = Move(dx, dy, relative=True, seconds=seconds)
    (action,) = back([wanted], view).actions
    assert (action.relative, action.seconds) == (True, seconds)
    assert_near(action, wanted)


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
    parsed = computer_use.parse(text, view, finish_reason=finish).parsed
    assert parsed.actions
    assert parsed.notes or parsed.status is ParseStatus.OK


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=4), inside, max_size=3),
    max_leaves=6,
)
NAMES = [
    "coordinate",
    "keys",
    "text",
    "time",
    "pixels",
    "delta",
    "button",
    "clicks",
    "presses",
    "direction",
    "arguments",
]
VERBS = ["left_click", "key", "hold_key", "key_down", "key_up", "type", "scroll", "wait", "mouse_move", "mouse_move_by"]


@given(
    st.lists(
        st.tuples(st.sampled_from(VERBS), st.dictionaries(st.sampled_from(NAMES), json_values, max_size=4)), max_size=5
    ),
    views(),
)
def test_a_verb_takes_any_arguments_without_an_error(calls, view):
    text = "\n".join(call(action=verb, **arguments) for verb, arguments in calls)
    parsed = computer_use.parse(text, view).parsed
    assert parsed.actions
    assert parsed.notes or parsed.status is ParseStatus.OK


def test_the_words_before_a_call_are_its_reasoning():
    text = "Action: Click the start button.\n" + call(action="left_click", coordinate=[500, 300])
    assert computer_use.parse(text, View.of_frame(1280, 720)).reasoning == "Click the start button."


def test_thoughts_are_the_reasoning_of_a_call_without_words():
    text = "<think>The door is shut.</think>\n" + call(action="wait")
    assert computer_use.parse(text, View.of_frame(1280, 720)).reasoning == "The door is shut."


def test_fields_before_a_call_are_told_apart():
    text = "Observation: a door\nReasoning: it is shut\n" + call(action="wait")
    answer = computer_use.parse(text, View.of_frame(1280, 720))
    assert (answer.observation, answer.reasoning) == ("a door", "it is shut")


def test_an_answer_that_is_too_long_says_so():
    text = "word " * 20_000 + call(action="key", keys=["space"])
    parsed = computer_use.parse(text, View.of_frame(1280, 720)).parsed
    assert (parsed.actions, parsed.status) == ((Press(("space",)),), ParseStatus.REPAIRED)
    assert "only the last 65536" in parsed.notes[0]


def signature():
    """Return the tool's signature, as the prompt gives it."""
    system = read_texts("computer_use", {"system": "system"})["system"]
    return json.loads(re.search(r"<tools>\n(.*)\n</tools>", system)[1])["function"]


def test_every_verb_of_the_prompt_is_understood_with_the_arguments_it_names():
    view = View((1280, 720), (1280, 704), Space.REL1000)
    said = {"coordinate": [500, 500], "delta": [5, 5], "pixels": 120, "text": "a", "keys": ["a"], "time": 1}
    takes = {"mouse_move_by": "delta", "scroll": "pixels", "type": "text", "key": "keys", "wait": ""}
    verbs = signature()["parameters"]["properties"]["action"]["enum"]
    for verb in verbs:
        names = ["keys", "time"] if verb == "hold_key" else [takes.get(verb, "coordinate")]
        parsed = computer_use.parse(call(action=verb, **{name: said[name] for name in names if name}), view).parsed
        assert (parsed.status, parsed.notes) == (ParseStatus.OK, ()), verb
    assert set(said) == set(signature()["parameters"]["properties"]) - {"action"}


def test_the_example_of_the_prompt_is_read_as_it_is_meant():
    system = read_texts("computer_use", {"system": "system"})["system"]
    example = system[system.rindex("Action:") :]
    answer = computer_use.parse(example, View.of_frame(1280, 720))
    assert (answer.parsed.actions, answer.parsed.status) == ((Hold(("right",), 0.8),), ParseStatus.OK)


@pytest.mark.parametrize(
    "scrap",
    [
        *("<tool_call>", '{"action": "wait"}', '<tool_call>{"action": "key_down", "keys": ["a"]}</tool_call>'),
        *("<function=a><parameter=b>", "<box>1", "<ref>", "```", '{"arguments": "', '{"arguments": {', "[[[["),
        *('"arguments": "{\\"', "<point>1 2</point>", '{\\"', '{"action": [', "</tool_call>", "<parameter=a>"),
    ],
)
def test_a_megabyte_of_anything_is_read_at_once(scrap):
    text = scrap * (1_000_000 // len(scrap))
    before = time.monotonic()
    computer_use.parse(text, View.of_frame(1280, 720))
    computer_use.parse("<tool_call>" + text, View.of_frame(1280, 720), finish_reason="length")
    assert time.monotonic() - before < GENEROUS_S


def test_what_is_written_is_one_block_for_each_action():
    text = computer_use.write([Press(("space",)), Wait()], View.of_frame(1280, 720))
    blocks = re.findall(r"<tool_call>\n(.*)\n</tool_call>", text)
    assert [json.loads(block)["arguments"]["action"] for block in blocks] == ["key", "wait"]
