"""Watch a film at one frame a second, keep what matters of it, and conclude."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from playsuite.core.errors import JudgeError, StoreError, boundary
from playsuite.core.records import Verdict
from playsuite.judge.cpu.conclude import Watched, conclude
from playsuite.judge.cpu.control import control
from playsuite.judge.cpu.look import Look, Viewer
from playsuite.judge.cpu.ocr import Ocr
from playsuite.judge.cpu.scenes import is_cut
from playsuite.judge.cpu.text import TextFollower
from playsuite.judge.level import level
from playsuite.media.sample import sample

if TYPE_CHECKING:
    from pathlib import Path

    from playsuite.core.protocols import EpisodeFiles
    from playsuite.core.records import Game
    from playsuite.judge.cpu.text import Reader

FILM_SIZE = (1280, 720)
"""Text is read at this size at most: width, height in pixels."""
CONTROL_FIELDS = ("player_control_evident", "distinct_interactions")


class CpuJudge:
    """A judge that needs neither a GPU nor a server, only files."""

    name = "cpu/1"

    def __init__(self, reader: Reader | None = None) -> None:
        self._reader = reader or Ocr()

    def watch(self, game: Game, episode: EpisodeFiles) -> Verdict:
        """Watch one episode.

        Raises:
            JudgeError: its film is missing or broken.
        """
        began = time.monotonic()
        controlled = control(episode.steps, episode.twins)
        try:
            with boundary(JudgeError, f"watching {episode.film}"):
                watched = watch(episode.film, title=game.title, reader=self._reader)
        except StoreError as error:
            raise JudgeError(str(error)) from error
        milestones = conclude(watched, controlled)
        return Verdict(
            key=episode.episode.key,
            game=game.id,
            judge=self.name,
            level=level(milestones),
            milestones=milestones,
            unknown=() if controlled.known else CONTROL_FIELDS,
            seconds=round(time.monotonic() - began, 3),
        )


def watch(film: Path, *, title: str, reader: Reader) -> Watched:
    """Look at every second of a film and read the texts in it."""
    import cv2

    cv2.setNumThreads(1)  # several films at a time keep all cores busy, each with one
    viewer, follower = Viewer(), TextFollower(reader)
    looks: list[Look] = []
    for seen in sample(film, rate_hz=1, max_size=FILM_SIZE):
        look = viewer.look(seen.t, seen.frame)
        cut = not looks or is_cut(looks[-1], look)
        follower.follow(seen.t, seen.frame, cut=cut, still=look.still)
        looks.append(look)
    return Watched(tuple(looks), tuple(follower.lines), title)
