"""Text recognition on one CPU core by PP-OCR, whose models come inside the package."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from playsuite.core.errors import ConfigError
from playsuite.judge.cpu.text import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.protocols import Frame

DETECTION_SIDE = 544
"""Pixels of the shorter side at which text is looked for: 0.1 s a frame instead of 0.2 s at 720."""
MOST_BOXES = 24
LEAST_HEIGHT = 6
"""Pixels; smaller letters cannot be read."""


class Ocr:
    """A `Reader`; the models are loaded at the first use, in 0.5 s."""

    @cached_property
    def _engine(self) -> Any:
        try:
            from rapidocr_onnxruntime import RapidOCR
        except ImportError as error:
            raise ConfigError(
                "the cpu judge reads text with rapidocr. Install it: pip install playsuite[judge]"
            ) from error
        return RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1, det_limit_side_len=DETECTION_SIDE)

    def find(self, frame: Frame) -> list[Box]:
        """Return where text is, largest letters first."""
        import cv2

        scale = min(1.0, DETECTION_SIDE / min(frame.shape[:2]))
        picture = cv2.resize(_bgr(frame), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        corners, _ = self._engine.text_det(picture)
        boxes = [_box(np.asarray(quad) / scale) for quad in ([] if corners is None else corners)]
        readable = [box for box in boxes if box.height >= LEAST_HEIGHT and box.right - box.left > box.height // 2]
        return sorted(readable, key=lambda box: -box.height)[:MOST_BOXES]

    def read(self, crops: Sequence[Frame]) -> list[tuple[str, float]]:
        """Return the text of each crop and how sure that is."""
        read, _ = self._engine.text_rec([_bgr(crop) for crop in crops])
        return [(str(text), float(confidence)) for text, confidence, *_ in read]


def _bgr(frame: Frame) -> Frame:
    return np.ascontiguousarray(frame[:, :, ::-1])


def _box(corners: np.ndarray) -> Box:
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return Box(int(left), int(top), int(np.ceil(right)), int(np.ceil(bottom)))
