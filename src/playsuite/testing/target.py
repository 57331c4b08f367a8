"""A picture with one button in it, to find out whether a click that was meant for the button lands there."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from playsuite.agents.images import encode, picture_size
from playsuite.core.errors import ConfigError
from playsuite.core.points import Space, View, extent

if TYPE_CHECKING:
    from playsuite.core.protocols import Frame
    from playsuite.core.records import PictureRule

BACKGROUND, BUTTON = (24, 28, 40), (250, 210, 40)
PLACES = ((0.5, 0.5), (0.06, 0.07), (0.93, 0.11), (0.13, 0.92), (0.94, 0.94), (0.31, 0.72))
"""Where in a frame a button stands, as shares of its size: its middle, its corners and somewhere."""
HALF_PX = 9
"""Half the side of a button."""
MAX_WIDTH, MAX_HEIGHT = 1280, 720
"""What a picture is at most, as a model player sends it by default."""


class Target(Struct, frozen=True):
    """A button in a frame of `size` (width, height) pixels; (x, y) is its middle, where the first pixel is 0 to 1."""

    size: tuple[int, int]
    x: int
    y: int

    def draw(self) -> Frame:
        """Draw the frame."""
        width, height = self.size
        frame = np.full((height, width, 3), BACKGROUND, np.uint8)
        frame[self.y - HALF_PX : self.y + HALF_PX, self.x - HALF_PX : self.x + HALF_PX] = BUTTON
        return frame


def targets(size: tuple[int, int]) -> list[Target]:
    """Return a target for each of the places in a frame of (width, height) pixels."""
    width, height = size
    return [Target(size, round(across * width), round(down * height)) for across, down in PLACES]


def view_of(size: tuple[int, int], rule: PictureRule, space: Space, *, y_first: bool = False) -> View:
    """Return what a model is shown of a frame of (width, height) pixels, sized as a model player does it."""
    return View(size, picture_size(size, rule, max_width=MAX_WIDTH, max_height=MAX_HEIGHT), space, y_first)


def answer_of(target: Target, view: View) -> tuple[float, float]:
    """Return the two numbers a model answers that sees the button in the very picture it is sent.

    They are as fine as models say them: whole pixels and thousandths, or thousandths of a share.

    Raises:
        ConfigError: the library for pictures is missing.
    """
    x, y = _seen(target, view.picture)
    wide, high = extent(view.space, view)
    digits = 3 if view.space is Space.UNIT else None
    x, y = round(x * wide / view.picture[0], digits), round(y * high / view.picture[1], digits)
    return (y, x) if view.y_first else (x, y)


@lru_cache(maxsize=1024)
def _seen(target: Target, picture: tuple[int, int]) -> tuple[float, float]:
    """Return the middle of the button in pixels of the picture that is sent; remembered, for encoding takes long."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ConfigError("pictures are made with pillow. Install it: pip install playsuite[models]") from error
    jpeg = BytesIO(encode(target.draw(), picture))
    pixels = np.asarray(Image.open(jpeg).convert("RGB"), np.int16)
    rows, columns = np.nonzero(np.abs(pixels - BUTTON).sum(axis=2) < np.abs(pixels - BACKGROUND).sum(axis=2))
    return float(columns.min() + columns.max() + 1) / 2, float(rows.min() + rows.max() + 1) / 2
