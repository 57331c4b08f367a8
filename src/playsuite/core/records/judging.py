"""What a judge answers: milestones, a level, evidence."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from playsuite.core.records.content import SCHEMA
from playsuite.core.records.playing import Fault


class Level(IntEnum):
    """How far a player got (paper, A.7)."""

    NONE = 0
    MINIMAL = 1
    PARTIAL = 2
    SUBSTANTIAL = 3
    COMPLETED = 4


class Evidence(Struct, frozen=True):
    """Something the judge saw, and when."""

    t: float
    """Seconds into the film."""
    field: str
    text: str


class Milestones(Struct, frozen=True):
    """What a judge saw at least once in a film; in doubt false or 0 (paper, A.7)."""

    gameplay_happened: bool = False
    menu_or_title_seen: bool = False
    left_menu_into_gameplay: bool = False
    player_control_evident: bool = False
    score_or_resource_increased: bool = False
    new_area_or_level_reached: bool = False
    checkpoint_or_objective_completed: bool = False
    win_or_completion_screen: bool = False
    stuck_or_looping: bool = False
    distinct_interactions: int = 0
    """Kinds of visible effects, 0 to 20."""
    death_or_game_over_count: int = 0
    milestones: tuple[Evidence, ...] = ()


class Verdict(Struct, frozen=True, kw_only=True):
    """One judge's answer about one episode: a level with its evidence, or a fault, never both."""

    key: str
    game: str
    judge: str
    """Name and version; tables never mix judges."""
    level: Level | None
    milestones: Milestones | None
    fault: Fault | None = None
    unknown: tuple[str, ...] = ()
    """Fields this judge could not tell and therefore left at false or 0."""
    seconds: float = 0.0
    """Wall seconds the judge took."""
    schema: int = SCHEMA
