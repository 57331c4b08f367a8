from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from playsuite.agents.images import encode, picture_size
from playsuite.core.records import PictureRule

QWEN2 = PictureRule(factor=28, min_pixels=3136, max_pixels=12845056)
QWEN3 = PictureRule(factor=32, min_pixels=65536, max_pixels=16777216)


def sized(frame, rule):
    return picture_size(frame, rule, max_width=4000, max_height=4000)


@pytest.mark.parametrize(
    ("frame", "by_28", "by_32"),
    [
        ((1280, 720), (1288, 728), (1280, 704)),  # 22.5 times 32: halves go to the even multiple
        ((1920, 1080), (1932, 1092), (1920, 1088)),
        ((960, 540), (952, 532), (960, 544)),
        ((854, 480), (840, 476), (864, 480)),
        ((800, 600), (812, 588), (800, 608)),
        ((640, 480), (644, 476), (640, 480)),
    ],
)
def test_sizes_are_those_of_the_models_own_processors(frame, by_28, by_32):
    """Measured with the official function."""
    assert sized(frame, QWEN2) == by_28
    assert sized(frame, QWEN3) == by_32


def test_without_a_rule_a_frame_is_only_made_smaller():
    assert picture_size((800, 600), PictureRule(), max_width=1280, max_height=720) == (800, 600)
    assert picture_size((800, 600), PictureRule(), max_width=400, max_height=400) == (400, 300)


@given(st.integers(1, 3000), st.integers(1, 3000), st.sampled_from([QWEN2, QWEN3]))
def test_a_picture_keeps_within_its_bounds(width, height, rule):
    wide, high = sized((width, height), rule)
    assert wide % rule.factor == high % rule.factor == 0
    assert wide * high <= rule.max_pixels
    if max(width, height) / min(width, height) < 20:
        assert rule.min_pixels <= wide * high


def test_pictures_keep_the_colours_of_thin_lines():
    frame = np.zeros((64, 64, 3), np.uint8)
    frame[:, ::2] = (255, 0, 0)
    shown = np.asarray(Image.open(BytesIO(encode(frame, (64, 64))))).astype(int)
    assert np.abs(shown - frame).max() < 40
