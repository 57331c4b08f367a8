"""Follow the text on the screen: find it now and then, read it again only where its pixels changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from msgspec import Struct

from playsuite.core.protocols import Frame

if TYPE_CHECKING:
    from collections.abc import Sequence


FIND_EVERY_S = 5.0
"""Text is looked for this often while the screen changes, and after every cut."""
LEAST_CONFIDENCE = 0.7
SAME_PLACE = 0.3
"""Overlap (intersection over union) from which two boxes are the same place."""
CHANGED_BY = 32
"""Grey levels; less may be an artefact of the video."""
CHANGED_SHARE = 0.005
LONGEST_PATIENCE_S = 4.0
"""A text that keeps reading the same while its background moves, or that never rests, is read only this often."""
RESTLESS_READS = 15
FINDS, FINDS_A_SECOND = 12, 0.3
READS, READS_A_SECOND = 100, 2.0
"""How often text is looked for and read at most: at once, and more with every second of the film. A screen full of
moving texture cannot cost minutes, and the end of a film, where the outcome is told, is never left unread."""


class Box(Struct, frozen=True):
    """A rectangle in pixels of the film."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def height(self) -> int:
        """Pixels from top to bottom, about that of the letters."""
        return self.bottom - self.top

    def overlap(self, other: Box) -> float:
        """Return the intersection over the union, 0 to 1."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        common = max(0, width) * max(0, height)
        return common / (self.area + other.area - common)

    @property
    def area(self) -> int:
        """Pixels inside, at least one."""
        return max(1, (self.right - self.left) * self.height)

    def right_of(self, label: Box) -> bool:
        """Tell whether this box continues the line of `label`."""
        level = abs((self.top + self.bottom) - (label.top + label.bottom)) < self.height
        return level and 0 <= self.left - label.right + self.height // 2 < 3 * self.height

    def below(self, label: Box) -> bool:
        """Tell whether this box stands right under `label`."""
        gap = self.top - label.bottom
        columns = min(self.right, label.right) - max(self.left, label.left)
        return columns > 0 and -self.height // 2 <= gap < self.height

    def crop(self, frame: Frame) -> Frame:
        """Cut this box out of a frame, with room for another digit or two at its ends."""
        sides, edge = self.height, max(2, self.height // 6)
        return frame[max(0, self.top - edge) : self.bottom + edge, max(0, self.left - sides) : self.right + sides]


class Line(Struct, frozen=True):
    """A text that stood at one place for some time."""

    t: float
    until: float
    place: int
    """The same number means the same place on the screen, all through the film."""
    box: Box
    text: str
    confirmed: bool
    """A second reading, of the crop at another size, gave the same letters and digits."""


class Reader(Protocol):
    """Finds and reads text in pictures."""

    def find(self, frame: Frame) -> list[Box]:
        """Return where text is."""
        ...

    def read(self, crops: Sequence[Frame]) -> list[tuple[str, float]]:
        """Return the text of each crop and how sure that is, 0 to 1."""
        ...


class _Place(Struct):
    box: Box
    pixels: Frame | None = None
    line: Line | None = None
    patience: float = 0.0
    reads: int = 0
    looked: float = -1.0
    present: bool = True


class TextFollower:
    """Take the frames of a film in order; `lines` is what could be read in them."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._places: list[_Place] = []
        self._done: list[Line] = []
        self._reads = self._finds = 0
        self._found_at = -FIND_EVERY_S
        self._unseen_cut = False

    def follow(self, t: float, frame: Frame, *, cut: bool, still: bool) -> None:
        """Read the frame at `t`; `cut` and `still` tell how it differs from the one before."""
        self._unseen_cut |= cut
        due = self._unseen_cut or (t - self._found_at >= FIND_EVERY_S and not still)
        if due and self._finds < FINDS + FINDS_A_SECOND * t:
            self._find(t, frame)
        present = [number for number, place in enumerate(self._places) if place.present]
        changed = [number for number in present if self._wants_reading(self._places[number], t, frame)]
        if changed and self._reads < READS + READS_A_SECOND * t:
            self._read(t, frame, changed)
        for number in set(present) - set(changed):
            self._extend(self._places[number], t)

    @property
    def lines(self) -> list[Line]:
        """All lines read so far, in order of time."""
        open_lines = [place.line for place in self._places if place.line]
        return sorted((line for line in (*self._done, *open_lines) if line.text), key=lambda line: line.t)

    def _find(self, t: float, frame: Frame) -> None:
        self._found_at, self._unseen_cut = t, False
        self._finds += 1
        boxes = self._reader.find(frame)
        for place in self._places:
            place.present = False
        for box in boxes:
            known = max(self._places, key=lambda place: place.box.overlap(box), default=None)
            if known is None or known.box.overlap(box) < SAME_PLACE or known.present:
                self._places.append(_Place(box))
            else:
                known.box, known.present, known.pixels = box, True, None
        for place in self._places:
            if not place.present:
                self._end(place)

    def _wants_reading(self, place: _Place, t: float, frame: Frame) -> bool:
        crop = place.box.crop(frame)
        if place.pixels is None or place.pixels.shape != crop.shape:
            return True
        difference = np.abs(crop.astype(np.int16) - place.pixels).max(axis=2)
        changed = float((difference > CHANGED_BY).mean()) > CHANGED_SHARE
        return changed and t - place.looked >= place.patience

    def _read(self, t: float, frame: Frame, numbers: Sequence[int]) -> None:
        crops = [self._places[number].box.crop(frame).copy() for number in numbers]
        first = self._reader.read(crops)
        second = self._reader.read([_another_size(crop) for crop in crops])
        self._reads += len(numbers)
        for number, crop, (text, confidence), (again, _) in zip(numbers, crops, first, second, strict=True):
            place = self._places[number]
            place.pixels, place.looked, place.reads = crop, t, place.reads + 1
            sure = confidence >= LEAST_CONFIDENCE
            self._note(number, t, text.strip() if sure else "", confirmed=sure and _same(text, again))

    def _note(self, number: int, t: float, text: str, *, confirmed: bool) -> None:
        place = self._places[number]
        if place.line is not None and _same(place.line.text, text):
            place.patience = min(LONGEST_PATIENCE_S, place.patience + 1)
            self._extend(place, t, confirmed=confirmed)
            return
        self._end(place)
        place.patience = min(LONGEST_PATIENCE_S, place.reads // RESTLESS_READS)
        place.line = Line(t, t, number, place.box, text, confirmed)

    def _extend(self, place: _Place, t: float, *, confirmed: bool = False) -> None:
        if place.line is not None:
            line = place.line
            place.line = Line(line.t, t, line.place, line.box, line.text, line.confirmed or confirmed)

    def _end(self, place: _Place) -> None:
        if place.line is not None:
            self._done.append(place.line)
        place.line = None


def _another_size(crop: Frame) -> Frame:
    import cv2

    return cv2.resize(crop, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA).astype(np.uint8)


def _same(one: str, other: str) -> bool:
    return [c for c in one.upper() if c.isalnum()] == [c for c in other.upper() if c.isalnum()]
