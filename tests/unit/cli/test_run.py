import pytest

from playsuite.cli.asked import Asked, Here
from playsuite.cli.replay import replay
from playsuite.cli.run import run
from playsuite.core.errors import ConfigError
from playsuite.core.home import Home, Installed
from playsuite.core.records import Clock, Game


def test_a_run_without_workers_is_refused_before_anything_is_looked_up():
    with pytest.raises(ConfigError, match="--workers 0: at least one"):
        run(here=Here(workers=0))


@pytest.mark.parametrize("name", ["../elsewhere", "a/b", ".."])
def test_a_run_cannot_be_put_outside_its_folder(name):
    with pytest.raises(ConfigError, match="its name has no '/'"):
        run(here=Here(name=name))


@pytest.mark.parametrize("fps", [-5.0, 0.0, float("nan"), float("inf")])
def test_a_film_without_a_sensible_rate_is_refused_at_once(fps, tmp_path):
    with pytest.raises(ConfigError, match="--fps"):
        replay(tmp_path, film=tmp_path / "film.mp4", fps=fps)


def test_the_number_of_workers_is_never_chosen_where_it_changes_the_result(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYSUITE_HOME", str(tmp_path))
    game = Game(id="made-up/coins", title="Coins", runtime="fake", manifest={})
    Home.here().game_folder(game.id).mkdir(parents=True)
    Home.here().record(Installed(game, tmp_path))
    asked = Asked(games=game.id, agent="idle", clock=Clock.LATENCY)
    with pytest.raises(ConfigError, match="--workers auto"):
        run(asked=asked, here=Here(workers="auto", runs_folder=tmp_path))
