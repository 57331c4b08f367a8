"""What one second of a film looks like, small enough to keep every second of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

if TYPE_CHECKING:
    from playsuite.core.protocols import Frame

SMALL = (512, 288)
"""Changes are counted at this size: width, height in pixels."""
GRID = (16, 12)
SHIFT_GRID = (160, 90)
CHANGED_BY = 24
"""Grey levels a pixel changes at least; less may be an artefact of the video."""
STILL = 0.0003
"""Share of pixels below which nothing visible changed: half a tile of 8x8 pixels at 512x288."""


class Look(Struct, frozen=True):
    """One second of a film."""

    t: float
    colours: NDArray[np.float32]
    """Mean colours of a grid, shape (12, 16, 3)."""
    grey: NDArray[np.float32]
    """For telling scrolling from a cut, shape (90, 160)."""
    changed: float
    """Share of pixels that changed since the look before, 0 to 1."""

    @property
    def still(self) -> bool:
        """Whether nothing visible changed since the look before."""
        return self.changed < STILL

    @property
    def blank(self) -> bool:
        """Whether there is nothing to see, as between two screens."""
        return float(self.colours.std(axis=(0, 1)).max()) < BLANK_DEVIATION


BLANK_DEVIATION = 3.0


class Viewer:
    """Turn frames into looks, one after the other."""

    def __init__(self) -> None:
        self._before: NDArray[np.uint8] | None = None

    def look(self, t: float, frame: Frame) -> Look:
        """Look at the next frame."""
        import cv2

        small = cv2.resize(frame, SMALL, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.uint8)
        before, self._before = self._before, grey
        changed = 0.0 if before is None else float((cv2.absdiff(grey, before) > CHANGED_BY).mean())
        colours = cv2.resize(small, GRID, interpolation=cv2.INTER_AREA).astype(np.float32)
        coarse = cv2.resize(grey, SHIFT_GRID, interpolation=cv2.INTER_AREA).astype(np.float32)
        return Look(t, colours, coarse, changed)
