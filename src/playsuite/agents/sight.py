"""What an agent without a model can see with plain arithmetic: that something changed, and what stands out."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from playsuite.core.protocols import Frame

ROWS, COLUMNS = 36, 64
"""Cells a frame is divided into."""
SCENE_STEP = 4
"""Cells, in both directions, that make one spot of a scene's signature."""
SCENE_LEVELS = 8
SPREAD = 0.1
"""Share of the screen around a salient point within which others stand out less."""
VISIBLE_CHANGE = 4.0
"""Difference of a cell's mean colour, of 255, that counts."""

Glance: TypeAlias = NDArray[np.float64]
"""Mean colours of the cells, shape (ROWS, COLUMNS, 3)."""


def glance(frame: Frame) -> Glance:
    """Average a frame over its cells."""
    tall, wide = _edges(frame.shape[0], ROWS), _edges(frame.shape[1], COLUMNS)
    sums = np.add.reduceat(np.add.reduceat(frame, tall, axis=0, dtype=np.uint32), wide, axis=1)
    sizes = np.outer(_sizes(tall, frame.shape[0]), _sizes(wide, frame.shape[1]))
    return np.asarray(sums / sizes[..., None], dtype=np.float64)


def changed(before: Glance, after: Glance) -> float:
    """Return the share of cells that look different, 0 to 1."""
    return float(np.mean(np.abs(after - before).max(axis=2) > VISIBLE_CHANGE))


def scene(seen: Glance) -> bytes:
    """Return a coarse signature: equal for views that differ only in detail."""
    grey = (
        seen.mean(axis=2).reshape(ROWS // SCENE_STEP, SCENE_STEP, COLUMNS // SCENE_STEP, SCENE_STEP).mean(axis=(1, 3))
    )
    return bytes((grey * SCENE_LEVELS / 256).astype(np.uint8))


def salient(seen: Glance, count: int) -> list[tuple[float, float]]:
    """Return the `count` cells that stand out most from what surrounds them and from the whole, best first.

    Points are shares of the width and height, and spread out: near one that was found, others stand out less.
    """
    surroundings = np.stack([np.roll(seen, shift, axis) for axis in (0, 1) for shift in (-1, 1)])
    edges = np.abs(surroundings - seen).max(axis=(0, 3))
    colour = np.abs(seen - np.median(seen, axis=(0, 1))).max(axis=2)
    score = edges + colour
    down, across = (np.arange(ROWS)[:, None] + 0.5) / ROWS, (np.arange(COLUMNS)[None, :] + 0.5) / COLUMNS
    points: list[tuple[float, float]] = []
    while len(points) < count and score.max() > VISIBLE_CHANGE:
        row, column = divmod(int(score.argmax()), COLUMNS)
        x, y = float(across[0, column]), float(down[row, 0])
        points.append((x, y))
        score *= 1 - np.exp(-((across - x) ** 2 + (down - y) ** 2) / (2 * SPREAD**2))
    return points


def _sizes(edges: NDArray[np.intp], size: int) -> NDArray[np.intp]:
    """Return how many pixels each part has; where a frame has fewer pixels than parts, pixels are used again."""
    return np.maximum(np.diff(edges, append=size), 1)


def _edges(size: int, parts: int) -> NDArray[np.intp]:
    return np.minimum(np.arange(parts) * size // parts, size - 1)
