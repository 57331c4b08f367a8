"""The whole judge on drawn films, with real text recognition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from playsuite.judge.cpu.conclude import conclude
from playsuite.judge.cpu.control import Control
from playsuite.judge.cpu.judge import watch
from playsuite.judge.cpu.ocr import Ocr
from playsuite.judge.level import level
from playsuite.media.record import FilmRecorder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playsuite.core.protocols import Frame
    from playsuite.core.records import Milestones

SIZE = (640, 480)


@pytest.fixture(scope="module")
def reader() -> Ocr:
    return Ocr()


def scene(t: float, *texts: str, ground: tuple[int, int, int] = (30, 60, 90)) -> Frame:
    """A ball that moves over a coloured ground, under some lines of text."""
    picture = Image.new("RGB", SIZE, ground)
    draw = ImageDraw.Draw(picture)
    x = 60 + 40 * t % 500
    draw.ellipse((x, 300, x + 60, 360), fill=(240, 200, 40))
    for number, text in enumerate(texts):
        draw.text((30, 20 + 60 * number), text, fill="white", font=ImageFont.load_default(36))
    return np.asarray(picture)


@pytest.fixture
def seen(tmp_path: Path, reader: Ocr) -> Callable[..., Milestones]:
    def judge(draw: Callable[[int], Frame], *, seconds: int = 20) -> Milestones:
        with FilmRecorder(tmp_path / "video.mp4", tmp_path / "proxy.mp4", fps=1) as recorder:
            for t in range(seconds):
                recorder.add(float(t), draw(t))
        return conclude(watch(tmp_path / "video.mp4", title="", reader=reader), Control())

    return judge


def test_a_score_that_rises_is_partial(seen):
    milestones = seen(lambda t: scene(t, f"Score: {50 * (t // 7)}"))
    assert milestones.score_or_resource_increased
    assert level(milestones) == 2


def test_a_clock_is_not_a_score(seen):
    milestones = seen(lambda t: scene(t, f"Time: {t}", f"0:{t:02d}"))
    assert not milestones.score_or_resource_increased
    assert level(milestones) == 0


def test_a_victory_after_play_is_completed(seen):
    assert level(seen(lambda t: scene(t, "YOU WIN!" if t > 12 else "Lives: 3"))) == 4


def test_a_defeat_is_a_death_and_no_victory(seen):
    milestones = seen(lambda t: scene(t, "GAME OVER" if t > 12 else "Lives: 1"))
    assert not milestones.win_or_completion_screen
    assert milestones.death_or_game_over_count == 1
    assert level(milestones) == 0


def test_a_menu_that_is_left(seen):
    milestones = seen(lambda t: scene(t, "Press SPACE to start") if t < 6 else scene(t, "Score: 0"))
    assert milestones.menu_or_title_seen
    assert milestones.left_menu_into_gameplay
