"""Whoever sees every frame of a launch can say whether two launches were the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import xxhash

from playsuite.core.protocols import Observation
from playsuite.core.records import FilmFrame

if TYPE_CHECKING:
    from collections.abc import Callable

    from playsuite.core.protocols import Frame


def fingerprint(frame: Frame) -> str:
    """Hash the pixels and the shape of a frame (xxh3, 128 bits)."""
    look = xxhash.xxh3_128(repr(frame.shape).encode())
    look.update(np.ascontiguousarray(frame).data)
    return look.hexdigest()


class Witness:
    """Chain the hashes of every film frame and every observation of one launch. A `FrameSink`."""

    def __init__(self, fps: float, on_film: Callable[[FilmFrame, Frame], None] | None = None) -> None:
        """Take film frames at `fps` a game second, and hand each on to `on_film`."""
        self.fps = fps
        self.film_frames = 0
        self.digest = ""
        """The chain so far."""
        self.last = Observation(np.zeros((0, 0, 3), np.uint8), t=0.0, index=0)
        """The last observation; an empty picture before the first one."""
        self.look = ""
        """Hash of the last observation alone."""
        self._on_film = on_film

    def add(self, t: float, frame: Frame) -> None:
        """Take one film frame."""
        entry = FilmFrame(self.film_frames, t, fingerprint(frame))
        self.film_frames += 1
        self._chain(entry.digest)
        if self._on_film is not None:
            self._on_film(entry, frame)

    def see(self, observation: Observation) -> Observation:
        """Take one observation and return it."""
        self.last, self.look = observation, fingerprint(observation.frame)
        self._chain(self.look)
        return observation

    def _chain(self, look: str) -> None:
        self.digest = xxhash.xxh3_128_hexdigest((self.digest + look).encode())
