"""What every adapter promises, as checks that anybody who writes one can run on it."""

from __future__ import annotations

import re
import time
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from playsuite.core.actions import Action, Button, Click, Hold, Move, ParseStatus, Press, Scroll, Wait
from playsuite.core.answers import shorten
from playsuite.core.errors import AgentError, PlaySuiteError, boundary
from playsuite.core.keys import KEYS
from playsuite.core.points import View, extent
from playsuite.core.records import PictureRule
from playsuite.testing import prompts
from playsuite.testing.runtime import Check
from playsuite.testing.target import answer_of, targets, view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from playsuite.core.actions import Parsed
    from playsuite.core.protocols import Adapter

FRAMES = ((1280, 720), (800, 600), (640, 480), (400, 300), (641, 359))
"""Sizes that games have, one of them odd; (width, height) in pixels."""
RULES = (
    PictureRule(),
    PictureRule(factor=28, min_pixels=3136, max_pixels=12_845_056),
    PictureRule(factor=32),
    PictureRule(factor=28, max_pixels=401_408),
)
"""How models have pictures resized."""
NEAR_PX = 2.0
LENGTHS = ((10_000, 0.3), (100_000, 1.0), (1_000_000, 10.0))
"""(Characters of an endless answer, wall seconds), generous even on a slow machine.

A length is only tried where the one before was read in time: a reader whose time grows with the square of the length
would take hours for the last.
"""
FINISHES = ("stop", "length", "")
NOTHING_DONE = (ParseStatus.NO_ACTION, ParseStatus.INVALID, ParseStatus.TRUNCATED)
WORDLESS = (
    *("", " \n\t\n", "<think>", "<think>A door, a lamp, and the light is", "\x00\x01\x02", "?!", "\ud83c\udfae\u200b"),
    *("\ud800", "((((((((((", "{{{{[[[[", "<|im_end|>"),
)
"""Answers with nothing in them that anybody could do."""
SCRAPS = ("(", "[", "{'a':", '{"a":[', "<think>", "<a>", "'", "\\", "9", "a ", "\n", "\u00e9", "=(", "- ")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w)")
SEED = 41


def check_adapter(adapter: Adapter) -> list[Check]:
    """Run all checks of an adapter, in the space it names itself; takes some seconds."""
    return [_run(name, probe, adapter) for name, probe in CHECKS]


def _is_total(adapter: Adapter) -> str:
    view = _views(adapter)[0]
    for text in (*WORDLESS, *_noise()):
        for finish in FINISHES:
            if not _parse(adapter, text, view, finish).actions:
                return f"no action comes of {shorten(text)}, not even a wait"
    return ""


def _is_quick(adapter: Adapter) -> str:
    view = _views(adapter)[0]
    own = adapter.write([Click(10, 10)], view)
    for scrap in (*SCRAPS, own, f"{own}\n"):
        for size, most in LENGTHS:
            begin = time.monotonic()
            _parse(adapter, scrap * (size // len(scrap)), view, "length")
            if (took := time.monotonic() - begin) > most:
                return f"{size} characters of {shorten(scrap)} took {took:.1f} s"
    return ""


def _says_why(adapter: Adapter) -> str:
    view = _views(adapter)[0]
    for text in (*WORDLESS, *_noise()):
        for finish in FINISHES:
            parsed = _parse(adapter, text, view, finish)
            if complaint := _silent(parsed, text):
                return complaint
            if text in WORDLESS and parsed.status not in NOTHING_DONE:
                return f"{shorten(text)} is '{parsed.status}', though there is nothing to do in it"
    return ""


def _silent(parsed: Parsed, text: str) -> str:
    if parsed.status is not ParseStatus.OK and not parsed.notes:
        return f"{shorten(text)} is '{parsed.status}' without a note"
    if parsed.status in NOTHING_DONE and parsed.actions != (Wait(),):
        return f"{shorten(text)} is '{parsed.status}', but something is done"
    return ""


def _loses_nothing(adapter: Adapter) -> str:
    view = _views(adapter)[0]
    for count in range(1, 9):
        wanted = tuple(Press((key,)) for key in "abcdefgh"[:count])
        parsed = _parse(adapter, adapter.write(wanted, view), view)
        if parsed.actions != wanted[: len(parsed.actions)]:
            return f"{count} actions came back as others, or in another order"
        if parsed.actions != wanted and (not parsed.notes or parsed.status is ParseStatus.OK):
            return f"of {count} actions {len(parsed.actions)} were done, and nothing was said about the others"
    return ""


def _stays_inside(adapter: Adapter) -> str:
    for view in _views(adapter):
        width, height = view.frame
        corner = adapter.write([Click(width - 1, height - 1)], view)
        for factor in (1.0, 1.002, 1.03, -0.03, 3.0, -3.0, 1e9, 1e300):
            text = _scaled(corner, factor)
            parsed = _parse(adapter, text, view)
            if outside := [action for action in parsed.actions if not _is_inside(action, view)]:
                return f"{shorten(text)} on {width}x{height} acts outside the frame: {outside[0]}"
            if abs(factor) > 1.5 and parsed.status is ParseStatus.OK:
                return f"{shorten(text)} lies far outside {width}x{height}, but is read as if nothing were wrong"
    return ""


def _comes_back(adapter: Adapter) -> str:
    for view in _views(adapter):
        for wanted in _said(view):
            text = adapter.write([wanted], view)
            parsed = _parse(adapter, text, view)
            same = len(parsed.actions) == 1 and _is_near(parsed.actions[0], wanted)
            if not same and (wanted in _known(view) or parsed.status not in NOTHING_DONE):
                size = f"{view.frame[0]}x{view.frame[1]}"
                return f"{wanted} on {size} is written {shorten(text)} and read as {list(parsed.actions)}"
            if wanted in _known(view) and parsed.status is not ParseStatus.OK:
                return f"its own words {shorten(text)} are '{parsed.status}': {'; '.join(parsed.notes)}"
    return ""


def _every_key(adapter: Adapter) -> str:
    view = _views(adapter)[0]
    for key in sorted(KEYS):
        text = adapter.write([Press((key,))], view)
        if (actions := _parse(adapter, text, view).actions) != (Press((key,)),):
            return f"the key '{key}' is written {shorten(text)} and read as {list(actions)}"
    return ""


def _counts_in_its_space(adapter: Adapter) -> str:
    for view in _views(adapter):
        for click in _clicks(view):
            text = adapter.write([click], view)
            if not _place_in(text, click, view):
                first, second = _numbers_of(click, view)
                return f"{shorten(text)} should name the place {first:g}, {second:g} of the space '{view.space}'"
    return ""


def _lands(adapter: Adapter) -> str:
    for size in FRAMES:
        for target in targets(size):
            for view in [view for view in _views(adapter) if view.frame == size]:
                click = Click(target.x, target.y)
                text = adapter.write([click], view)
                place = _place_in(text, click, view)
                if place is None:
                    return f"{shorten(text)} does not name the place of the button"
                first, second = answer_of(target, view)
                answer = f"{text[: place[0]]}{first:g}{text[place[1] : place[2]]}{second:g}{text[place[3] :]}"
                done = _parse(adapter, answer, view).actions
                if len(done) != 1 or not _is_near(done[0], click):
                    return f"the button is at {target.x:g},{target.y:g}, the answer {shorten(answer)}, but {list(done)}"
    return ""


def _is_careful_when_cut(adapter: Adapter) -> str:
    view = _views(adapter)[0]
    for actions in ([Click(615, 317)], [Hold(("right",), 1.25)], [Press(("pagedown",)), Press(("backspace",))]):
        text = adapter.write(actions, view)
        whole = _parse(adapter, text, view).actions
        for end in range(len(text) + 1):
            parsed = _parse(adapter, text[:end], view, "length")
            if parsed.status is ParseStatus.OK:
                return f"{shorten(text[:end])} was cut off, but is 'ok'"
            if parsed.actions != (Wait(),) and parsed.actions != whole[: len(parsed.actions)]:
                return f"{shorten(text[:end])} was cut off, but is done as if it were whole: {list(parsed.actions)}"
    return ""


CHECKS: Sequence[tuple[str, Callable[[Adapter], str]]] = (
    ("any text is an answer", _is_total),
    ("an endless answer is read in no time", _is_quick),
    ("whatever is not read as it stands says why", _says_why),
    ("no action is lost in silence", _loses_nothing),
    ("nothing is done outside the frame", _stays_inside),
    ("what it writes it reads back", _comes_back),
    ("every key has a name", _every_key),
    ("places are named in its own space", _counts_in_its_space),
    ("a click lands on the button that was seen", _lands),
    ("an answer that was cut off is not taken for whole", _is_careful_when_cut),
    ("a prompt tells the game, the past and the picture", prompts.is_complete),
    ("a prompt shows past pictures where they are given", prompts.shows_the_past),
    ("a prompt begins with what never changes", prompts.is_constant_in_front),
    ("a forced answer follows a regular expression", prompts.has_sound_patterns),
    ("every prompt has a digest of its own", prompts.is_named_by_content),
)


def _run(name: str, probe: Callable[[Adapter], str], adapter: Adapter) -> Check:
    try:
        with boundary(AgentError, "the adapter raised an error"):
            complaint = probe(adapter)
    except PlaySuiteError as error:
        complaint = str(error)
    return Check(name, not complaint, complaint)


def _parse(adapter: Adapter, text: str, view: View, finish: str = "stop") -> Parsed:
    with boundary(AgentError, f"reading {shorten(text)} raised an error"):
        return adapter.parse(text, view, finish_reason=finish).parsed


def _views(adapter: Adapter) -> list[View]:
    """Return what models may be shown: every frame in every size of picture, and once with y before x."""
    swapped = view_of(FRAMES[0], RULES[0], adapter.space, y_first=True)
    return [*(view_of(frame, rule, adapter.space) for frame in FRAMES for rule in RULES), swapped]


def _noise() -> Iterator[str]:
    random = Random(SEED)
    for size in (1, 7, 60, 500, 4000):
        noise = random.randbytes(size)
        yield noise.decode("latin-1")
        yield noise.decode("utf-8", errors="replace")
        yield noise.decode("utf-8", errors="surrogateescape")


def _clicks(view: View) -> list[Click]:
    width, height = view.frame
    return [Click(round(x * width), round(y * height)) for x, y in ((0.5, 0.5), (0.04, 0.93), (0.97, 0.02), (0.3, 0.7))]


def _known(view: View) -> list[Action]:
    """Return what every family has words of its own for."""
    return [*_clicks(view), Press(("space",)), Press(("shift", "a")), Wait()]


def _said(view: View) -> list[Action]:
    """Return everything that can be done; what a family has no word for may be refused, but not become another."""
    buttons = [Click(50, 60, button, count) for button in Button for count in (1, 2, 3)]
    holds = [Hold(("right",), 0.8), Hold(("right", "space"), 0.5)]
    moves = [Move(200, 100), Move(40, -10, relative=True), Move(-40, 10, relative=True, seconds=0.5)]
    return [*_known(view), *buttons, *holds, *moves, Scroll(3), Scroll(-5)]


def _is_inside(action: Action, view: View) -> bool:
    width, height = view.frame
    match action:
        case Click(x, y) | Move(x, y, relative=False):
            return 0 <= x <= width - 1 and 0 <= y <= height - 1
        case _:
            return True


def _is_near(action: Action, wanted: Action) -> bool:
    """Tell whether two actions are the same but for the rounding of a place."""
    match action, wanted:
        case (Click(x, y), Click(to_x, to_y)) | (Move(x, y), Move(to_x, to_y)):
            same = replace(action, x=0, y=0) == replace(wanted, x=0, y=0)
            return same and abs(x - to_x) <= NEAR_PX and abs(y - to_y) <= NEAR_PX
        case _:
            return action == wanted


def _numbers_of(click: Click, view: View) -> tuple[float, float]:
    """Return the two numbers that name the place of a click in a view, worked out apart from the adapter's own way."""
    wide, high = extent(view.space, view)
    (width, height) = view.frame
    x, y = click.x * wide / width, click.y * high / height
    return (y, x) if view.y_first else (x, y)


def _place_in(text: str, click: Click, view: View) -> tuple[int, int, int, int] | None:
    """Return where in a text the two numbers of a place begin and end."""
    first, second = _numbers_of(click, view)
    near = NEAR_PX * max(side / pixels for side, pixels in zip(extent(view.space, view), view.frame, strict=True))
    for one, other in pairwise(NUMBER.finditer(text)):
        if abs(float(one[0]) - first) <= near and abs(float(other[0]) - second) <= near:
            return *one.span(), *other.span()
    return None


def _scaled(text: str, factor: float) -> str:
    """Return a text with every number in it multiplied."""
    return NUMBER.sub(lambda number: f"{float(number[0]) * factor:f}", text)
