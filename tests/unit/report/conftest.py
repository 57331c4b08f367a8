"""Runs without games: headers, films and verdicts as the stages before would have left them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from msgspec import Struct

from playsuite.core.actions import Press
from playsuite.core.claims import Holder
from playsuite.core.lines import LineWriter
from playsuite.core.records import (
    Ending,
    Episode,
    Evidence,
    Fault,
    Game,
    Level,
    Milestones,
    Model,
    PlanItem,
    RunSpec,
    Sampling,
    Step,
    Turn,
    Verdict,
)
from playsuite.core.store import Run
from playsuite.media.record import FilmRecorder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playsuite.core.store import EpisodeFolder


class Played(Struct, frozen=True):
    """What became of one game."""

    title: str
    level: int | None = None
    fault: str = ""
    judge_fault: str = ""
    genre: str = "Puzzle"
    parse: dict[str, int] = {}
    said: str = ""
    filmed: bool = True


def film(folder: EpisodeFolder) -> None:
    with FilmRecorder(folder.video, folder.proxy) as recorder:
        for index in range(10):
            recorder.add(index / 5, np.full((120, 160, 3), 20 * index, np.uint8))


def game_of(key: str) -> str:
    return f"test/{key.split('-')[0]}"


def header(key: str, agent: str, played: Played) -> Episode:
    fault = Fault("game", played.fault) if played.fault else None
    return Episode(
        key=key,
        game=game_of(key),
        title=played.title,
        spec="",
        agent=agent,
        seed=0,
        repeat=0,
        ending=Ending.FAULT if fault else Ending.TIME_UP,
        fault=fault,
        steps=1,
        seconds=2.0,
        frames=60,
        film_frames=10,
        width=160,
        height=120,
        digest="",
        parse=played.parse,
    )


def verdict(key: str, judge: str, played: Played) -> Verdict:
    fault = Fault("game", played.fault) if played.fault else None
    if played.judge_fault:
        fault = Fault("judge", played.judge_fault)
    seen = Milestones(milestones=(Evidence(1.5, "score_or_resource_increased", "score 0 -> 5"),))
    level, milestones = (None, None) if fault or played.level is None else (Level(played.level), seen)
    return Verdict(key=key, game=game_of(key), judge=judge, level=level, milestones=milestones, fault=fault)


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Run]:
    """Make a run of some games; None is one that has not been played."""

    def make(
        agent: str,
        judge: str | None = "cpu/1",
        *,
        model: str = "",
        temperature: float = 0.5,
        history: int = 0,
        **games: Played | None,
    ) -> Run:
        row = Model(name=model, sampling=Sampling(temperature=temperature)) if model else None
        spec = RunSpec(suite="test", agent=agent, model=row, history=history)
        keys = {name: f"{name}-{spec.digest()[:8]}" for name in games}
        rows = [
            Game(id=game_of(name), title=one.title if one else name, runtime="fake", manifest={}, genre="Puzzle")
            for name, one in games.items()
        ]
        plan = [PlanItem(keys[name], game_of(name), 0, 0) for name in games]
        run = Run.create(tmp_path / "runs" / f"{spec.player.replace('/', '_')}-{spec.digest()[:8]}", spec, rows, plan)
        for name, one in games.items():
            if one is not None:
                publish(run, keys[name], agent, one, judge)
        return run

    return make


def publish(run: Run, key: str, agent: str, played: Played, judge: str | None) -> None:
    holder = Holder.here()
    with run.draft(key, holder) as draft:
        if played.filmed:
            film(draft)
        with LineWriter(draft.steps) as steps:
            steps.add(Step(0, 0.0, 0, Turn((Press(("left",)),), reasoning=played.said)))
        run.publish(draft, header(key, agent, played))
    if judge and (played.level is not None or played.fault or played.judge_fault):
        with run.verdict_writer(judge, holder) as verdicts:
            verdicts.add(verdict(key, judge, played))


@pytest.fixture
def game() -> type[Played]:
    return Played
