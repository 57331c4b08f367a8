"""Reading a film back gives the right frames at the right times, decoding as little as possible."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from playsuite.core.errors import StoreError
from playsuite.media.record import FilmRecorder
from playsuite.media.sample import frame_at, sample, seconds
from playsuite.media.still import poster

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Ten seconds at five frames a second; each frame is a little brighter than the one before."""
    with FilmRecorder(tmp_path / "video.mp4", tmp_path / "proxy.mp4") as recorder:
        for i in range(50):
            recorder.add(i / 5, np.full((480, 640, 3), 4 * i, np.uint8))
        recorder.close(10.0)
    return tmp_path / "video.mp4"


def shade(frame: np.ndarray) -> int:
    return round(float(frame.mean()) / 4)


def test_one_frame_a_second(film):
    assert [(s.t, shade(s.frame)) for s in sample(film, rate_hz=1)] == [(float(n), 5 * n) for n in range(10)]


def test_slower_than_the_keyframes(film):
    assert [s.t for s in sample(film, rate_hz=0.5)] == [0, 2, 4, 6, 8]


def test_faster_than_the_keyframes(film):
    taken = list(sample(film, rate_hz=2.5))
    assert [s.t for s in taken] == pytest.approx([n * 0.4 for n in range(25)])
    assert [shade(s.frame) for s in taken] == [2 * n for n in range(25)]


def test_frames_shrink_to_the_size_asked_for(film):
    assert next(sample(film, rate_hz=1, max_size=(512, 288))).frame.shape == (288, 384, 3)


@pytest.mark.parametrize(("t", "wanted"), [(0.0, 0), (3.45, 17), (9.99, 49), (500.0, 49)])
def test_the_frame_shown_at_a_time(film, t, wanted):
    assert shade(frame_at(film, t)) == wanted


def test_a_film_knows_its_length(film):
    assert seconds(film) == pytest.approx(10.0, abs=0.002)


def test_a_poster_is_a_jpeg_of_its_moment(film):
    picture = Image.open(io.BytesIO(poster(film, 4.0, max_size=(320, 240))))
    assert (picture.format, picture.size) == ("JPEG", (320, 240))
    assert shade(np.asarray(picture)) == 20


def test_a_missing_film_is_a_store_error(tmp_path):
    with pytest.raises(StoreError, match=r"reading the film .*none\.mp4"):
        next(sample(tmp_path / "none.mp4", rate_hz=1))


def test_a_broken_film_is_a_store_error(tmp_path):
    (tmp_path / "broken.mp4").write_bytes(b"\x00" * 500)
    with pytest.raises(StoreError, match=r"broken\.mp4"):
        frame_at(tmp_path / "broken.mp4", 0.0)
