import pytest

from playsuite.core.actions import Hold, Press, Wait
from playsuite.core.errors import AgentError, DriverError, GameError
from playsuite.core.records import Clock, Ending, RunSpec, Turn, Usage
from playsuite.play.loop import ending, play
from playsuite.play.witness import Witness

from .conftest import Stub, coins  # noqa: TID252 tests are in no package that has a name

SPEC = RunSpec(suite="test", rate_hz=1, seconds=5)


def played(session, agent, spec=SPEC):
    witness = Witness(spec.film_fps)
    return list(play(session, coins(), agent, spec, witness)), witness


def test_an_episode_lasts_its_seconds_and_no_longer(started):
    session = started()
    steps, witness = played(session, Stub(), RunSpec(suite="test", rate_hz=0.33, seconds=10))
    assert witness.last.t == 10
    assert [step.index for step in steps] == [0, 1, 2, 3]
    assert [seconds for _, seconds in session.steps] == [3.030303] * 3 + [0.909091]


def test_a_long_action_extends_its_step(started):
    session = started()
    played(session, Stub(Turn((Hold(("left",), 1.5),))))
    assert session.steps[0] == (2, 1.55)
    assert session.steps[1] == (0, 1.0)


def test_an_action_longer_than_what_is_left_ends_with_the_episode(started):
    session = started()
    _, witness = played(session, Stub(Turn((Hold(("left",), 1.5),))), RunSpec(suite="test", rate_hz=1, seconds=1))
    assert witness.last.t == 1
    assert session.steps == [(2, 1.0)]


def test_an_agent_is_told_the_past_it_was_promised_and_no_more(started):
    for history, told in ((0, [0, 0, 0, 0, 0]), (2, [0, 1, 2, 2, 2])):
        agent = Stub()
        played(started(), agent, RunSpec(suite="test", rate_hz=1, seconds=5, history=history))
        assert agent.told == told


def test_pictures_are_remembered_in_a_window_that_grows_and_is_cut_back(started):
    """The server can keep its work on everything but the newest picture, two times out of three here."""
    agent = Stub()
    spec = RunSpec(suite="test", rate_hz=1, seconds=12, history=3, history_images=True)
    played(started(), agent, spec)
    assert agent.told == [0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5]


def test_thinking_costs_no_game_time_with_the_paused_clock(started):
    session = started()
    played(session, Stub(Turn((Wait(),), usage=Usage(seconds=2.5))))
    assert session.steps[0] == (0, 1.0)


def test_thinking_costs_game_time_with_the_latency_clock(started):
    session, agent = started(), Stub(Turn((Press(("left",)),), usage=Usage(seconds=2.5)))
    played(session, agent, RunSpec(suite="test", rate_hz=1, seconds=5, clock=Clock.LATENCY))
    assert session.steps[:2] == [(0, 2.5), (2, 1.0)]
    assert agent.seen == [0, 3.5, 4.5]


def test_time_can_run_out_while_the_agent_thinks(started):
    session = started()
    slow = Stub(Turn((Press(("left",)),), usage=Usage(seconds=60)))
    _, witness = played(session, slow, RunSpec(suite="test", rate_hz=1, seconds=5, clock=Clock.LATENCY))
    assert session.steps == [(0, 5)]
    assert ending(witness.last, SPEC) is Ending.TIME_UP


def test_the_cap_on_frames_ends_an_episode(started):
    _, witness = played(started(), Stub(), RunSpec(suite="test", rate_hz=1, seconds=100, max_frames=61))
    assert witness.last.frames == 90


def test_a_game_may_end_by_its_own_rules(started):
    _, witness = played(started(game_over_at=2.5), Stub())
    assert ending(witness.last, SPEC) is Ending.GAME_OVER
    assert 2.5 <= witness.last.t < 2.6


def test_a_game_that_moves_while_the_agent_thinks_is_a_fault_of_the_runtime(started):
    with pytest.raises(DriverError, match="did not stand still"):
        played(started(leaks=True, menu=False), Stub())


def test_a_step_is_yielded_before_it_is_carried_out(started):
    session = started(crash_at=0.5)
    steps = play(session, coins(), Stub(), SPEC, Witness(5))
    assert next(steps).index == 0
    with pytest.raises(GameError):
        next(steps)


def test_an_agent_that_breaks_is_the_agents_fault(started):
    class Broken:
        def act(self, game, observation, history):
            return 1 / 0

    with pytest.raises(AgentError, match="ZeroDivisionError"):
        played(started(), Broken())


def test_the_same_turns_give_the_same_chain_and_other_turns_another(started):
    def chain(*turns):
        witness = Witness(5)
        list(play(started(witness), coins(), Stub(*turns), SPEC, witness))
        return witness.digest

    assert chain() == chain()
    assert chain(Turn((Press(("left",)),))) != chain()
