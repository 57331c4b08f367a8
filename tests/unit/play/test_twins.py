import pytest

from playsuite.core.actions import Button, Click, Hold, Move, Press, Scroll, Wait
from playsuite.core.records import RunSpec, Turn
from playsuite.play.loop import play
from playsuite.play.twins import Candidates, label_of, play_twins
from playsuite.play.witness import Witness

from .conftest import Stub, coins  # noqa: TID252 tests are in no package that has a name

LEFT, RIGHT, SPACE = (Turn((Press((key,)),)) for key in ("left", "right", "space"))
WAIT = Turn((Wait(),))


def twins_of(started, turns, *, most=4, seconds=10.0, **manifest):
    spec = RunSpec(suite="test", rate_hz=1, seconds=len(turns), twins=most)
    witness, candidates, steps = Witness(spec.film_fps), Candidates(most), []
    for step in play(started(witness, **manifest), coins(), Stub(*turns), spec, witness):
        steps.append(step)
        candidates.end(witness.last)
        candidates.begin(step, witness.last)
    candidates.end(witness.last)
    launched = play_twins(candidates.within(seconds), turns, spec, lambda film: Closing(started(film, **manifest)))
    return list(launched)


class Closing:
    def __init__(self, session):
        self.session = session

    def __enter__(self):
        return self.session

    def __exit__(self, *error):
        pass


def test_an_input_that_moves_the_player_differs_and_one_that_does_nothing_does_not(started):
    left, space = twins_of(started, [LEFT, SPACE, WAIT], menu=False)
    assert (left.label, left.comparable, left.differs) == ("press:left", True, True)
    assert 0 < left.changed < 0.1
    assert (space.label, space.comparable, space.differs, space.changed) == ("press:space", True, False, 0)


def test_a_deaf_game_is_changed_by_nothing(started):
    assert not any(twin.differs for twin in twins_of(started, [LEFT, RIGHT], deaf=True))


def test_each_kind_of_input_gets_one_twin_at_its_first_step(started):
    twins = twins_of(started, [LEFT, LEFT, WAIT, RIGHT, LEFT], menu=False)
    assert [(twin.step, twin.label) for twin in twins] == [(0, "press:left"), (3, "press:right")]


def test_what_moved_something_comes_before_what_is_merely_early(started):
    (twin,) = twins_of(started, [SPACE, LEFT], most=1, deaf=True) or [None]
    assert twin.step == 0
    still = [Turn((Scroll(1),)), LEFT]
    (twin,) = twins_of(started, still, most=1)
    assert twin.label == "press:left"


def test_twins_together_take_no_longer_than_they_may(started):
    twins = twins_of(started, [LEFT, RIGHT, SPACE], seconds=3.0, menu=False)
    assert [twin.t for twin in twins] == [0, 1]


def test_a_game_that_differs_before_the_input_cannot_be_compared(started):
    assert not any(twin.comparable for twin in twins_of(started, [LEFT, RIGHT], restless=True))


@pytest.mark.parametrize(
    ("actions", "label"),
    [
        ([Press(("left",))], "press:left"),
        ([Hold(("left", "space"), 1.0)], "press:left+space"),
        ([Click(1, 2)], "click:left"),
        ([Click(1, 2, Button.RIGHT, 2), Press(("a",))], "click:right press:a"),
        ([Scroll(-2)], "scroll:down"),
        ([Move(3, 4, relative=True)], "move"),
        ([Wait()], ""),
    ],
)
def test_labels_name_the_kind_of_input(actions, label):
    assert label_of(actions) == label
