"""From a frame to the picture a model gets, and from its coordinates back to the frame."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from playsuite.core.actions import Action, Click, Move

if TYPE_CHECKING:
    from playsuite.core.protocols import Frame

JPEG_QUALITY = 95


class Picture(Struct, frozen=True):
    """A JPEG as it is sent."""

    jpeg: bytes
    width: int
    height: int


def picture_of(frame: Frame, *, max_width: int, max_height: int) -> Picture:
    """Encode a frame, made smaller where it exceeds the size, its aspect kept."""
    from PIL import Image

    height, width = frame.shape[:2]
    scale = min(1.0, max_width / width, max_height / height)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    image = Image.fromarray(frame)
    if size != (width, height):
        image = image.resize(size, Image.Resampling.LANCZOS)
    encoded = BytesIO()
    # Halved colour resolution, the default, blurs thin coloured text, which games are full of.
    image.save(encoded, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    return Picture(encoded.getvalue(), *size)


def to_frame(action: Action, picture: Picture, frame: Frame) -> Action:
    """Translate an action in pixels of the picture into one in pixels of the frame."""
    return _scaled(action, frame.shape[1] / picture.width, frame.shape[0] / picture.height)


def to_picture(action: Action, picture: Picture, frame: Frame) -> Action:
    """Translate an action in pixels of the frame into one in pixels of the picture, to a tenth."""
    return _scaled(action, picture.width / frame.shape[1], picture.height / frame.shape[0], digits=1)


def _scaled(action: Action, across: float, down: float, *, digits: int = 6) -> Action:
    match action:
        case Click(x, y) | Move(x, y):
            return replace(action, x=round(x * across, digits), y=round(y * down, digits))
        case _:
            return action
