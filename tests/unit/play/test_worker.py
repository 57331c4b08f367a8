import os

import pytest

from playsuite.core.errors import AgentError
from playsuite.core.home import Home, Installed
from playsuite.core.protocols import Endpoint
from playsuite.core.records import Model, RunSpec
from playsuite.core.store import Run
from playsuite.play.news import Began, Ended, WorkerOrders
from playsuite.play.plan import make_plan
from playsuite.play.worker import work

from .conftest import coins  # noqa: TID252 tests are in no package that has a name

SPEC = RunSpec(suite="test", agent="random", rate_hz=1, seconds=5)


@pytest.fixture
def planned(tmp_path, monkeypatch):
    """Make a run of fake games, one for each manifest."""
    monkeypatch.setenv("PLAYSUITE_HOME", str(tmp_path / "home"))
    home = Home.here()

    def plan(*manifests, spec=SPEC):
        games = [coins(number, **manifest) for number, manifest in enumerate(manifests)]
        for game in games:
            home.game_folder(game.id).mkdir(parents=True)
            home.record(Installed(game, home.files(game.id)))
        return Run.create(tmp_path / "run", spec, games, make_plan(spec, games))

    return plan


def orders(run, **options):
    return WorkerOrders(str(run.folder), parent=os.getppid(), news=-1, **options)


def test_a_worker_plays_all_and_tells_what_it_does(planned):
    run, news = planned({}, {"deaf": True}), []
    work(run, orders(run), news.append)
    assert [type(one) for one in news] == [Began, Ended, Began, Ended]
    assert run.finished() == {item.key for item in run.plan}


def test_an_episode_that_failed_is_tried_again_after_the_others(planned):
    run, news = planned({"crash_at": 1}, {"deaf": True}), []
    work(run, orders(run), news.append)
    ended = [(one.episode.game, one.last) for one in news if isinstance(one, Ended)]
    assert ended == [("test/coins0", False), ("test/coins1", True), ("test/coins0", True)]


def test_a_worker_that_lost_its_claim_writes_nothing(planned):
    run = planned({})

    def take_over(news):
        if isinstance(news, Began):
            (run.folder / "claims" / "play" / f"{news.key}.a2").touch()

    work(run, orders(run), take_over)
    assert run.finished() == set()
    assert run.every_attempt() == []
    assert run.drafts() == set()


def test_an_agent_that_has_stopped_answering_stops_the_run(planned):
    spec = RunSpec(suite="test", agent="model", model=Model(name="absent"), rate_hz=1, seconds=5)
    run = planned(*({"width": 320 + 2 * number} for number in range(6)), spec=spec)
    with pytest.raises(AgentError, match="5 episodes in a row"):
        work(run, orders(run, endpoint=Endpoint("unix:///no/such/socket", patience_seconds=0.1)), lambda news: None)
    assert run.finished() == set()
