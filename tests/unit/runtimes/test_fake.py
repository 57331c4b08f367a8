from pathlib import Path

import numpy as np
import pytest

from playsuite.core.actions import EventKind, InputEvent
from playsuite.core.errors import ConfigError, GameError
from playsuite.core.protocols import Launch
from playsuite.core.records import Game
from playsuite.runtimes.fake import launch

START = (InputEvent(0.0, EventKind.KEY_DOWN, key="enter"), InputEvent(0.1, EventKind.KEY_UP, key="enter"))


class Film:
    def __init__(self, fps=5.0):
        self.fps = fps
        self.times = []
        self.frames = []

    def add(self, t, frame):
        self.times.append(t)
        self.frames.append(frame.copy())


def setup(seed=0, **manifest):
    return Launch(game=Game(id="test/fake", title="Fake", runtime="fake", manifest=manifest), folder=Path(), seed=seed)


def played(film, steps=30, seconds=0.5, **manifest):
    with launch(setup(**manifest), film) as session:
        session.step(START, seconds)
        return [session.step((), seconds).frame for _ in range(steps)]


def test_time_moves_by_exactly_what_a_step_asks_for():
    with launch(setup()) as session:
        assert [session.step((), 1 / 3).t for _ in range(3)] == [1 / 3, 2 / 3, 1.0]


def test_a_film_has_a_frame_at_every_multiple_of_its_period_from_zero_on():
    film = Film()
    with launch(setup(), film) as session:
        assert session.observe().index == 0
        assert session.step((), 0.4).index == 2
        assert session.step((), 0.7).index == 6
    assert film.times == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])


def test_a_key_leaves_the_title_and_changes_the_picture():
    with launch(setup()) as session:
        before = session.observe().frame
        assert not np.array_equal(before, session.step(START, 0.5).frame)


def test_a_deaf_game_stays_at_its_title():
    with launch(setup(deaf=True)) as session:
        before = session.observe().frame
        assert np.array_equal(before, session.step(START, 0.5).frame)


def test_the_rate_of_the_film_changes_nothing_in_the_game():
    assert np.array_equal(played(Film(5)), played(Film(30)))


def test_following_the_coin_brings_more_levels_than_standing_still():
    def last_colour(follow):
        with launch(setup(menu=False)) as session:
            for _ in range(20):
                coin = np.argwhere((session.observe().frame == (255, 220, 40)).all(axis=2))
                x = float(coin[:, 1].mean()) if follow and len(coin) else 0.0
                seen = session.step((InputEvent(0.0, EventKind.POINTER_TO, x=x, y=0),), 1.0)
            return seen.frame[120, 0, 0]

    assert last_colour(follow=True) != last_colour(follow=False)


def test_a_game_that_ends_by_its_own_rules_says_so_and_stands_still():
    with launch(setup(game_over_at=1.0)) as session:
        seen = session.step((), 3.0)
        assert seen.over
        assert seen.t == pytest.approx(1.0)
        assert session.step((), 3.0).t == seen.t


@pytest.mark.parametrize("manifest", [{"crash_at": 0.5}, {"hang_at": 0.5}])
def test_a_game_that_fails_raises_a_game_error(manifest):
    with launch(setup(**manifest)) as session, pytest.raises(GameError, match=r"at 0\.5"):
        session.step((), 1.0)


def test_a_game_that_never_draws_is_not_launched():
    with pytest.raises(GameError, match="no frame"):
        launch(setup(never_draws=True))


def test_a_misspelt_manifest_is_a_configuration_error():
    with pytest.raises(ConfigError, match="crash_att"):
        launch(setup(crash_att=1.0))
