"""The level rule is the paper's table, and good news never lowers a level."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playsuite.core.records import Level, Milestones
from playsuite.judge.level import level

GOOD_NEWS = (
    "player_control_evident",
    "score_or_resource_increased",
    "new_area_or_level_reached",
    "checkpoint_or_objective_completed",
    "win_or_completion_screen",
)
NO_MATTER = ("gameplay_happened", "menu_or_title_seen", "left_menu_into_gameplay", "stuck_or_looping")

seen = st.builds(
    Milestones,
    **{name: st.booleans() for name in GOOD_NEWS + NO_MATTER},
    distinct_interactions=st.integers(0, 20),
    death_or_game_over_count=st.integers(0, 20),
)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, Level.NONE),
        ({"player_control_evident": True}, Level.NONE),
        ({"distinct_interactions": 20}, Level.NONE),
        ({"player_control_evident": True, "distinct_interactions": 1}, Level.NONE),
        ({"player_control_evident": True, "distinct_interactions": 2}, Level.MINIMAL),
        ({"new_area_or_level_reached": True}, Level.PARTIAL),
        ({"score_or_resource_increased": True}, Level.PARTIAL),
        ({"new_area_or_level_reached": True, "score_or_resource_increased": True}, Level.SUBSTANTIAL),
        ({"checkpoint_or_objective_completed": True}, Level.SUBSTANTIAL),
        ({"win_or_completion_screen": True}, Level.COMPLETED),
        ({"win_or_completion_screen": True, "stuck_or_looping": True}, Level.COMPLETED),
    ],
)
def test_the_table_of_the_paper(facts, expected):
    assert level(Milestones(**facts)) is expected


@given(seen, st.sampled_from(GOOD_NEWS))
def test_good_news_never_lowers_a_level(milestones, news):
    assert level(msgspec.structs.replace(milestones, **{news: True})) >= level(milestones)


@given(seen)
def test_one_more_interaction_never_lowers_a_level(milestones):
    more = msgspec.structs.replace(milestones, distinct_interactions=milestones.distinct_interactions + 1)
    assert level(more) >= level(milestones)


@given(seen, st.sampled_from(NO_MATTER))
def test_other_facts_change_nothing(milestones, fact):
    flipped = msgspec.structs.replace(milestones, **{fact: not getattr(milestones, fact)})
    assert level(flipped) is level(milestones)


@given(seen, st.integers(0, 20))
def test_dying_costs_nothing(milestones, deaths):
    assert level(msgspec.structs.replace(milestones, death_or_game_over_count=deaths)) is level(milestones)


@given(seen)
def test_the_levels_are_the_first_match_from_the_top(milestones):
    progress = milestones.new_area_or_level_reached + milestones.score_or_resource_increased
    if level(milestones) is Level.COMPLETED:
        assert milestones.win_or_completion_screen
    elif level(milestones) is Level.SUBSTANTIAL:
        assert milestones.checkpoint_or_objective_completed or progress == 2
    elif level(milestones) is Level.PARTIAL:
        assert progress == 1
    else:
        assert progress == 0
