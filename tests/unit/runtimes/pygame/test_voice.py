import time

import pytest

from playsuite.runtimes.pygame.guest.pace import Pace
from playsuite.runtimes.pygame.guest.threads import Threads
from playsuite.runtimes.pygame.guest.timeline import NS, Timeline
from playsuite.runtimes.pygame.guest.voice import Voice


class Jingle:
    asked = 0

    def length_ns(self):
        self.asked += 1
        return NS


class Stage:
    def __init__(self):
        self.timeline = Timeline()
        self.told = []
        pace = Pace(self.timeline, Threads(self.timeline, time))
        self.voice = Voice(self.timeline, pace, lambda event: self.told.append((event, self.timeline.now)))

    def later(self, seconds):
        self.timeline.advance(int(seconds * NS))


@pytest.fixture
def stage():
    return Stage()


def test_a_sound_is_busy_for_its_length(stage):
    stage.voice.play(Jingle())
    stage.later(0.9)
    assert stage.voice.busy()
    stage.later(0.2)
    assert not stage.voice.busy()


def test_the_length_is_not_asked_for_unless_something_depends_on_it(stage):
    jingle = Jingle()
    stage.voice.play(jingle)
    stage.later(5)
    assert jingle.asked == 0


def test_the_end_is_told_at_its_moment(stage):
    stage.voice.tell_with(7)
    stage.voice.play(Jingle(), 1)
    stage.later(5)
    assert stage.told == [(7, 2 * NS)]


def test_a_pause_delays_the_end(stage):
    stage.voice.tell_with(7)
    stage.voice.play(Jingle())
    stage.later(0.5)
    stage.voice.pause()
    stage.later(10)
    assert stage.voice.busy()
    stage.voice.unpause()
    stage.later(5)
    assert stage.told == [(7, 11 * NS)]


def test_a_queued_sound_follows(stage):
    first, second = Jingle(), Jingle()
    stage.voice.play(first)
    stage.voice.queue(second)
    stage.later(1.5)
    assert stage.voice.sound is second
    assert stage.voice.busy()


def test_stopping_tells_once_and_an_endless_loop_never_ends_by_itself(stage):
    stage.voice.tell_with(7)
    stage.voice.play(Jingle(), -1)
    stage.later(100)
    assert stage.voice.busy()
    stage.voice.stop()
    stage.voice.stop()
    stage.later(5)
    assert stage.told == [(7, 100 * NS)]


def test_a_fade_ends_an_endless_loop(stage):
    stage.voice.play(Jingle(), -1)
    stage.later(3)
    stage.voice.fadeout(500)
    stage.later(0.6)
    assert not stage.voice.busy()
