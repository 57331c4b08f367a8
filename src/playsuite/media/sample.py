"""Read a film back: at most one frame per interval, as few decoded as possible."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from playsuite.core.errors import StoreError, boundary
from playsuite.core.protocols import Frame
from playsuite.media.picture import within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from av import VideoFrame
    from av.container import InputContainer

    from playsuite.media.picture import Size

SLACK_S = 0.25
"""A keyframe comes with the first frame of its second, so two may lie this much more than a second apart."""


class Sample(Struct, frozen=True):
    """One frame of a film."""

    t: float
    """Seconds into the film."""
    frame: Frame


def sample(video: Path, *, rate_hz: float, max_size: Size | None = None) -> Iterator[Sample]:
    """Yield the first frame of each interval of 1 / `rate_hz` seconds, at most `max_size` (width, height) pixels.

    An interval in which no frame begins, because the picture stood still, yields nothing.

    Raises:
        StoreError: the film is missing or broken.
    """
    with boundary(StoreError, f"reading the film {video}"), _opened(video) as container:
        stream = container.streams.video[0]
        if _keyframe_gap(video) <= 1 / rate_hz + SLACK_S:
            stream.codec_context.skip_frame = "NONKEY"
        interval = -1
        for picture in container.decode(stream):
            t = float(picture.time or 0.0)
            if int(t * rate_hz + 1e-6) > interval:
                interval = int(t * rate_hz + 1e-6)
                yield Sample(t, pixels(picture, max_size))


def frame_at(video: Path, t: float, *, max_size: Size | None = None) -> Frame:
    """Return the frame a player shows at `t` seconds: the last that began by then, or the first of the film.

    Raises:
        StoreError: the film is missing, broken or empty.
    """
    with boundary(StoreError, f"reading the film {video}"), _opened(video) as container:
        container.seek(max(0, int(t * 1_000_000)))
        shown = None
        for picture in container.decode(container.streams.video[0]):
            if shown is not None and float(picture.time or 0.0) > t:
                break
            shown = picture
        if shown is None:
            raise StoreError(f"the film {video} holds no frame")
        return pixels(shown, max_size)


def seconds(video: Path) -> float:
    """Return when the last frame of a film ends, in seconds.

    Raises:
        StoreError: the film is missing or broken.
    """
    with boundary(StoreError, f"reading the film {video}"), _opened(video) as container:
        packets = [packet for packet in container.demux(container.streams.video[0]) if packet.pts is not None]
        last = packets[-1]
        return float(((last.pts or 0) + (last.duration or 0)) * (last.time_base or 0))


def pixels(picture: VideoFrame, max_size: Size | None) -> Frame:
    """Return a decoded picture as RGB pixels, at most `max_size`."""
    size = (picture.width, picture.height)
    width, height = size if max_size is None else within(size, max_size)
    small = picture.reformat(width=width, height=height, format="rgb24", interpolation="AREA")
    return np.ascontiguousarray(small.to_ndarray())


def _opened(video: Path) -> InputContainer:
    import av

    container = av.open(str(video))
    container.streams.video[0].codec_context.thread_count = 1
    return container


def _keyframe_gap(video: Path) -> float:
    """Return the longest time between two keyframes, in seconds; infinite if there is only one."""
    with _opened(video) as container:
        packets = container.demux(container.streams.video[0])
        times = [
            float(packet.pts * packet.time_base) for packet in packets if packet.is_keyframe and packet.pts is not None
        ]
    return max((after - before for before, after in pairwise(times)), default=float("inf"))
