"""Text is followed from place to place, read again only where it changed, and never at any price."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from playsuite.judge.cpu.text import Box, TextFollower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.protocols import Frame

PLACE = Box(20, 20, 80, 40)
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Shades:
    """Reads the shade of a crop as a letter; counts what it was asked."""

    def __init__(self) -> None:
        self.finds = self.reads = 0

    def find(self, frame: Frame) -> list[Box]:
        self.finds += 1
        return [PLACE] if frame.max() > 0 else []

    def read(self, crops: Sequence[Frame]) -> list[tuple[str, float]]:
        self.reads += len(crops)
        return [(ALPHABET[round(float(np.median(crop)) / 10) % 26], 0.9) for crop in crops]


def frame(letter: str) -> Frame:
    return np.full((60, 120, 3), 10 * ALPHABET.index(letter), np.uint8)


def follow(letters: str, *, cut: bool = False) -> tuple[list[tuple[float, float, str]], Shades]:
    reader = Shades()
    follower = TextFollower(reader)
    for t, letter in enumerate(letters):
        still = t > 0 and letters[t - 1] == letter
        follower.follow(float(t), frame(letter), cut=cut or t == 0, still=still)
    return [(line.t, line.until, line.text) for line in follower.lines], reader


def test_a_text_stands_from_its_first_second_to_its_last():
    assert follow("FFFFKKK")[0] == [(0.0, 3.0, "F"), (4.0, 6.0, "K")]


def test_what_does_not_change_is_read_once():
    assert follow("F" * 30)[1].reads == 2  # each reading is done at two sizes


def test_a_restless_film_has_its_price_limited():
    _, reader = follow("FKPU" * 75, cut=True)
    assert reader.finds <= 102
    assert reader.reads <= 2 * 700


def test_the_end_of_a_restless_film_is_read_all_the_same():
    lines, _ = follow("FKPU" * 75 + "ZZZZZZ", cut=True)
    assert "Z" in {text for _, _, text in lines}
