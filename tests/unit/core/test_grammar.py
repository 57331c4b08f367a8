import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from playsuite.core.actions import Button, Click, EventKind, Hold, Move, ParseStatus, Press, Scroll, Wait
from playsuite.core.grammar import MAX_ACTIONS, MAX_CLICKS, format_action, format_actions, parse
from playsuite.core.keys import KEYS
from playsuite.core.lower import lower
from playsuite.core.points import View

WIDTH, HEIGHT = 1280, 720
OK, REPAIRED, PARTIAL = ParseStatus.OK, ParseStatus.REPAIRED, ParseStatus.PARTIAL
NO_ACTION, INVALID, TRUNCATED = ParseStatus.NO_ACTION, ParseStatus.INVALID, ParseStatus.TRUNCATED


def read(answer, **more):
    return parse(answer, View.of_frame(WIDTH, HEIGHT), **more).parsed


# --- every form of the grammar ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("space", Press(("space",))),
        ("D", Press(("d",))),
        ("5", Press(("5",))),
        ("shift+a", Press(("shift", "a"))),
        ("Ctrl + C", Press(("ctrl", "c"))),
        ("hold:left:0.8", Hold(("left",), 0.8)),
        ("hold:right+space:0.5", Hold(("right", "space"), 0.5)),
        ("hold:right:0.8s", Hold(("right",), 0.8)),
        ("hold left for 800 ms", Hold(("left",), 0.8)),
        ("hold down space for 1 second", Hold(("space",), 1.0)),
        ("hold:down:1", Hold(("down",), 1.0)),
        ("hold:1:1", Hold(("1",), 1.0)),
        ("hold:-:0.5", Hold(("-",), 0.5)),
        ("right:0.5", Hold(("right",), 0.5)),
        ("wait", Wait()),
        ("do nothing", Wait()),
        ("click: 100, 500.", Click(100, 500)),
        ("CLICK:100,500", Click(100, 500)),
        ("click(100, 500)", Click(100, 500)),
        ("click [100 500]", Click(100, 500)),
        ("click: x=100, y=500", Click(100, 500)),
        ("click at (100, 500)", Click(100, 500)),
        ("click the start button at (100, 500)", Click(100, 500)),
        ("click on <point>100 500</point>", Click(100, 500)),
        ("LMB 100,500", Click(100, 500)),
        ("rightclick:640,360", Click(640, 360, Button.RIGHT)),
        ("right click: 640, 360", Click(640, 360, Button.RIGHT)),
        ("click:right:640,360", Click(640, 360, Button.RIGHT)),
        ("middleclick:1,2", Click(1, 2, Button.MIDDLE)),
        ("click:5,6 click:5,6", Click(5, 6, count=2)),
        ("doubleclick:5,6", Click(5, 6, count=2)),
        ("scroll:up", Scroll(1)),
        ("scroll:down:5", Scroll(-5)),
        ("scroll down 5", Scroll(-5)),
        ("scroll:-3", Scroll(-3)),
        ("move:100,200", Move(100, 200)),
        ("move:+40,-10", Move(40, -10, relative=True)),
        ("move:+40,-10:0.5", Move(40, -10, relative=True, seconds=0.5)),
        ("press space", Press(("space",))),
        ("press the space bar", Press(("space",))),
        ('press "z"', Press(("z",))),
        ("press -", Press(("-",))),
        ("press !", Press(("shift", "1"))),
        ("ARROW_RIGHT", Press(("right",))),
        ("left arrow key", Press(("left",))),
        ("page down", Press(("pagedown",))),
        ("key: enter", Press(("enter",))),
        ("→", Press(("right",))),
    ],
)
@pytest.mark.parametrize("around", ["{}", "Action: {}", "**Action:** {}", "ACTION:{}", 'Action: "{}"', "Action: `{}`"])
def test_a_form_is_read_in_any_dress(text, action, around):
    assert read(around.format(text)) == read(text)
    assert read(text).actions == (action,)
    assert read(text).status is OK


@pytest.mark.parametrize(
    ("answer", "written"),
    [
        ("Observation: a menu\nReasoning: go\nAction: click: 10, 20", "click:10,20"),
        ("Observation: a Reasoning: b Action: space", "space"),
        ("Action:\n```\nspace\n```", "space"),
        ('```json\n{"observation": "x", "action": "d"}\n```', "d"),
        ('{"action":"d"}', "d"),
        ("{'action': 'd', }", "d"),
        ('{"action": "click", "x": 5, "y": 6}', "click:5,6"),
        ('{"action": "left_click", "coordinate": [5, 6]}', "click:5,6"),
        ('{"action": {"type": "hold", "key": "left", "seconds": 1}}', "hold:left:1"),
        ('{"action": "press", "keys": ["shift", "a"]}', "shift+a"),
        ('{"actions": ["left", "click: 4, 5"]}', "left; click:4,5"),
        ("<think>Action: left</think>\nAction: right", "right"),
        ("Action: right<|im_end|>", "right"),
        ("Action： ｃｌｉｃｋ：１００，２００", "click:100,200"),
        ("Action: “space”", "space"),
        ("Action:\n1. space\n2. hold:left:0.5\n- click: 1, 2", "space; hold:left:0.5; click:1,2"),
        ("Action: left, right then up", "left; right; up"),
        ("Action: click:1,2 click:3,4", "click:1,2; click:3,4"),
    ],
)
def test_the_action_is_found_in_any_answer(answer, written):
    parsed = read(answer)
    assert format_actions(parsed.actions) == written
    assert parsed.status is OK


# --- repairs and refusals: each leaves a note -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "written", "note"),
    [
        ("Action: d (move right)", "d", "move right"),
        ("Action: space to jump over it", "space", "to jump over it"),
        ("Action: a to go left", "a", "to go left"),
        ("Action: I will press space", "space", "I will"),
        ("Action: left\n\nThis moves the player.", "left", "This moves the player."),
        ("Action: hold:right+space:5", "hold:right+space:2", "cut to 2 s"),
        ("Action: hold:left", "hold:left:0.5", "0.5 s"),
        ("Action: click: 1300, 10", "click:1279,10", "edge"),
        ("Action: click: -5, 10", "click:0,10", "edge"),
        ("Action: click: 0.5, 0.5", "click:0.5,0.5", "shares"),
        ("Action: click: 10, 20, 30, 40", "click:20,30", "centre"),
        ("Action: scroll:down:500", "scroll:down:20", "notches"),
        ("Action: wait:5", "wait", "one step"),
        ("Action: left\nAction: space", "space", "last one counts"),
        ("I see a menu.\nclick: 1, 2", "click:1,2", "no 'Action:'"),
    ],
)
def test_a_repair_is_noted(answer, written, note):
    parsed = read(answer)
    assert format_actions(parsed.actions) == written
    assert parsed.status is REPAIRED
    assert note in " ".join(parsed.notes)


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ("Action: jump", "no key or action called 'jump'"),
        ("Action: spcae", "Did you mean 'space'?"),
        ("Action: press jump", "no key or action called 'jump'"),
        ("Action: shift+jump", "no key or action called 'jump'"),
        ("Action: LMB", "needs x, y"),
        ("Action: click", "needs x, y"),
        ("Action: click: 50%, 50%", "needs x, y"),
        ("Action: click: 5000, 10", "outside the picture of 1280x720"),
        ("Action: click: nan, inf", "outside the picture"),
        ("Action: click: 1e400, 5", "outside the picture"),
        ("Action: click: 99999999999999999999999, 5", "outside the picture"),
        ("Action: move: 10", "needs x, y"),
        ("Action: move:+1e9,0", "cannot be"),
        ("Action: move:+5,nan", "cannot be"),
        ("Action: hold:left:1e400", "cannot be"),
        ("Action: hold:left:nan", "cannot be"),
        ("Action: hold:left:-1", "cannot be"),
        ("Action: hold:left:0", "cannot be"),
        ("Action: hold", "needs a key"),
        ("Action: scroll", "up or down"),
        ("Action: scroll:left:3", "up and down"),
        ("Action: scroll:up:nan", "cannot scroll"),
        ("Action: drag: 1,2 to 3,4", "no dragging"),
        ("Action: 0.5, 0.25", "no key or action called '0.5'"),
        ("Action: type: hello", "no key or action called 'hello'"),
        ("Action: go to the right side of the room", "go to the right"),
    ],
)
def test_a_refusal_says_why_and_costs_only_its_turn(answer, note):
    parsed = read(answer)
    assert parsed.actions == (Wait(),)
    assert parsed.status is INVALID
    assert note in " ".join(parsed.notes)


def test_a_refused_piece_does_not_cost_the_others():
    parsed = read("Action: left, jumpp, click: 9999, 1; right")
    assert format_actions(parsed.actions) == "left; right"
    assert parsed.status is PARTIAL
    assert len(parsed.notes) == 2


def test_surplus_actions_are_not_done_and_noted():
    parsed = read("Action: " + "; ".join("abcdefgh"))
    assert len(parsed.actions) == MAX_ACTIONS
    assert parsed.status is PARTIAL
    assert "of 8 actions only the first 4" in parsed.notes[-1]


def test_a_mouse_button_is_not_the_arrow_key_of_that_name():
    pressed = [f"press {words} at 5,6" for words in ("the left mouse button", "left mouse", "the LMB")]
    assert {format_actions(read(f"Action: {answer}").actions) for answer in pressed} == {"click:5,6"}
    assert format_actions(read("Action: press the right mouse button at (5, 6)").actions) == "rightclick:5,6"
    assert read("Action: hold the left mouse button").status is INVALID


def test_the_same_action_on_too_many_lines_is_still_done():
    assert format_actions(read("Action:\n" + "space\n" * 6).actions) == "; ".join(["space"] * MAX_ACTIONS)


@pytest.mark.parametrize(
    "answer", ["", " \n ", "Action:", "Action: ???", "The hero should move right.", "<think>Action: a"]
)
def test_no_action_is_no_action(answer):
    parsed = read(answer)
    assert parsed.actions == (Wait(),)
    assert parsed.status is NO_ACTION
    assert parsed.notes


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Observation: The screen says press space",
        "Action: click: 640, 36",
        "Action: hold:left:0.",
        "<think>so Action: a",
    ],
)
def test_an_answer_cut_off_before_or_inside_its_action_is_truncated(answer):
    parsed = read(answer, finish_reason="length")
    assert parsed.actions == (Wait(),)
    assert parsed.status is TRUNCATED


def test_an_action_that_was_complete_before_the_cut_counts():
    parsed = read("Action: hold:left:0.5\nThis will ma", finish_reason="length")
    assert parsed.actions == (Hold(("left",), 0.5),)
    assert parsed.status is REPAIRED


def test_the_arguments_of_a_refused_call_are_not_read_as_keys():
    parsed = read("Action: pyautogui.click(x=5000, y=6)")
    assert (parsed.actions, parsed.status) == ((Wait(),), INVALID)
    assert "outside the picture" in parsed.notes[0]


def test_what_the_model_said_is_kept():
    said = "Observation: a wall\nStrategy: go round\nReasoning: it is closed\nAction: up"
    answer = parse(said, View.of_frame(WIDTH, HEIGHT))
    assert answer.observation == "a wall"
    assert answer.reasoning == "go round\nit is closed"


def test_thoughts_stand_in_for_missing_reasoning():
    assert parse("<think>left is free</think>Action: left", View.of_frame(9, 9)).reasoning == "left is free"


# --- totality ---------------------------------------------------------------------------------------------------------

FRAGMENTS = (
    *("Action:", "action", "Observation: ", "hold", "click", "press", "move", "scroll", "wait", "rightclick", "drag"),
    *(":", ",", ";", "+", "-", " ", "\n", ".", "(", ")", "[", "]", "{", "}", '"', "'", "`", "```", "**", "<", ">", "|"),
    *("<think>", "</think>", "<|im_end|>", "json", "then", "and", "for", "the", "x=", "up", "down", "left", "right"),
    *(
        "space",
        "a",
        "i",
        "0",
        "1",
        "7",
        "42",
        "639.5",
        "1280",
        "-3",
        "+9",
        "1e9",
        "1e999",
        "nan",
        "inf",
        "0.5",
        "s",
        "ms",
    ),
    *("shift", "jump", "page", "key", "arrow", "：", "“", "é", "\u2028", "\x00", "\ud800", "١", "²"),
)
keys = st.lists(st.sampled_from(sorted(KEYS)), min_size=1, max_size=3, unique=True).map(tuple)
xs, ys = st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1)
shifts = st.integers(-900, 900)
durations = st.floats(1e-6, 2.0)
actions = st.one_of(
    st.builds(Press, keys),
    st.builds(Hold, keys, durations),
    st.builds(Move, xs.filter(bool), ys.filter(bool), st.just(False), st.just(0.0) | durations),
    st.builds(Move, shifts, shifts, st.just(True), st.just(0.0) | durations),
    st.builds(Click, xs, ys, st.sampled_from(Button), st.integers(1, 3)),
    st.builds(Scroll, st.integers(1, 20) | st.integers(-20, -1)),
    st.just(Wait()),
)
fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join)


@st.composite
def mutated(draw):
    text = "Observation: x\nReasoning: y\nAction: " + format_actions(draw(st.lists(actions, min_size=1, max_size=3)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(FRAGMENTS)) + text[at + draw(st.integers(0, 3)) :]
    return text


@settings(max_examples=500, deadline=None)
@given(st.text() | fragments | mutated(), st.sampled_from(["", "stop", "length"]))
def test_any_answer_is_read_safely(answer, finish_reason):
    parsed = read(answer, finish_reason=finish_reason)
    assert 1 <= len(parsed.actions) <= MAX_ACTIONS
    assert parsed.status is OK or parsed.notes
    for action in parsed.actions:
        match action:
            case Click(x, y) | Move(x, y, relative=False):
                assert 0 <= x < WIDTH
                assert 0 <= y < HEIGHT
            case Press(names) | Hold(names):
                assert names
                assert set(names) <= KEYS
    events, needed = lower(parsed.actions)
    downs = sorted(event.key for event in events if event.kind is EventKind.KEY_DOWN)
    assert downs == sorted(event.key for event in events if event.kind is EventKind.KEY_UP)
    assert needed < MAX_ACTIONS * 3


@settings(max_examples=300, deadline=None)
@given(actions)
def test_what_is_written_is_read_back(action):
    parsed = read(f"Action: {format_action(action)}")
    assert parsed.actions == (action,)
    assert parsed.status is OK


@settings(max_examples=300, deadline=None)
@given(st.lists(actions, min_size=1, max_size=MAX_ACTIONS))
def test_several_actions_are_read_back(several):
    assume(sum(action.count for action in several if isinstance(action, Click)) <= MAX_CLICKS)
    read_back = read(format_actions(several))
    assert format_actions(read_back.actions).replace(";", "") == format_actions(several).replace(";", "")


@pytest.mark.parametrize(
    "piece",
    [
        *"a 0(<{[\"'`+-,:;.|*\n",
        *FRAGMENTS,
        "Action: ",
        "click:1,",
        "<|",
        "```json\n",
        "x=1 ",
        "( ",
        "a+",
        "- ",
        "1. ",
        "hold:a+",
    ],
)
def test_a_megabyte_is_read_in_well_under_a_second(piece):
    answer = piece * (1_000_000 // len(piece))
    for text in (answer, "Action: " + answer[:60_000]):
        begun = time.process_time()
        parsed = read(text)
        assert time.process_time() - begun < 0.5
        assert len(" ".join(parsed.notes)) < 5_000


@pytest.mark.parametrize("depth", [25, 400, 900, 990, 20_000])
@pytest.mark.parametrize("around", ['{"action": %s}', '{"action": "click", "coordinate": %s}'])
def test_json_that_is_nested_too_deeply_is_read_like_any_text_and_raises_nothing(around, depth):
    parsed = read(around % ("[" * depth + '"?"' + "]" * depth))
    assert parsed.actions == (Wait(),)
    assert parsed.notes
