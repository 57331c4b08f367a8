from hypothesis import given
from hypothesis import strategies as st

from playsuite.core.actions import Button, Click, EventKind, Hold, Move, Press, Scroll, Wait
from playsuite.core.keys import KEYS
from playsuite.core.lower import lower

DOWN = {EventKind.KEY_DOWN: EventKind.KEY_UP, EventKind.BUTTON_DOWN: EventKind.BUTTON_UP}

keys = st.lists(st.sampled_from(sorted(KEYS)), min_size=1, max_size=4).map(tuple)
pixels = st.integers(0, 2000)
seconds = st.floats(0, 5)
actions = st.one_of(
    st.builds(Press, keys),
    st.builds(Hold, keys, seconds),
    st.builds(Move, pixels, pixels, st.booleans(), seconds),
    st.builds(Click, pixels, pixels, st.sampled_from(Button), st.integers(1, 4)),
    st.builds(Scroll, st.integers(-20, 20)),
    st.just(Wait()),
)


@given(st.lists(actions, max_size=6))
def test_whatever_goes_down_comes_up(several):
    events, _ = lower(several)
    held = []
    for event in events:
        if event.kind in DOWN:
            assert (event.key, event.button) not in held
            held.append((event.key, event.button))
        elif event.kind in DOWN.values():
            held.remove((event.key, event.button))
    assert not held


@given(st.lists(actions, max_size=6))
def test_events_are_in_order_and_lie_strictly_inside_the_seconds_they_need(several):
    events, needed = lower(several)
    offsets = [event.at for event in events]
    assert offsets == sorted(offsets)
    assert all(0 <= at < needed for at in offsets)


@given(st.lists(actions, max_size=6), st.integers(0, 3))
def test_every_event_belongs_to_the_seat_that_acted(several, seat):
    assert all(event.seat == seat for event in lower(several, seat=seat)[0])


@given(st.integers(-500, 500), st.integers(-500, 500), seconds)
def test_a_relative_move_arrives_exactly_by_whole_pixels(dx, dy, duration):
    events, _ = lower([Move(dx, dy, relative=True, seconds=duration)])
    assert sum(event.x for event in events) == dx
    assert sum(event.y for event in events) == dy
    assert all(event.x == int(event.x) and event.y == int(event.y) for event in events)


def test_a_tap_lasts_long_enough_to_be_seen():
    (down, up), _ = lower([Press(("space",))])
    assert up.at - down.at >= 0.1


def test_a_hold_lasts_as_long_as_asked():
    (down, up), needed = lower([Hold(("left",), 1.5)])
    assert up.at - down.at == 1.5
    assert needed < 1.6


def test_a_chord_goes_down_in_order_and_up_in_reverse():
    events, _ = lower([Press(("shift", "a"))])
    assert [(event.kind.value, event.key) for event in events] == [
        ("key_down", "shift"),
        ("key_down", "a"),
        ("key_up", "a"),
        ("key_up", "shift"),
    ]


def test_a_key_pressed_twice_comes_up_in_between_for_a_frame_at_least():
    (_, up, again, _), _ = lower([Press(("a",)), Press(("a",))])
    assert again.at - up.at >= 1 / 30


def test_a_click_goes_there_first():
    events, _ = lower([Click(30, 40, Button.RIGHT)])
    assert [event.kind.value for event in events] == ["pointer_to", "button_down", "button_up"]
    assert (events[0].x, events[0].y) == (30, 40)
    assert events[1].at > events[0].at
    assert events[1].button is Button.RIGHT


def test_a_double_click_is_fast_enough_to_be_one():
    events, _ = lower([Click(3, 4, count=2)])
    assert [event.kind.value for event in events].count("button_down") == 2
    assert events[-1].at - events[1].at <= 0.25


def test_a_slow_move_is_spread_over_its_time():
    events, needed = lower([Move(300, 0, relative=True, seconds=0.5)])
    assert len(events) >= 0.5 * 30
    assert 0.4 < events[-1].at < needed


def test_the_wheel_turns_notch_by_notch():
    events, _ = lower([Scroll(-3)])
    assert [event.notches for event in events] == [-1, -1, -1]


def test_waiting_needs_no_event():
    assert lower([Wait()])[0] == ()
    assert lower([]) == ((), 0.0)
