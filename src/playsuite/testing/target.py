"""A picture with one button in it, to find out whether a click that was meant for the button lands there."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from playsuite.agents.images import encode, picture_size
from playsuite.core.points import Space, View, extent
from playsuite.core.protocols import Frame

if TYPE_CHECKING:
    from playsuite.core.records import PictureRule

BACKGROUND, BUTTON = (24, 28, 40), (250, 210, 40)
PLACES = ((0.5, 0.5), (0.06, 0.07), (0.93, 0.11), (0.13, 0.92), (0.94, 0.94), (0.31, 0.72))
"""Where in a frame a button stands, as shares of its size: its middle, its corners and somewhere."""
HALF_PX = 9
"""Half the side of a button."""
MAX_WIDTH, MAX_HEIGHT = 1280, 720
"""What a picture is at most, as a model player sends it by default."""


class Target(Struct, frozen=True):
    """A frame with a button."""

    frame: Frame
    x: float
    y: float
    """The middle of the button in pixels of the frame, counted as clicks are: the first pixel is 0 to 1."""


def targets(size: tuple[int, int]) -> list[Target]:
    """Make a frame of (width, height) pixels for each of the places."""
    return [_target(size, share) for share in PLACES]


def view_of(size: tuple[int, int], rule: PictureRule, space: Space, *, y_first: bool = False) -> View:
    """Return what a model is shown of a frame of (width, height) pixels, sized as a model player does it."""
    return View(size, picture_size(size, rule, max_width=MAX_WIDTH, max_height=MAX_HEIGHT), space, y_first)


def answer_of(target: Target, view: View) -> tuple[float, float]:
    """Return the two numbers a model answers that sees the button in the very picture it is sent.

    They are as fine as models say them: whole pixels and thousandths, or thousandths of a share.
    """
    x, y = _seen_at(encode(target.frame, view.picture))
    wide, high = extent(view.space, view)
    digits = 3 if view.space is Space.UNIT else None
    x, y = round(x * wide / view.picture[0], digits), round(y * high / view.picture[1], digits)
    return (y, x) if view.y_first else (x, y)


def _target(size: tuple[int, int], share: tuple[float, float]) -> Target:
    width, height = size
    x, y = round(share[0] * width), round(share[1] * height)
    frame = np.full((height, width, 3), BACKGROUND, np.uint8)
    frame[y - HALF_PX : y + HALF_PX, x - HALF_PX : x + HALF_PX] = BUTTON
    return Target(frame, x, y)


def _seen_at(jpeg: bytes) -> tuple[float, float]:
    """Return the middle of the button in pixels of a picture."""
    from PIL import Image

    pixels = np.asarray(Image.open(BytesIO(jpeg)).convert("RGB"), np.int16)
    rows, columns = np.nonzero(np.abs(pixels - BUTTON).sum(axis=2) < np.abs(pixels - BACKGROUND).sum(axis=2))
    return float(columns.min() + columns.max() + 1) / 2, float(rows.min() + rows.max() + 1) / 2
