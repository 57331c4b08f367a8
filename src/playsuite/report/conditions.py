"""Who played, under which conditions: a short name that tells the rows of a report apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.records import RunSpec

BASELINES = ("idle", "random", "explorer")
"""The floors every table shows, in this order."""
WHICH_EPISODES = frozenset({"suite", "games", "seed", "repeats", "keep_images", "twins", "film_fps"})
"""Fields of a spec that do not change how its agent plays."""
TOLD = {
    "revision": "revision {}",
    "adapter": "{}",
    "prompt": "{}",
    "told": "texts {:.8}",
    "history": "k={}",
    "rate_hz": "{:g} Hz",
    "seconds": "{:g} game seconds",
    "max_frames": "up to {:,} frames",
    "clock": "{} clock",
    "frame_policy": "{} frames",
    "frame_width": "{} px wide",
    "frame_height": "{} px high",
}


class Condition(Struct, frozen=True):
    """A row of the tables: an agent under given conditions."""

    label: str
    baseline: bool


def conditions(specs: Sequence[RunSpec]) -> list[Condition]:
    """Name the condition of each spec by its player and, where specs of a report differ, by what differs."""
    fields = [_flat(spec) for spec in specs]
    names = [spec.player for spec in specs]
    return [
        Condition(" · ".join([name, *_differences(one, names, fields, name)]), spec.agent in BASELINES)
        for spec, name, one in zip(specs, names, fields, strict=True)
    ]


def shared(specs: Sequence[RunSpec]) -> dict[str, str]:
    """Return the settings that all specs have in common, as readers should know them."""
    first = {name: getattr(specs[0], name) for name in ("rate_hz", "seconds", "clock", "frame_policy", "max_frames")}
    return {
        name: TOLD[name].format(value)
        for name, value in first.items()
        if all(getattr(spec, name) == value for spec in specs)
    }


def order(condition: str) -> tuple[int, str]:
    """Sort baselines first, in their own order."""
    name = condition.split(" · ")[0]
    return (BASELINES.index(name) if name in BASELINES else len(BASELINES), condition)


def _flat(spec: RunSpec) -> dict[str, Any]:
    """Return the fields of a spec, with those of its model and of that model's sampling among them."""
    fields: dict[str, Any] = msgspec.to_builtins(spec)
    model = fields.pop("model") or {}
    sampling = model.pop("sampling", {})
    merged: dict[str, Any] = fields | sampling | {name: value for name, value in model.items() if name != "name"}
    return merged


def _differences(one: dict[str, Any], names: Sequence[str], fields: Sequence[dict[str, Any]], name: str) -> list[str]:
    """Return how this spec differs from others of the same player."""
    same = [other for other, its_name in zip(fields, names, strict=True) if its_name == name]
    differing = [
        field for field in one if field not in WHICH_EPISODES and any(other[field] != one[field] for other in same)
    ]
    return [TOLD.get(field, field + " {}").format(one[field]) for field in differing]
