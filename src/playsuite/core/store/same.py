"""A run that is there already goes on only under the spec and plan it was created with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from playsuite.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from playsuite.core.records import PlanItem, RunSpec


def refuse_other_spec(folder: Path, there: RunSpec, here: RunSpec) -> None:
    """Raise ConfigError unless the spec of the run in `folder` is the one asked for."""
    ours, theirs = msgspec.to_builtins(here), msgspec.to_builtins(there)
    differing = [
        f"{name} is {theirs[name]!r} there, {ours[name]!r} here" for name in ours if ours[name] != theirs[name]
    ]
    if differing:
        raise ConfigError(
            f"'{folder}' holds a run with another spec: {'; '.join(differing[:3])}. Give this one another name"
        )


def refuse_other_plan(folder: Path, there: Sequence[PlanItem], here: Sequence[PlanItem]) -> None:
    """Raise ConfigError unless the plan of the run in `folder` is the one asked for."""
    games = [old.game for old in there if old not in here] + [new.game for new in here if new not in there]
    if games:
        raise ConfigError(
            f"'{folder}' was planned with another version of '{games[0]}', of its runtime, or of its player. "
            "Give this run another name"
        )
