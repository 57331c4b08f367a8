"""Frames as pictures an encoder takes: resized, letterboxed, of even size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from av import VideoFrame

    from playsuite.core.protocols import Frame

Size = tuple[int, int]
"""Width and height in pixels."""


def even(size: Size) -> Size:
    """Round a size up to even numbers, which H.264 with halved colour needs."""
    width, height = size
    return width + width % 2, height + height % 2


def within(size: Size, limit: Size) -> Size:
    """Return the largest even size of the same shape inside `limit`; never larger than `size`."""
    scale = min(1.0, limit[0] / size[0], limit[1] / size[1])
    width, height = (max(2, round(side * scale / 2) * 2) for side in size)
    return width, height


def fit(frame: Frame, size: Size) -> Frame:
    """Return `frame` at `size`: as it is, padded by a pixel, or letterboxed if its shape is another one."""
    width, height = frame.shape[1], frame.shape[0]
    if (width, height) == size:
        return frame
    if even((width, height)) != size:
        frame = resize(frame, within_exactly((width, height), size))
    canvas = np.zeros((size[1], size[0], 3), np.uint8)
    # A frame padded by one pixel keeps its corner, so coordinates in the film are those of the game.
    top, left = (size[1] - frame.shape[0]) // 2, (size[0] - frame.shape[1]) // 2
    canvas[top : top + frame.shape[0], left : left + frame.shape[1]] = frame
    return canvas


def within_exactly(size: Size, limit: Size) -> Size:
    """Return the largest size of the same shape inside `limit`, enlarging if needed."""
    scale = min(limit[0] / size[0], limit[1] / size[1])
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def resize(frame: Frame, size: Size) -> Frame:
    """Scale a frame to `size`, averaging pixels."""
    picture = to_picture(frame).reformat(width=size[0], height=size[1], interpolation="AREA")
    return np.ascontiguousarray(picture.to_ndarray())


def to_picture(frame: Frame) -> VideoFrame:
    """Wrap RGB pixels for the encoder, without copying them: use the picture before the frame changes."""
    from av import VideoFrame

    return VideoFrame.from_numpy_buffer(np.ascontiguousarray(frame), format="rgb24")
