"""What the harness itself costs at 1280x720, the game's own work left out."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from playsuite.core.home import Installed
from playsuite.core.protocols import Launch
from playsuite.core.records import Game, PlanItem, RunSpec
from playsuite.core.store import EpisodeFolder
from playsuite.play.episode import Order, play_episode
from playsuite.runtimes.fake import launch

GAME = Game(id="bench/fake", title="fake", runtime="fake", manifest={"width": 1280, "height": 720, "menu": False})
SECONDS = 20
"""Fewer than it takes the fake game to be lost."""


def harness_cost() -> dict[str, float]:
    """Return milliseconds of processor time: of a step without film, of a film frame, of a picture for a model."""
    bare, steps, _ = episode_cost(film_fps=0.01)
    filmed, _, films = episode_cost(film_fps=5.0)
    return {
        "a step (two looks, hashes, records)": 1000 * bare / steps,
        "a film frame (both films, hashes)": 1000 * (filmed - bare) / films,
        "a picture for a model (JPEG, quality 95, 4:4:4)": jpeg_cost(),
    }


def episode_cost(*, film_fps: float) -> tuple[float, int, int]:
    """Return processor seconds of an episode less those of the bare game, its steps and its film frames."""
    spec = RunSpec(suite="bench", agent="idle", seconds=SECONDS, rate_hz=3.0, twins=0, film_fps=film_fps)
    order = Order(spec=spec, item=PlanItem("bench", GAME.id, 0, 0), installed=Installed(GAME, Path()))
    with tempfile.TemporaryDirectory() as folder:
        begin = time.process_time()
        episode = play_episode(order, EpisodeFolder(Path(folder)))
        whole = time.process_time() - begin
    return (
        whole - game_cost(episode.seconds, 2 * episode.steps + episode.film_frames),
        episode.steps,
        episode.film_frames,
    )


def game_cost(seconds: float, looks: int) -> float:
    """Return what the fake game itself takes: its ticks, and one drawing for each look and each film frame."""
    with launch(Launch(game=GAME, folder=Path())) as session:
        begin = time.process_time()
        session.step((), seconds)
        for _ in range(looks):
            session.observe()
        return time.process_time() - begin


def jpeg_cost() -> float:
    """Return milliseconds for one picture as a model is sent it, of noise, which is the worst case."""
    import numpy as np

    from playsuite.agents.images import picture_of

    frame = np.random.default_rng(0).integers(0, 256, (720, 1280, 3), np.uint8)
    took = []
    for _ in range(30):
        begin = time.process_time()
        picture_of(frame, max_width=1280, max_height=720)
        took.append(time.process_time() - begin)
    return 1000 * statistics.median(took)
