"""Numbers on the screen: which of them rose, and which of those are only clocks."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from playsuite.core.records import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from playsuite.judge.cpu.text import Line

LABELLED = re.compile(r"([A-Za-z][A-Za-z' .-]*?)\s*[:;=xX#.]?\s*(\d[\d,]*)(?![\d:])")
LABEL_AFTER = re.compile(r"^\W*(\d[\d,]*)\s*([A-Za-z]{2,})\W*$")
BARE = re.compile(r"^\W*(\d[\d,]*)\W*$")
SCORES = re.compile(
    r"SCORE|POINT|PTS|COIN|GOLD|MONEY|CASH|CREDIT|GEM|KILL|HITS|EXP|XP|STAR|LINES|FOOD|RINGS|SOULS|FRAGS|CATCH|COLLECT"
)
LEVELS = re.compile(r"^(LEVEL|LVL|STAGE|WAVE|WORLD|FLOOR|ROOM|ROUND|MISSION|DEPTH)$")
LIVES = re.compile(r"^(LIVES|LIFE|SHIPS|LIVESLEFT|SHIPSLEFT)$")
# Time, records of others, settings, effort, and stocks that a restart fills up: a rise of these is no progress.
NO_PROGRESS = re.compile(
    r"TIME|CLOCK|SECOND|^SECS?$|FPS|TICK|FRAME|ELAPSED|^DAY|DATE|YEAR|HIGH|^HI$|HISC|BEST|RECORD|TOP|PLAYER|^P$|TURN|MOVE|"
    r"STEP|ATTEMPT|TRIES|DEATH|ENEM|CPU|COMPUTER|OPPONENT|ANGLE|SPEED|VOLUME|ZOOM|^X$|^Y$|LIVES|LIFE|HEALTH|^HP|ENERGY|"
    r"AMMO|SHIELD|POWER|FUEL|BATTER|VERSION|^V$|COPYRIGHT|LOADING"
)
FEWEST_RISES = 2
"""Rises a number needs whose label is unknown."""
FEWEST_BARE_RISES = 3
"""Rises a number needs that has no label at all."""
FEWEST_TO_TELL_A_CLOCK = 4
CLOCK_TOLERANCE = 1.1
"""Units a clock, read once a second, strays from a straight line."""
A_SECOND = 1.5
FIRST_GAPS = 8
"""Later the text is read less often (`text.LONGEST_PATIENCE_S`)."""
CHOICE = re.compile(r"^\W*[<«◄].*[>»►]\W*$")
"""Arrows around a value are there to change it: a setting, no progress."""


class Count(Struct, frozen=True):
    """One number, read at one time."""

    t: float
    label: str
    """Upper-case letters only; empty if there is none."""
    value: int
    place: int


def counts(lines: Iterable[Line]) -> list[Count]:
    """Find the numbers in all confirmed lines, each with its label, in order of time."""
    lines = sorted(lines, key=lambda line: line.t)
    return [count for line in lines if line.confirmed for count in _in_line(line, lines)]


def score_rise(numbers: Sequence[Count]) -> Evidence | None:
    """Return the first believable rise of a score or another counter of progress."""
    rises = [rise for series in _series(numbers) if (rise := _believable(series))]
    return min(rises, key=lambda evidence: evidence.t, default=None)


def level_rise(numbers: Sequence[Count]) -> Evidence | None:
    """Return the first time a level's number went up."""
    for series in _series(numbers):
        for before, after in _steps(series):
            if LEVELS.search(after.label) and after.value - before.value == 1:
                return _evidence("new_area_or_level_reached", before, after)
    return None


def lives_lost(numbers: Sequence[Count]) -> list[Evidence]:
    """Return every time the number of lives went down by one."""
    return [
        _evidence("death_or_game_over_count", before, after)
        for series in _series(numbers)
        if LIVES.search(series[0].label)
        for before, after in _steps(series)
        if before.value - after.value == 1
    ]


def is_clock(series: Sequence[Count]) -> bool:
    """Tell whether a number only counts time: between two resets it rises along a straight line.

    What is called a score must besides change every second: points for every step of play come regularly, too.
    """
    longest = max(_rising_runs(series), key=len, default=[])
    if len(longest) < FEWEST_TO_TELL_A_CLOCK:
        return False
    t = np.array([count.t for count in longest])
    value = np.array([float(count.value) for count in longest])
    if SCORES.search(series[0].label) and np.median(np.diff(t)[:FIRST_GAPS]) > A_SECOND:
        return False
    slope, start = np.polyfit(t, value, 1)
    return bool(np.abs(value - (slope * t + start)).max() <= CLOCK_TOLERANCE * max(1.0, abs(slope)))


def _believable(series: Sequence[Count]) -> Evidence | None:
    label = series[0].label
    if LEVELS.search(label) or (NO_PROGRESS.search(label) and not re.fullmatch(r"(PLAYER)?SCORE", label)):
        return None
    rises = [(before, after) for before, after in _steps(series) if after.value > before.value]
    needed = 1 if SCORES.search(label) else FEWEST_RISES if label else FEWEST_BARE_RISES
    if len(rises) < needed or is_clock(series):
        return None
    if not label and len(rises) < len(_steps(series)) - 1:  # a bare number that falls as often is no score
        return None
    return _evidence("score_or_resource_increased", *rises[0])


def _series(numbers: Iterable[Count]) -> list[list[Count]]:
    """Group readings of the same number: same place, same label."""
    groups: dict[tuple[int, str], list[Count]] = {}
    for count in numbers:
        groups.setdefault((count.place, count.label), []).append(count)
    return list(groups.values())


def _steps(series: Sequence[Count]) -> list[tuple[Count, Count]]:
    return [(before, after) for before, after in pairwise(series) if before.value != after.value]


def _rising_runs(series: Sequence[Count]) -> list[list[Count]]:
    runs: list[list[Count]] = []
    for count in series:
        if runs and count.value >= runs[-1][-1].value:
            runs[-1].append(count)
        else:
            runs.append([count])
    return runs


def _in_line(line: Line, lines: Sequence[Line]) -> list[Count]:
    if CHOICE.match(line.text):
        return []
    if found := LABELLED.findall(line.text):
        return [Count(line.t, _letters(label), _value(number), line.place) for label, number in found]
    if match := LABEL_AFTER.match(line.text):
        return [Count(line.t, _letters(match[2]), _value(match[1]), line.place)]
    if match := BARE.match(line.text):
        return [Count(line.t, _label_beside(line, lines), _value(match[1]), line.place)]
    return []


def _label_beside(number: Line, lines: Sequence[Line]) -> str:
    """Return the text that stands left of a bare number, or above it."""
    there = [line for line in lines if line.t <= number.until and line.until >= number.t and _letters(line.text)]
    beside = [line for line in there if number.box.right_of(line.box) or number.box.below(line.box)]
    return _letters(beside[0].text) if beside else ""


def _evidence(field: str, before: Count, after: Count) -> Evidence:
    name = after.label.lower() or "a number"
    return Evidence(after.t, field, f"{name} {before.value} -> {after.value}")


def _letters(text: str) -> str:
    return re.sub(r"[^A-Z]", "", text.upper())


def _value(digits: str) -> int:
    return int(digits.replace(",", ""))
