"""The first thing that runs in the game's process: install the hooks, then start the game.

Run as a script, by the game's own interpreter, with the number of the host's socket as its only argument.
"""

from __future__ import annotations

import os
import sys
import traceback
from types import ModuleType

PACKAGE = "playsuite.runtimes.pygame"


def main() -> None:
    """Set the stage and play."""
    at_start = frozenset(sys.modules)
    socket_fd = int(sys.argv[1])
    folder = sys.path.pop(0)  # This folder: its names must not stand in the way of the game's.
    mount(os.path.dirname(folder))  # noqa: PTH120 pathlib would be imported before the game's own modules are known
    from playsuite.runtimes.pygame.guest.stage import play

    play(socket_fd, at_start)


def mount(folder: str) -> None:
    """Make this package importable under its full name, without the parts of PlaySuite that need its dependencies."""
    name = ""
    for part in PACKAGE.split("."):
        name = f"{name}.{part}".strip(".")
        module = ModuleType(name)
        module.__path__ = []
        sys.modules[name] = module
    sys.modules[PACKAGE].__path__ = [folder]


if __name__ == "__main__":
    try:
        main()
    except BaseException:  # noqa: BLE001 the host reads the reason from the log
        traceback.print_exc()
        os._exit(70)
