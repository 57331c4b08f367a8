"""From a frame to the picture a model gets: its size, and its bytes."""

from __future__ import annotations

from io import BytesIO
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playsuite.core.protocols import Frame
    from playsuite.core.records import PictureRule

JPEG_QUALITY = 95


def picture_size(frame: tuple[int, int], rule: PictureRule, *, max_width: int, max_height: int) -> tuple[int, int]:
    """Return the (width, height) in pixels of the picture that is sent of a frame of (width, height) pixels.

    A frame is made smaller where it exceeds the size, its aspect kept, and then fitted to what the model thinks in: the
    nearest multiples of its factor, halves to the even one as its own processor rounds them, within its pixel bounds.
    """
    width, height = frame
    scale = min(1.0, max_width / width, max_height / height)
    width, height = max(1, round(width * scale)), max(1, round(height * scale))
    return _fitted(width, height, rule)


def encode(frame: Frame, size: tuple[int, int]) -> bytes:
    """Return a frame as a JPEG of `size` (width, height) pixels."""
    from PIL import Image

    image = Image.fromarray(frame)
    if image.size != size:
        image = image.resize(size, Image.Resampling.LANCZOS)
    encoded = BytesIO()
    # Halved colour resolution, the default, blurs thin coloured text, which games are full of.
    image.save(encoded, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    return encoded.getvalue()


def _fitted(width: int, height: int, rule: PictureRule) -> tuple[int, int]:
    factor = rule.factor
    wide, high = (max(factor, round(side / factor) * factor) for side in (width, height))
    if rule.max_pixels and wide * high > rule.max_pixels:
        shrink = sqrt(width * height / rule.max_pixels)
        return _multiple(floor(width / shrink / factor), factor), _multiple(floor(height / shrink / factor), factor)
    if wide * high < rule.min_pixels:
        grow = sqrt(rule.min_pixels / (width * height))
        return _multiple(ceil(width * grow / factor), factor), _multiple(ceil(height * grow / factor), factor)
    return wide, high


def _multiple(count: int, factor: int) -> int:
    return max(count, 1) * factor
