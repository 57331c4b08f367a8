"""Read many generated answers and count: exceptions, keys left down, points outside the frame, time.

python -m bench.grammar 1000000
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from random import Random

from playsuite.core.actions import Action, Button, Click, EventKind, Hold, Move, Press, Scroll, Wait
from playsuite.core.grammar import format_actions, parse
from playsuite.core.keys import KEYS
from playsuite.core.lower import lower
from playsuite.core.points import View

WIDTH, HEIGHT = 1280, 720
KEY_NAMES = sorted(KEYS)
LABELS = (
    "Action: ",
    "",
    "**Action:** ",
    "Observation: a door\nReasoning: go on\nAction: ",
    '{"action": "',
    "<think>hm</think>",
)
SCRAPS = (
    *(
        "Action:",
        "hold",
        "click",
        "press",
        "move",
        "scroll",
        "wait",
        "rightclick",
        "drag",
        "then",
        "for",
        "the",
        "shift",
    ),
    *(":", ",", ";", "+", "-", " ", "\n", ".", "(", ")", "[", "]", "{", "}", '"', "'", "`", "```", "**", "<", ">", "|"),
    *(
        "<think>",
        "</think>",
        "<|im_end|>",
        "up",
        "left",
        "space",
        "a",
        "i",
        "7",
        "42",
        "639.5",
        "-3",
        "+9",
        "1e999",
        "nan",
    ),
    *("key", "arrow", "page", "jump", "0.5", "s", "：", "é", "\u2028", "\x00", "\ud800", "²"),
)


def main(count: int) -> int:
    random = Random(count)
    statuses: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    slowest = 0.0
    begun = time.process_time()
    for number in range(count):
        answer, meant = (scraps, mutated, valid, unicode)[number % 4](random)
        whole = random.random() < 0.5
        before = time.process_time()
        try:
            parsed = parse(answer, View.of_frame(WIDTH, HEIGHT), finish_reason="stop" if whole else "length").parsed
            failures += broken(parsed.actions)
        except Exception as error:  # noqa: BLE001 counting whatever escapes is what this is for
            failures[f"exception {type(error).__name__} for {answer!r}"] += 1
            continue
        slowest = max(slowest, time.process_time() - before)
        statuses[parsed.status] += 1
        failures["valid answer misread"] += bool(meant) and whole and format_actions(parsed.actions) != meant
    seconds = time.process_time() - begun
    report(count, statuses, +failures, seconds, slowest)
    return 1 if +failures else 0


def broken(actions: tuple[Action, ...]) -> Counter[str]:
    found: Counter[str] = Counter()
    for action in actions:
        if isinstance(action, Click) or (isinstance(action, Move) and not action.relative):
            found["point outside the frame"] += not (0 <= action.x < WIDTH and 0 <= action.y < HEIGHT)
    down: Counter[tuple[str, str]] = Counter()
    for event in lower(actions)[0]:
        if event.kind in (EventKind.KEY_DOWN, EventKind.BUTTON_DOWN):
            down[event.key, event.button] += 1
        if event.kind in (EventKind.KEY_UP, EventKind.BUTTON_UP):
            down[event.key, event.button] -= 1
    found["key or button left down"] += any(down.values())
    return found


def report(count: int, statuses: Counter[str], failures: Counter[str], seconds: float, slowest: float) -> None:
    print(f"answers                  {count:,}")
    print(f"failures                 {dict(failures) or 'none'}")
    print(f"CPU per answer           {1e6 * seconds / count:.0f} us, made, read and lowered")
    print(f"slowest answer (CPU)     {1e3 * slowest:.1f} ms")
    for status, times in statuses.most_common():
        print(f"{status:<24} {times / count:.1%}")


def scraps(random: Random) -> tuple[str, str]:
    return "".join(random.choices(SCRAPS, k=random.randrange(40))), ""


def valid(random: Random) -> tuple[str, str]:
    label = random.choice(LABELS)
    text = format_actions([drawn(random) for _ in range(random.randrange(1, 4))])
    return label + text + ('"}' if label.startswith("{") else "\n"), text


def mutated(random: Random) -> tuple[str, str]:
    text, _ = valid(random)
    for _ in range(random.randrange(1, 7)):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(SCRAPS) + text[at + random.randrange(4) :]
    return text, ""


def unicode(random: Random) -> tuple[str, str]:
    top = random.choice((0x7F, 0x2FF, 0x10FFFF))
    return random.choice(LABELS) + "".join(chr(random.randrange(top)) for _ in range(random.randrange(60))), ""


def drawn(random: Random) -> Action:
    keys = tuple(random.sample(KEY_NAMES, random.randrange(1, 4)))
    x, y = random.randrange(1, WIDTH), random.randrange(1, HEIGHT)
    return random.choice(
        (
            Press(keys),
            Hold(keys, random.uniform(0.01, 2)),
            Click(x, y, random.choice(list(Button)), random.randrange(1, 4)),
            Move(x, y),
            Move(x - 640, y - 360, relative=True, seconds=random.choice((0.0, 0.5))),
            Scroll(random.choice((-20, -1, 1, 5))),
            Wait(),
        )
    )


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
