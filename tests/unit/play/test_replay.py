import msgspec
import pytest

from playsuite.core.errors import GameError
from playsuite.core.lines import LineWriter, read_lines
from playsuite.core.records import FilmFrame, RunSpec, Step
from playsuite.media.sample import frame_at
from playsuite.play.compare import Trail, first_difference
from playsuite.play.episode import play_episode
from playsuite.play.replay import film_again, replay

SPEC = RunSpec(suite="test", agent="random", rate_hz=1, seconds=10)


@pytest.fixture
def played(prepared, holder):
    def play(spec=SPEC, **manifest):
        run, order = prepared(spec, **manifest)
        with run.draft(order.item.key, holder) as draft:
            run.publish(draft, play_episode(order, draft))
        return run, order

    return play


def rewrite(path, kind, change):
    lines = [change(line) for line in read_lines(path, kind)]
    path.unlink()
    with LineWriter(path) as writer:
        for line in lines:
            writer.add(line)


@pytest.mark.parametrize("manifest", [{}, {"game_over_at": 4.2}, {"crash_at": 4.2}])
def test_a_replay_is_identical_whatever_the_ending(played, manifest):
    replayed = replay(*played(**manifest))
    assert replayed.difference is None
    assert replayed.frames > 0


def test_a_changed_frame_is_found(played):
    run, order = played()
    frames = run.episode_folder(order.item.key).frames
    rewrite(
        frames, FilmFrame, lambda frame: msgspec.structs.replace(frame, digest="x" if frame.index > 6 else frame.digest)
    )
    found = replay(run, order).difference
    assert (found.frame, found.recorded) == ("film frame 7", "x")
    assert found.t == pytest.approx(1.4)


def test_other_actions_are_found_where_they_begin_to_show(played):
    run, order = played(menu=False)
    quiet = (msgspec.structs.replace(step.turn, actions=()) for step in run.load_episode(order.item.key).steps)
    steps = run.episode_folder(order.item.key).steps
    rewrite(steps, Step, lambda step: msgspec.structs.replace(step, turn=next(quiet)))
    found = replay(run, order).difference
    assert found is not None
    assert found.recorded != found.replayed


def test_a_game_that_is_never_the_same_differs_at_once(played):
    assert replay(*played(restless=True)).difference.t == 0


def test_a_replay_can_be_filmed_at_another_rate(played, tmp_path):
    run, order = played()
    film_again(run, order, tmp_path / "smooth.mp4", fps=30)
    assert frame_at(tmp_path / "smooth.mp4", 9.9).shape == (240, 320, 3)
    assert [path.name for path in tmp_path.glob("*.mp4")] == ["smooth.mp4"]


def test_frames_missing_at_the_end_are_a_difference():
    frames = tuple(FilmFrame(index, index / 5, str(index)) for index in range(3))
    short = first_difference(Trail(frames, (), "whole"), Trail(frames[:2], (), "cut"))
    assert (short.frame, short.recorded, short.replayed) == ("the end", "whole", "cut")
    assert first_difference(Trail(frames, ()), Trail(frames[:2], (), "cut")) is None


def test_a_film_that_cannot_be_finished_leaves_nothing_of_itself(played, tmp_path):
    run, order = played()
    broken = msgspec.structs.replace(order.game, manifest={"crash_at": 4.2})
    order = msgspec.structs.replace(order, installed=msgspec.structs.replace(order.installed, game=broken))
    (tmp_path / "films").mkdir()
    (tmp_path / "films" / "smooth.mp4").write_text("the one before")
    with pytest.raises(GameError):
        film_again(run, order, tmp_path / "films" / "smooth.mp4", fps=30)
    assert [path.read_text() for path in (tmp_path / "films").iterdir()] == ["the one before"]
