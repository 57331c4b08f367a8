"""`playsuite show-prompt`: what a model would be told about a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playsuite.core.records import Step

Variant = Literal["general", "strategy", "few_shot"]


def show_prompt(
    game: str, *, prompt: Variant = "general", history: int = 0, width: int = 1280, height: int = 720
) -> None:
    """Print what a model is sent about an installed game.

    Args:
        game: Id of an installed game.
        prompt: Prompt variant.
        history: Past steps to remember; the ones shown are made up.
        width: Width of the picture in pixels.
        height: Height of the picture in pixels.
    """
    from playsuite.agents.prompt import prompt_digest, render
    from playsuite.core.home import Home

    record = Home.here().installed(game).game
    shown = render(record, _past(history), variant=prompt, width=width, height=height)
    for title, text in (("system", shown.system), ("user", shown.user), ("image", f"JPEG, {width}x{height} pixels")):
        print(f"--- {title}\n{text}")  # noqa: T201 this is what the command is for
    print(f"--- digest\n{prompt_digest(prompt)}")  # noqa: T201


def _past(steps: int) -> list[Step]:
    """Make up a past, to show its form."""
    from playsuite.core.actions import Press
    from playsuite.core.records import Step, Turn

    turn = Turn((Press(("right",)),), observation="(what the model wrote after 'Observation:')")
    return [Step(index, 3.0 * index, 15 * index, turn) for index in range(steps)]
