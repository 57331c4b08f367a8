"""A played run without any game: films and headers as the play stage would have left them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from playsuite.core.claims import Holder
from playsuite.core.records import Ending, Episode, Fault, Game, PlanItem, RunSpec
from playsuite.core.store import Run
from playsuite.media.record import FilmRecorder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playsuite.core.store import EpisodeFolder

CRASHED = Fault("game", "the game crashed")


def header(key: str, fault: Fault | None) -> Episode:
    return Episode(
        key=key,
        game=f"test/{key}",
        title=key.title(),
        spec="",
        agent="idle",
        seed=0,
        repeat=0,
        ending=Ending.FAULT if fault else Ending.TIME_UP,
        fault=fault,
        steps=0,
        seconds=2.0,
        frames=60,
        film_frames=10,
        width=160,
        height=120,
        digest="",
    )


def film(folder: EpisodeFolder) -> None:
    with FilmRecorder(folder.video, folder.proxy) as recorder:
        for index in range(10):
            recorder.add(index / 5, np.full((120, 160, 3), 20 * index, np.uint8))


@pytest.fixture
def played(tmp_path: Path) -> Callable[..., Run]:
    """Make a run in which each named episode has been played, with the fault given."""

    def make(**faults: Fault | None) -> Run:
        games = [Game(id=f"test/{key}", title=key.title(), runtime="fake", manifest={}) for key in faults]
        plan = [PlanItem(key, f"test/{key}", 0, 0) for key in (*faults, "unplayed")]
        run = Run.create(tmp_path / "run", RunSpec(suite="test", agent="idle"), games, plan)
        holder = Holder.here()
        for key, fault in faults.items():
            with run.draft(key, holder) as draft:
                if fault is None:
                    film(draft)
                run.publish(draft, header(key, fault))
        return run

    return make
