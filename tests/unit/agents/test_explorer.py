"""The explorer plays small made-up games: functions from what was done so far to a picture."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from playsuite.agents.explorer import IDLE_EVERY, LEAVING_KEYS, STUCK_STEPS, explorer
from playsuite.agents.sight import COLUMNS, ROWS, changed, glance, salient, scene
from playsuite.core.actions import Click, Hold, ParseStatus, Press
from playsuite.core.grammar import parse
from playsuite.core.points import View
from playsuite.core.protocols import AgentSetup, Observation
from playsuite.core.records import Controls

KEYBOARD = Controls(keys=("left", "z"))


def play(game, draw, steps, seed=0):
    """Let the explorer play; `draw(actions)` makes the picture after these actions."""
    agent, done = explorer(AgentSetup(seed=seed)), []
    for index in range(steps):
        done += agent.act(game, Observation(draw(done), t=float(index), index=index), ()).actions
    return done


def still(_done):
    return np.full((120, 160, 3), 60, np.uint8)


def flicker(done):
    """Draw something else after every step, whatever was done."""
    return np.random.default_rng(len(done)).integers(0, 255, (120, 160, 3), np.uint8)


def keys_of(action):
    return set(action.keys) if isinstance(action, Press | Hold) else set()


def test_documented_keys_come_first_and_all_are_tried(game):
    done = play(replace(game, controls=KEYBOARD), flicker, 20)
    assert keys_of(done[1]) == {"left"}
    assert {"left", "z"} <= set().union(*map(keys_of, done[:4]))
    assert any(isinstance(action, Hold) for action in done)


def test_an_input_that_changes_the_screen_is_preferred(game):
    def draw(done):
        """Show how often z was pressed, by a bar that moves."""
        frame = still(done)
        at = 10 * sum("z" in keys_of(action) for action in done) % 150
        frame[:, at : at + 10] = 255
        return frame

    later = play(replace(game, controls=KEYBOARD), draw, 80)[30:]
    acted = [action for action in later if keys_of(action)]
    assert sum("z" in keys_of(action) for action in acted) > len(acted) / 2


def test_keys_that_may_end_the_game_are_left_alone_while_anything_moves(game):
    done = play(replace(game, controls=Controls()), flicker, 100)
    assert not LEAVING_KEYS & set().union(*map(keys_of, done))


def test_a_stuck_player_tries_everything_in_the_end_even_to_leave(game):
    done = play(replace(game, controls=KEYBOARD), still, 60)
    assert set().union(*map(keys_of, done)) >= LEAVING_KEYS
    first = next(number for number, action in enumerate(done) if keys_of(action) & LEAVING_KEYS)
    assert first > STUCK_STEPS + IDLE_EVERY


def test_buttons_are_clicked_one_after_the_other(game):
    def menu(_done):
        frame = still(_done)
        frame[20:40, 30:80] = (200, 30, 30)
        frame[80:100, 90:140] = (30, 200, 30)
        return frame

    done = play(replace(game, controls=Controls(mouse=True)), menu, 60)
    clicks = [action for action in done if isinstance(action, Click)]
    assert any(20 <= click.y < 40 and 28 <= click.x < 82 for click in clicks)
    assert any(80 <= click.y < 100 and 88 <= click.x < 142 for click in clicks)
    assert len({(click.x, click.y) for click in clicks}) == len(clicks)


def test_the_same_seed_and_frames_give_the_same_play(game):
    assert play(game, flicker, 60, seed=4) == play(game, flicker, 60, seed=4)
    assert play(game, flicker, 60, seed=4) != play(game, flicker, 60, seed=5)


def test_what_it_says_is_what_it_does(game, seen):
    agent = explorer(AgentSetup())
    for _ in range(40):
        turn = agent.act(game, seen, ())
        said = parse(turn.raw, View.of_frame(160, 120)).parsed
        assert (said.actions, said.status) == (turn.actions, ParseStatus.OK)


@given(st.integers(1, 90), st.integers(1, 90))
def test_frames_of_any_size_can_be_looked_at(height, width):
    seen = glance(np.full((height, width, 3), 77, np.uint8))
    assert seen.shape == (ROWS, COLUMNS, 3)
    assert np.all(seen == 77)
    assert salient(seen, 3) == []


def test_a_glance_tells_a_change_from_none():
    before = still(())
    after = before.copy()
    after[:60] = 200
    assert changed(glance(before), glance(before)) == 0
    assert 0.4 < changed(glance(before), glance(after)) < 0.6
    assert scene(glance(before)) != scene(glance(after))
