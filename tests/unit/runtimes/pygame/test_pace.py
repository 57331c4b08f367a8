import time

import pytest

from playsuite.runtimes.pygame.guest.clocks import Metronome, clock_class
from playsuite.runtimes.pygame.guest.pace import Pace
from playsuite.runtimes.pygame.guest.threads import Threads
from playsuite.runtimes.pygame.guest.timeline import MS, NS, Timeline


@pytest.fixture
def timeline():
    return Timeline()


@pytest.fixture
def pace(timeline):
    return Pace(timeline, Threads(timeline, time))


def test_a_loop_without_a_clock_gets_one_frame_for_each_picture(timeline, pace):
    for _ in range(600):
        pace.pump()
        pace.picture()
    assert timeline.now / NS == pytest.approx(10, abs=0.1)


def test_many_pictures_between_two_looks_at_the_events_are_one_frame(timeline, pace):
    for _ in range(10):
        pace.pump()
        for _ in range(50):
            pace.picture()
    assert timeline.now / NS == pytest.approx(9 / 60, abs=0.001)


def test_many_looks_at_the_events_of_one_frame_cost_nothing(timeline, pace):
    for _ in range(60):
        pace.pump()
    assert timeline.now == 0


@pytest.mark.parametrize("loop", ["read", "pump", "picture"])
def test_no_loop_stands_still_for_ever(loop, timeline, pace):
    for _ in range(12_000):
        getattr(pace, loop)()
    assert timeline.now >= NS


def test_a_game_whose_thousand_sprites_all_ask_for_the_time_is_not_slowed_down(timeline, pace):
    for _ in range(60):
        for _ in range(1000):
            pace.read()
        pace.wait(NS // 60)
    assert timeline.now / NS == pytest.approx(1.0, abs=0.05)


def test_a_frame_is_a_move_of_time_after_a_picture(pace):
    for _ in range(5):
        pace.picture()
        pace.wait(10 * MS)
        pace.wait(10 * MS)
    assert pace.frames == 5


def test_the_fixed_policy_stretches_the_wait_of_a_frame_but_not_a_long_pause(timeline):
    pace = Pace(timeline, Threads(timeline, time), fixed_hz=30)
    pace.picture()
    pace.wait(10 * MS)
    assert timeline.now == NS // 30
    pace.picture()
    pace.wait(2 * NS)
    assert timeline.now == NS // 30 + 2 * NS


def test_dozing_goes_to_what_is_due_next_but_not_too_far(timeline, pace):
    timeline.at(5 * MS, lambda: None)
    pace.doze(3 * MS)
    assert timeline.now == 3 * MS
    pace.doze(None)
    assert timeline.now == 5 * MS


def test_a_clock_keeps_its_rate_without_adding_up_errors(timeline, pace):
    clock = clock_class(timeline, pace)()
    ticks = [clock.tick(60) for _ in range(600)]
    assert timeline.now == 10 * NS
    assert set(ticks) == {16, 17}
    assert clock.get_fps() == pytest.approx(60, abs=1)


def test_a_late_frame_does_not_make_the_next_one_shorter(timeline, pace):
    clock = clock_class(timeline, pace)()
    clock.tick(50)
    pace.wait(100 * MS)
    assert clock.tick(50) == 100
    assert clock.tick(50) == 20


def test_a_metronome_may_change_its_rate():
    metronome = Metronome(0)
    metronome.last = metronome.next_beat(0, 10)
    assert metronome.last == NS // 10
    assert metronome.next_beat(metronome.last, 100) == NS // 10 + NS // 100
