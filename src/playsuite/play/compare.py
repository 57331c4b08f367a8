"""Find the first frame in which two launches of the same game were not the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.records import FilmFrame, Step

if TYPE_CHECKING:
    from collections.abc import Iterator


class Trail(Struct, frozen=True):
    """What a launch left behind for comparing."""

    frames: tuple[FilmFrame, ...]
    steps: tuple[Step, ...]
    digest: str = ""
    """Chain over all frames, if it was played to its end."""


class Difference(Struct, frozen=True):
    """The first frame in which a replay was not the original."""

    frame: str
    """Which one: "film frame 12", or "the frame seen at step 3"."""
    t: float
    """Game seconds of that frame."""
    recorded: str
    replayed: str
    """Both hashes; empty where there is no such frame. At a step, and at the end, of all frames up to there."""


def first_difference(recorded: Trail, replayed: Trail) -> Difference | None:
    """Return the earliest difference, or None; of trails that were not played to their ends, the common part counts."""
    return min(_differences(recorded, replayed), key=lambda difference: difference.t, default=None)


def _differences(recorded: Trail, replayed: Trail) -> Iterator[Difference]:
    for ours, theirs in zip(recorded.frames, replayed.frames, strict=False):
        if ours != theirs:
            yield Difference(f"film frame {ours.index}", min(ours.t, theirs.t), ours.digest, theirs.digest)
            break
    for here, there in zip(recorded.steps, replayed.steps, strict=False):
        if here.digest != there.digest:
            yield Difference(f"the frame seen at step {here.index}", min(here.t, there.t), here.digest, there.digest)
            break
    if recorded.digest and recorded.digest != replayed.digest:
        yield Difference("the end", _last(recorded), recorded.digest, replayed.digest)


def _last(trail: Trail) -> float:
    return max([frame.t for frame in trail.frames[-1:]] + [step.t for step in trail.steps[-1:]], default=0.0)
