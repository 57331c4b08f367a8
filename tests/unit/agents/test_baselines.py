from msgspec.structs import replace

from playsuite.agents.baselines import idle, random
from playsuite.core.actions import Click, Hold, ParseStatus, Press, Wait
from playsuite.core.grammar import parse
from playsuite.core.keys import FALLBACK
from playsuite.core.points import View
from playsuite.core.protocols import AgentSetup
from playsuite.core.records import Controls


def turns(agent, game, seen, count=200):
    return [agent.act(game, seen, ()) for _ in range(count)]


def test_idle_never_touches_anything(game, seen):
    assert {turn.actions for turn in turns(idle(AgentSetup()), game, seen)} == {(Wait(),)}


def test_random_plays_the_same_for_the_same_seed_only(game, seen):
    first, second, other = (turns(random(AgentSetup(seed=seed)), game, seen) for seed in (1, 1, 2))
    assert first == second
    assert first != other


def test_random_keeps_to_the_documented_controls(game, seen):
    keyboard_only = replace(game, controls=Controls(keys=("left", "z")))
    actions = [turn.actions[0] for turn in turns(random(AgentSetup()), keyboard_only, seen)]
    assert {action.keys for action in actions} == {("left",), ("z",)}
    assert {type(action) for action in actions} == {Press, Hold}


def test_random_only_clicks_where_only_a_mouse_is_documented(game, seen):
    mouse_only = replace(game, controls=Controls(mouse=True))
    actions = [turn.actions[0] for turn in turns(random(AgentSetup()), mouse_only, seen)]
    assert {type(action) for action in actions} == {Click}
    assert all(0 <= action.x < 160 and 0 <= action.y < 120 for action in actions)


def test_random_tries_anything_where_nothing_is_documented(game, seen):
    actions = [turn.actions[0] for turn in turns(random(AgentSetup()), replace(game, controls=Controls()), seen, 900)]
    assert {action.keys[0] for action in actions if isinstance(action, Press | Hold)} == set(FALLBACK)
    assert any(isinstance(action, Click) for action in actions)


def test_what_random_says_is_what_it_does(game, seen):
    for turn in turns(random(AgentSetup()), game, seen):
        said = parse(turn.raw, View.of_frame(160, 120)).parsed
        assert (said.actions, said.status) == (turn.actions, ParseStatus.OK)
