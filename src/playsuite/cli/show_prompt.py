"""`playsuite show-prompt`: exactly what a model would be sent about a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playsuite.core.protocols import Prompt
    from playsuite.core.records import Step


def show_prompt(
    game: str,
    *,
    model: str = "server:any",
    prompt: str = "general",
    history: int = 0,
    history_images: bool = False,
    width: int = 1280,
    height: int = 720,
) -> None:
    """Print what a model is sent about an installed game.

    Args:
        game: Id of an installed game.
        model: A preset, PROVIDER:NAME or FILE.toml; without it, any model that has no format of its own.
        prompt: Prompt variant.
        history: Past steps to remember; the ones shown are made up.
        history_images: Show their pictures too.
        width: Width of the game's frame in pixels.
        height: Height of the game's frame in pixels.
    """
    from playsuite.agents.model import request_fields, view_of
    from playsuite.agents.presets import find
    from playsuite.core.home import Home
    from playsuite.core.plugins import load
    from playsuite.core.protocols import AgentSetup, Question

    record, row = Home.here().installed(game).game, find(model).model
    adapter, setup = load("adapters", row.adapter), AgentSetup(model=row, prompt=prompt)
    view = view_of(row, adapter, (width, height), max_width=setup.frame_width, max_height=setup.frame_height)
    past = _past(history)
    shown = tuple(step.index for step in past) if history_images else ()
    asked = adapter.render(Question(record, view, prompt, past, shown))
    _print(asked, view.picture)
    print("--- request")  # noqa: T201 this is what the command is for
    for name, value in request_fields(setup, adapter).items():
        print(f"{name} = {value}")  # noqa: T201
    print(f"--- digest\n{adapter.digest(prompt)}")  # noqa: T201


def _print(asked: Prompt, size: tuple[int, int]) -> None:
    if asked.system:
        print(f"--- system\n{asked.system}")  # noqa: T201
    print("--- user")  # noqa: T201
    for part in asked.user:
        if isinstance(part, str):
            print(part)  # noqa: T201
        else:
            whose = "" if part.step is None else f" of step {part.step}"
            print(f"[picture{whose}: JPEG, {size[0]}x{size[1]} pixels]")  # noqa: T201


def _past(steps: int) -> tuple[Step, ...]:
    """Make up a past, to show its form."""
    from playsuite.core.actions import Click, Press
    from playsuite.core.records import Step, Turn

    saw = "(what the model said it saw)"
    did = (Turn((Press(("right",)),), observation=saw), Turn((Click(320, 180),), observation=saw))
    return tuple(Step(index, 3.0 * index, 15 * index, did[index % 2]) for index in range(steps))
