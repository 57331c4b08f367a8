"""The records that cross a file or a process: frozen, typed, with units."""

from playsuite.core.records.content import SCHEMA, digest
from playsuite.core.records.games import Artefact, Controls, Game
from playsuite.core.records.judging import Evidence, Level, Milestones, Verdict
from playsuite.core.records.models import Model, PictureRule, Preset, Sampling, Serving
from playsuite.core.records.playing import (
    Clock,
    ClockReport,
    Ending,
    Episode,
    Fault,
    FilmFrame,
    FramePolicy,
    PlanItem,
    RunSpec,
    Step,
    Turn,
    Twin,
    Usage,
)

__all__ = [
    "SCHEMA",
    "Artefact",
    "Clock",
    "ClockReport",
    "Controls",
    "Ending",
    "Episode",
    "Evidence",
    "Fault",
    "FilmFrame",
    "FramePolicy",
    "Game",
    "Level",
    "Milestones",
    "Model",
    "PictureRule",
    "PlanItem",
    "Preset",
    "RunSpec",
    "Sampling",
    "Serving",
    "Step",
    "Turn",
    "Twin",
    "Usage",
    "Verdict",
    "digest",
]
