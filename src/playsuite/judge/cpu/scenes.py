"""Which screens a film shows: cuts to screens never seen before, told apart from scrolling, flashes and fades."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from playsuite.judge.cpu.look import SHIFT_GRID

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from playsuite.judge.cpu.look import Look

APART = 12.0
"""Mean difference of colours from which two screens are not the same one."""
APART_SHARE = 0.4
"""Share of the grid that must differ that much: a dialog or an explosion is no new screen."""
LEAST_SECONDS = 3
"""A screen stays at least this long; a flash does not."""
MOVING_SHARE = 0.5
"""Share of seconds with a change from which a screen is one of play; a menu changes only when a key is pressed."""
SCROLL_RESPONSE = 0.1
"""Peak of the phase correlation from which a shift is believed."""
SCROLL_LEFT = 0.6
"""Share of the difference that may remain after undoing the shift."""


def new_screens(looks: Sequence[Look], *, in_play: Callable[[float], bool], menu_seen: float | None) -> list[float]:
    """Return when the game cut from one screen of play to another that was never seen before.

    `in_play` tells for each second whether the screen is free of the texts of menus and of endings, `menu_seen` when
    a menu was recognised. Without one before it, the first cut may be that from a menu nobody could read into play.
    """
    shots = split(looks)
    found: list[float] = []
    for number in range(1, len(shots)):
        before, shot = shots[number - 1], shots[number]
        seen = [look for earlier in shots[:number] for look in earlier]
        if _is_play(before, in_play) and _is_play(shot, in_play) and all(apart(shot[0], look) for look in seen):
            found.append(shot[0].t)
    return [t for number, t in enumerate(found) if number or (menu_seen is not None and menu_seen < t)]


def split(looks: Sequence[Look]) -> list[list[Look]]:
    """Split a film at its cuts; blank screens and what lasts less than two seconds belong to no shot."""
    shots: list[list[Look]] = []
    for look in looks:
        if look.blank:
            continue
        if shots and not is_cut(shots[-1][-1], look):
            shots[-1].append(look)
            continue
        if shots and len(shots[-1]) == 1:  # a flash, or one picture of a fade
            shots.pop()
            if shots and not is_cut(shots[-1][-1], look):
                shots[-1].append(look)
                continue
        shots.append([look])
    return shots


def is_cut(before: Look, after: Look) -> bool:
    """Tell whether another screen came, rather than the same one moved or scrolled on."""
    return apart(before, after) and not scrolled(before, after)


def apart(one: Look, other: Look) -> bool:
    """Tell whether two looks are of different screens."""
    difference = np.abs(one.colours - other.colours).mean(axis=2)
    return bool(difference.mean() > APART and (difference > APART).mean() >= APART_SHARE)


def scrolled(before: Look, after: Look) -> bool:
    """Tell whether `after` is `before`, shifted."""
    import cv2

    window = cv2.createHanningWindow(SHIFT_GRID, cv2.CV_32F)
    (dx, dy), response = cv2.phaseCorrelate(before.grey, after.grey, window)
    x, y = round(dx), round(dy)
    if response < SCROLL_RESPONSE or (x, y) == (0, 0):
        return False
    moved, stayed = _overlap(before.grey, after.grey, x, y)
    if moved.size < before.grey.size / 3:
        return False
    unexplained = float(np.abs(moved - stayed).mean())
    return unexplained < SCROLL_LEFT * float(np.abs(before.grey - after.grey).mean())


def _overlap(
    before: NDArray[np.float32], after: NDArray[np.float32], x: int, y: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    height, width = before.shape
    here = before[max(0, -y) : height - max(0, y), max(0, -x) : width - max(0, x)]
    there = after[max(0, y) : height + min(0, y), max(0, x) : width + min(0, x)]
    return here, there


def _is_play(shot: Sequence[Look], in_play: Callable[[float], bool]) -> bool:
    """Tell whether a shot looks like play: it lasts, mostly something moves in it, and no menu's text is in it."""
    lasts = shot[-1].t - shot[0].t >= LEAST_SECONDS
    moving = sum(not look.still for look in shot[1:])
    return lasts and moving >= MOVING_SHARE * (len(shot) - 1) and all(in_play(look.t) for look in shot)
