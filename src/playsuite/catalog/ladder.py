"""The rungs a pygame game is tried on, and a short trial that says whether it starts and survives input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from playsuite.core.actions import Action, Click, Hold, Press
from playsuite.core.errors import GameError
from playsuite.core.lower import lower
from playsuite.core.protocols import Launch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playsuite.core.home import Installed
    from playsuite.core.protocols import Observation, Runtime
    from playsuite.core.records import Game

PYGAME_CE, PYGAME, NUMPY = "pygame-ce==2.5.8", "pygame==2.6.1", "numpy==1.26.4"
"""numpy 2 breaks games that rely on unsigned arithmetic wrapping around."""
TRIAL_S = 12.0
"""Game seconds a trial lasts: enough to leave a title screen and to crash on the first key."""
STEP_S = 1.0


class Rung(Struct, frozen=True):
    """One set-up, as what it changes in a game's row."""

    name: str
    pygame: str = PYGAME_CE
    manifest: dict[str, Any] = {}


LADDER = (
    Rung("plain"),
    Rung("compat", manifest={"compat": True}),
    Rung("pygame", pygame=PYGAME),
    Rung("writable", manifest={"writable": True}),
)
"""From the set-up that changes nothing to those that change more; the first that works is kept."""


def on_rung(game: Game, rung: Rung) -> Game:
    """Return the row of `game` as set up on `rung`."""
    others = tuple(pin for pin in game.requirements if not pin.startswith(("pygame==", "pygame-ce==", "numpy==")))
    return replace(
        game,
        requirements=(rung.pygame, NUMPY, *others),
        manifest={**game.manifest, **rung.manifest},
    )


def trial(installed: Installed, runtime: Runtime) -> None:
    """Start a game and give it a bit of every kind of input.

    Raises:
        GameError: it did not start, crashed, hung, or was over before it began.
        SandboxError: no game may run here.
    """
    launch = Launch(game=installed.game, folder=installed.folder, python=installed.python)
    with runtime(launch) as session:
        seen = session.observe()
        if seen.over:
            raise GameError("it ended before anything was played")
        for action in _probes(seen):
            if seen.over:
                return
            events, needed = lower([action])
            seen = session.step(events, max(STEP_S, needed))


def _probes(first: Observation) -> Iterator[Action]:
    height, width, _ = first.frame.shape
    tries: tuple[Action, ...] = (
        Press(("enter",)),
        Press(("space",)),
        Click(width / 2, height / 2),
        Hold(("right",), 0.5),
        Hold(("left",), 0.5),
        Press(("up",)),
        Press(("down",)),
        Hold(("d",), 0.5),
        Press(("a",)),
        Press(("z",)),
        Press(("x",)),
        Click(width / 2, height * 0.75),
    )
    yield from tries[: int(TRIAL_S / STEP_S)]
