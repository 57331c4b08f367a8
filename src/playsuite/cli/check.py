"""`playsuite check`: does a plug-in keep the promises of its kind?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import cyclopts

from playsuite.cli import DONE, WITH_FAULTS
from playsuite.core.errors import ConfigError
from playsuite.core.home import Home
from playsuite.core.plugins import load
from playsuite.core.protocols import Launch
from playsuite.core.records import Game

if TYPE_CHECKING:
    from playsuite.core.home import Installed
    from playsuite.testing.runtime import Check

check = cyclopts.App(name="check", help="Check that a plug-in keeps the promises of its kind.")


@check.command
def runtime(name: str, *, game: str = "", json: bool = False) -> int:
    """Check a runtime: frozen time, exact steps, repeatable frames, a clean end.

    Parameters
    ----------
    name
        The runtime, "pygame" for example.
    game
        Id of an installed game to check it with; without it, the first one installed for this runtime.
    json
        One JSON record a line instead of text.
    """
    from playsuite.testing.runtime import check_runtime

    return _told(check_runtime(load("runtimes", name), _launch(name, game)), json=json)


@check.command
def adapter(name: str, *, json: bool = False) -> int:
    """Check an adapter: any answer is read, nothing is lost, clicks land, prompts are complete.

    Parameters
    ----------
    name
        The adapter, "standard" for example.
    json
        One JSON record a line instead of text.
    """
    from playsuite.testing.adapter import check_adapter

    return _told(check_adapter(load("adapters", name)), json=json)


def _told(results: list[Check], *, json: bool) -> int:
    import msgspec

    for result in results:
        mark = "ok  " if result.ok else "FAIL"
        text = f"{mark}  {result.name}{': ' if result.detail else ''}{result.detail}"
        print(msgspec.json.encode(result).decode() if json else text)  # noqa: T201 data go to stdout
    return DONE if all(result.ok for result in results) else WITH_FAULTS


def _launch(runtime_name: str, game_id: str) -> Launch:
    if runtime_name == "fake" and not game_id:
        fake = Game(id="built-in/fake", title="Fake", runtime="fake", manifest={})
        return Launch(game=fake, folder=Path(), trust=True)
    found = _installed(runtime_name, game_id)
    return Launch(game=found.game, folder=found.folder, python=found.python)


def _installed(runtime_name: str, game_id: str) -> Installed:
    home = Home.here()
    if game_id:
        return home.installed(game_id)
    every = (home.installed(name) for name in home.all_installed())
    fitting = next((found for found in every if found.game.runtime == runtime_name), None)
    if fitting is None:
        raise ConfigError(
            f"no game for the runtime '{runtime_name}' is installed. Install some: playsuite games install"
        )
    return fitting
