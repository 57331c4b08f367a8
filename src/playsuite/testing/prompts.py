"""What the prompts of every adapter promise: complete, repeatable, and what never changes in front."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from msgspec.structs import replace

from playsuite.core.actions import Press
from playsuite.core.errors import ConfigError
from playsuite.core.points import View
from playsuite.core.protocols import Adapter, Prompt, Question, Shown
from playsuite.core.records import Controls, Game, Step, Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GARDEN = Game(
    id="made-up/garden",
    title="A Garden in the Dark",
    runtime="fake",
    manifest={},
    genre="Puzzle",
    description="Move every pot until its flower stands in the light.",
    controls=Controls("The arrow keys move the pot, z takes a move back.", ("left", "right", "up", "down", "z")),
)
TOWER = replace(
    GARDEN,
    id="made-up/tower",
    title="Tower of Glass",
    genre="Action",
    description="Climb as high as you can before the glass breaks.",
    controls=Controls("Space jumps, the mouse aims.", ("space",), mouse=True),
)
PAST = tuple(
    Step(index, 3.0 * index, 15 * index, Turn((Press(("left",)),), observation=f"Pot {index} moved."))
    for index in range(3)
)
UNKNOWN = "no-such-variant"


def is_complete(adapter: Adapter) -> str:
    """Complain about a prompt that lacks the game, the picture or a value for one of its variables."""
    if not adapter.variants:
        return "it has no prompt at all"
    for variant, prompt in _prompts(adapter, GARDEN, PAST):
        text = _text(prompt)
        wanted = (GARDEN.title, GARDEN.description, GARDEN.controls.text, PAST[-1].turn.observation)
        if missing := [words for words in wanted if words not in text]:
            return f"the prompt '{variant}' does not tell {missing[0]!r}"
        if "$" in text:
            return f"the prompt '{variant}' has a variable without a value: {text[text.index('$') :][:20]!r}"
        if prompt.user.count(Shown()) != 1:
            return f"the prompt '{variant}' shows the frame {prompt.user.count(Shown())} times instead of once"
    return ""


def shows_the_past(adapter: Adapter) -> str:
    """Complain about a prompt that does not show the pictures of past steps where it is given them."""
    shown = (PAST[0].index, PAST[-1].index)
    for variant in adapter.variants:
        prompt = adapter.render(Question(GARDEN, _view(adapter), variant, PAST, shown))
        places = [part for part in prompt.user if part in [Shown(index) for index in shown]]
        if places != [Shown(index) for index in shown]:
            return f"the prompt '{variant}' shows the steps {[part.step for part in places]} instead of {list(shown)}"
    return ""


def is_constant_in_front(adapter: Adapter) -> str:
    """Complain about a prompt from which a server could keep less than it might between two requests."""
    for variant in adapter.variants:
        garden = _text(_prompt(adapter, variant, GARDEN, PAST[:1]))
        if garden != _text(_prompt(adapter, variant, GARDEN, PAST[:1])):
            return f"the prompt '{variant}' differs from one time to the next"
        later = _common(garden, _text(_prompt(adapter, variant, GARDEN, PAST)))
        if GARDEN.controls.text not in later:
            return f"the prompt '{variant}' changes with the history before the game is told, at {_end(later)}"
        tower = _text(_prompt(adapter, variant, TOWER, PAST[:1]))
        begin = _common(garden, tower)
        behind = _common(garden[::-1], tower[::-1])
        if len(behind) > len(begin):
            return (
                f"the prompt '{variant}' tells {len(behind)} constant characters only after the game, at {_end(begin)}"
            )
    return ""


def is_named_by_content(adapter: Adapter) -> str:
    """Complain about digests that do not tell the variants apart, and about a variant that is none and is taken."""
    digests = {variant: adapter.digest(variant) for variant in adapter.variants}
    if len(set(digests.values())) < len(digests):
        return f"of {len(digests)} variants only {len(set(digests.values()))} have a digest of their own"
    if digests != {variant: adapter.digest(variant) for variant in adapter.variants}:
        return "a digest differs from one time to the next"
    asked: dict[str, Callable[[], object]] = {
        "digest": lambda: adapter.digest(UNKNOWN),
        "render": lambda: adapter.render(Question(GARDEN, _view(adapter), UNKNOWN)),
    }
    taken = [name for name, ask in asked.items() if not _is_refused(ask)]
    return f"{taken[0]}() takes the variant '{UNKNOWN}', which it does not have" if taken else ""


def has_sound_patterns(adapter: Adapter) -> str:
    """Complain about a pattern of answers that is no regular expression, or that lets an empty answer pass."""
    for variant in adapter.variants:
        try:
            fits_nothing = re.compile(adapter.pattern(variant)).fullmatch("") is not None
        except re.error as error:
            return f"the pattern of '{variant}' is no regular expression: {error}"
        if adapter.pattern(variant) and fits_nothing:
            return f"the pattern of '{variant}' lets an empty answer pass"
    return ""


def _is_refused(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except ConfigError:
        return True
    return False


def _prompts(adapter: Adapter, game: Game, past: tuple[Step, ...]) -> Iterator[tuple[str, Prompt]]:
    for variant in adapter.variants:
        yield variant, _prompt(adapter, variant, game, past)


def _prompt(adapter: Adapter, variant: str, game: Game, past: tuple[Step, ...]) -> Prompt:
    return adapter.render(Question(game, _view(adapter), variant, past))


def _view(adapter: Adapter) -> View:
    return View((1280, 720), (1280, 720), adapter.space)


def _text(prompt: Prompt) -> str:
    return prompt.system + "\n" + "".join(part for part in prompt.user if isinstance(part, str))


def _end(text: str) -> str:
    return repr(text[-30:])


def _common(one: str, other: str) -> str:
    """Return the beginning that two texts share."""
    return "".join(pair[0] for pair in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
