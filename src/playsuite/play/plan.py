"""From a spec and its games to the episodes that have to be played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from playsuite.core.records import Game, PlanItem, RunSpec, digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ELSEWHERE = ("suite", "games", "seed", "repeats", "keep_images")
"""Fields of a spec that do not change how one episode goes: they say which episodes there are, or what else is kept."""


def make_plan(
    spec: RunSpec,
    games: Iterable[Game],
    *,
    agent: str = "",
    runtimes: Mapping[str, str] | None = None,
) -> tuple[PlanItem, ...]:
    """Return every episode of a run; repeats differ in their seeds.

    `agent` and `runtimes` are the versions of what plays and of what runs the games, so that an upgrade never mixes two
    behaviours in one run; what a model is told is in the spec.
    """
    versions = runtimes or {}
    condition = {name: value for name, value in msgspec.to_builtins(spec).items() if name not in ELSEWHERE}
    return tuple(
        PlanItem(
            digest(
                [
                    condition,
                    agent,
                    versions.get(game.runtime, ""),
                    game.id,
                    game.sha256,
                    spec.seed + repeat,
                    repeat,
                ]
            ),
            game.id,
            spec.seed + repeat,
            repeat,
        )
        for repeat in range(spec.repeats)
        for game in games
    )
