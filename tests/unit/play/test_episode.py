import pytest
from msgspec.structs import replace

from playsuite.core.lines import read_lines
from playsuite.core.records import Ending, FilmFrame, RunSpec
from playsuite.play.episode import play_episode, wall_limit_s

SPEC = RunSpec(suite="test", agent="random", rate_hz=1, seconds=10)


def published(prepared, holder, spec=SPEC, **manifest):
    run, order = prepared(spec, **manifest)
    with run.draft(order.item.key, holder) as draft:
        assert run.publish(draft, play_episode(order, draft))
    return run, run.load_episode(order.item.key)


def test_an_episode_leaves_everything_a_judge_needs(prepared, holder):
    run, files = published(prepared, holder)
    episode = files.episode
    assert episode.ending is Ending.TIME_UP
    assert episode.seconds == pytest.approx(10)
    assert (episode.frames, episode.film_frames) == (int(episode.seconds * 30), 1 + int(episode.seconds * 5 - 0.001))
    assert (episode.width, episode.height) == (320, 240)
    assert episode.steps == len(files.steps) == sum(episode.parse.values())
    assert len(read_lines(run.episode_folder(episode.key).frames, FilmFrame)) == episode.film_frames
    assert files.film.stat().st_size > 0
    assert files.proxy.stat().st_size > 0
    assert files.twins
    assert all(twin.comparable for twin in files.twins)


def test_a_fault_keeps_what_was_played_before_it(prepared, holder):
    _, files = published(prepared, holder, crash_at=4.5)
    assert files.episode.ending is Ending.FAULT
    assert files.episode.fault.boundary == "game"
    assert "4.500 s" in files.episode.fault.message
    assert len(files.steps) == files.episode.steps > 0
    assert files.film.stat().st_size > 0
    assert files.twins == ()


@pytest.mark.parametrize(
    ("manifest", "boundary"),
    [
        ({"never_draws": True}, "game"),
        ({"hang_at": 2.0}, "game"),
        ({"leaks": True, "menu": False}, "runtime"),
        ({"no such field": 1}, "config"),
    ],
)
def test_each_failure_is_a_fault_with_the_right_boundary(prepared, holder, manifest, boundary):
    run, order = prepared(SPEC, **manifest)
    with run.draft(order.item.key, holder) as draft:
        assert play_episode(order, draft).fault.boundary == boundary


def test_an_agent_that_cannot_be_made_is_a_fault(prepared, holder):
    run, order = prepared(RunSpec(suite="test", agent="no such agent"))
    with run.draft(order.item.key, holder) as draft:
        assert "no such agent" in play_episode(order, draft).fault.message


def test_the_wall_limit_grows_with_the_work():
    assert wall_limit_s(RunSpec(suite="test", rate_hz=3)) > wall_limit_s(RunSpec(suite="test", rate_hz=0.33)) > 3000


@pytest.mark.parametrize(("user", "row", "may"), [(True, True, True), (True, False, False), (False, True, False)])
def test_a_game_goes_without_a_sandbox_only_if_its_row_and_the_user_say_so(prepared, user, row, may):
    _, order = prepared(SPEC)
    installed = replace(order.installed, game=replace(order.game, trusted=row))
    assert replace(order, trust=user, installed=installed).may_run_unboxed is may
