"""The level rule of the paper (section 3 and A.7): events in, one of five levels out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playsuite.core.records import Level

if TYPE_CHECKING:
    from playsuite.core.records import Milestones

ENOUGH_INTERACTIONS = 2


def level(seen: Milestones) -> Level:
    """Return the highest level whose condition holds; no lower level is required for a higher one."""
    score, area = seen.score_or_resource_increased, seen.new_area_or_level_reached
    if seen.win_or_completion_screen:
        return Level.COMPLETED
    if seen.checkpoint_or_objective_completed or (area and score):
        return Level.SUBSTANTIAL
    if area or score:
        return Level.PARTIAL
    if seen.player_control_evident and seen.distinct_interactions >= ENOUGH_INTERACTIONS:
        return Level.MINIMAL
    return Level.NONE
