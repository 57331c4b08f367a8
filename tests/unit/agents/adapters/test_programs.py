"""UI-TARS and OpenCUA: what they say comes back as it was meant; their oddities are in the golden corpus."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playsuite.agents.adapters.opencua import opencua
from playsuite.agents.adapters.uitars import uitars
from playsuite.core.actions import Button, Click, Hold, Move, ParseStatus, Press, Scroll, Wait
from playsuite.core.keys import KEYS
from playsuite.core.points import Space, View

FRAMES = [(1280, 720), (800, 600), (640, 480), (400, 300), (641, 359)]
PICTURES = [None, (1288, 728), (812, 588), (644, 476)]
CLICKS = [(Button.LEFT, 1), (Button.LEFT, 2), (Button.LEFT, 3), (Button.RIGHT, 1), (Button.MIDDLE, 1)]
EACH = pytest.mark.parametrize("family", [opencua, uitars], ids=lambda family: family.name)
NEAR_PX = 2.0
GENEROUS_S = 5.0


@st.composite
def views(draw):
    frame = draw(st.sampled_from(FRAMES))
    return View(frame, draw(st.sampled_from(PICTURES)) or frame, Space.PICTURE)


@st.composite
def points(draw, view):
    width, height = view.frame
    # Nearer to the corner a point looks like shares of the picture, which is noted.
    return draw(st.floats(4, width - 1)), draw(st.floats(4, height - 1))


def back(family, actions, view):
    return family.parse(family.write(actions, view), view).parsed


def assert_near(action, wanted):
    assert abs(action.x - wanted.x) <= NEAR_PX
    assert abs(action.y - wanted.y) <= NEAR_PX


@EACH
@given(st.data(), views(), st.sampled_from(CLICKS))
def test_a_click_comes_back_on_its_place(family, data, view, kind):
    wanted = Click(*data.draw(points(view)), *kind)
    parsed = back(family, [wanted], view)
    (action,) = parsed.actions
    assert (action.button, action.count, parsed.status) == (*kind, ParseStatus.OK)
    assert_near(action, wanted)


@EACH
@given(st.data(), views())
def test_a_move_comes_back_on_its_place(family, data, view):
    wanted = Move(*data.draw(points(view)))
    parsed = back(family, [wanted], view)
    (action,) = parsed.actions
    assert (action.relative, parsed.status) == (False, ParseStatus.OK)
    assert_near(action, wanted)


@EACH
@given(views(), st.integers(-500, 500), st.integers(-500, 500))
def test_a_look_around_comes_back(family, view, dx, dy):
    wanted = Move(dx, dy, relative=True)
    (action,) = back(family, [wanted], view).actions
    assert action.relative
    assert_near(action, wanted)


chords = st.lists(st.sampled_from(sorted(KEYS)), min_size=1, max_size=3, unique=True).map(tuple)
exact = st.one_of(
    chords.map(Press),
    st.builds(Hold, chords, st.integers(1, 200).map(lambda hundredths: hundredths / 100)),
    st.integers(-20, 20).filter(bool).map(Scroll),
    st.just(Wait()),
)


@EACH
@given(views(), st.lists(exact, min_size=1, max_size=4).map(tuple))
def test_keys_wheel_and_waits_come_back_as_they_were(family, view, actions):
    parsed = back(family, actions, view)
    assert (parsed.actions, parsed.status, parsed.notes) == (actions, ParseStatus.OK, ())


@EACH
@given(st.text(), views(), st.sampled_from(["stop", "length", ""]))
def test_any_text_is_an_answer(family, text, view, finish):
    parsed = family.parse(text, view, finish_reason=finish).parsed
    assert parsed.actions
    assert parsed.notes or parsed.status is ParseStatus.OK


@EACH
@pytest.mark.parametrize(
    "scrap", ["(", "[", "a(", "a('\n", "click('", "Action: ", "## Code\n", "press('a') ", "#", "'"]
)
def test_a_megabyte_of_anything_is_read_at_once(family, scrap):
    text = scrap * (1_000_000 // len(scrap))
    before = time.monotonic()
    family.parse(text, View.of_frame(1280, 720))
    family.parse("Action: " + text, View.of_frame(1280, 720), finish_reason="length")
    assert time.monotonic() - before < GENEROUS_S
