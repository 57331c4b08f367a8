from msgspec.structs import replace

from playsuite.core.records import Clock, RunSpec
from playsuite.play.plan import make_plan

from .conftest import coins  # noqa: TID252 tests are in no package that has a name

SPEC = RunSpec(suite="test", repeats=2)
GAMES = [coins(0), coins(1)]


def keys(spec=SPEC, games=GAMES, **told):
    return [item.key for item in make_plan(spec, games, **told)]


def test_every_game_is_played_as_often_as_asked_each_time_with_its_own_seed():
    plan = make_plan(replace(SPEC, seed=7), GAMES)
    assert [(item.game, item.seed) for item in plan] == [
        *[("test/coins0", 7), ("test/coins1", 7)],
        *[("test/coins0", 8), ("test/coins1", 8)],
    ]
    assert len(set(keys())) == 4


def test_whatever_can_change_an_outcome_changes_its_key():
    for other in (
        keys(replace(SPEC, rate_hz=3.0)),
        keys(replace(SPEC, clock=Clock.LATENCY)),
        keys(replace(SPEC, seed=100)),
        keys(games=[coins(0, deaf=True), coins(1, deaf=True)]),
        keys(replace(SPEC, told="another prompt")),
        keys(agent="another version"),
        keys(runtimes={"fake": "another version"}),
    ):
        assert not set(keys()) & set(other)


def test_which_other_episodes_there_are_does_not_change_a_key():
    assert set(keys(games=GAMES[:1])) < set(keys())
    assert set(keys(replace(SPEC, repeats=1))) < set(keys())
    assert keys(replace(SPEC, suite="other", keep_images=True)) == keys()
