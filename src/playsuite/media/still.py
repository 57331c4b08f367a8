"""One frame of a film as a JPEG, for the pages that show it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from playsuite.media.sample import frame_at

if TYPE_CHECKING:
    from pathlib import Path

    from playsuite.core.protocols import Frame
    from playsuite.media.picture import Size

QUALITY = 85
POSTER_SIZE = (640, 480)
"""Width and height in pixels, at most."""


def poster(video: Path, t: float, *, max_size: Size = POSTER_SIZE) -> bytes:
    """Return the JPEG of what a film shows at `t` seconds.

    Raises:
        StoreError: the film is missing, broken or empty.
    """
    return jpeg(frame_at(video, t, max_size=max_size))


def jpeg(frame: Frame, *, quality: int = QUALITY) -> bytes:
    """Encode RGB pixels as a JPEG."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(frame).save(buffer, "JPEG", quality=quality, optimize=True)
    return buffer.getvalue()
