"""Build the virtual world around a game, then run the game in it."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest import (
    clocks,
    compat,
    display,
    entropy,
    entry,
    events,
    fonts,
    keyboard,
    mixer,
    mouse,
    stdlib,
    threads,
)
from playsuite.runtimes.pygame.guest.channel import Channel
from playsuite.runtimes.pygame.guest.conductor import Conductor
from playsuite.runtimes.pygame.guest.imports import AfterImport, forget_shadowed
from playsuite.runtimes.pygame.guest.pace import Pace
from playsuite.runtimes.pygame.guest.patch import patch
from playsuite.runtimes.pygame.guest.timeline import Timeline

if TYPE_CHECKING:
    from typing import NoReturn


def play(socket_fd: int, at_start: frozenset[str]) -> None:
    """Install everything, start the game, and tell the host how it ended. `at_start`: modules Python begins with."""
    channel = Channel(socket_fd)
    config = channel.receive()
    conductor = build(config, channel)
    entry.furnish_home(Path.home())
    if config["private_copy"]:
        entry.move_to_copy(config["folder"], config["private_copy"])
    folders = entry.search_path(config["entry"])
    forget_shadowed([Path(folder) for folder in folders], at_start)
    entry.prepare(config["entry"], folders)
    if config["compat"]:
        sys.path.extend(compat.package_folders(Path.cwd()))
    code, error = outcome(config["entry"])
    sys.stdout.flush()
    sys.stderr.flush()
    conductor.finish(code, error)


def build(config: dict[str, Any], channel: Channel) -> Conductor:
    """Replace time, randomness and pygame's view of the world; return who obeys the host."""
    real = stdlib.real_time()
    listdir = os.listdir
    after_import = AfterImport()
    timeline = Timeline()
    others = threads.Threads(timeline, real)
    pace = Pace(timeline, others, config["fixed_hz"])
    channel.share(**config["memory"])
    screen = display.Screen(channel, desktop=tuple(config["desktop"]), at_flip=config["at_flip"])
    conductor = Conductor(timeline, others, pace, screen, channel, film_fps=config["film_fps"])
    threads.VirtualThreading(others, timeline, pace.doze).install()
    stdlib.install(pace, after_import, real)
    entropy.install(config["seed"], after_import)
    if config["compat"]:
        compat.install(after_import, listdir)
    after_import("webbrowser", lambda module: patch(module, open=lambda *_, **__: True))
    pygame = hooked_pygame(timeline, pace, screen, conductor)
    if config["compat"]:
        compat.install_pygame(pygame, listdir)
    patch(os, _exit=lambda status: _leave(conductor, status))
    os.register_at_fork(after_in_child=lambda: conductor.after_fork(vars(real)["sleep"]))
    return conductor


def hooked_pygame(timeline: Timeline, pace: Pace, screen: display.Screen, conductor: Conductor) -> Any:
    """Import pygame and replace whatever touches time, input, sound or the window."""
    import pygame

    post = events.poster(pygame)
    conductor.keyboard = keyboard.Keyboard(timeline, pygame, post)
    conductor.mouse = mouse.Mouse(screen, pygame, post)
    display.install(screen, pygame, conductor.picture)
    keyboard.install(conductor.keyboard, pygame)
    mouse.install(conductor.mouse, pygame)
    events.install(events.Queue(timeline, pace, conductor.keyboard, conductor.mouse, pygame), pygame)
    clocks.install(timeline, pace, pygame)
    mixer.install(timeline, pace, pygame)
    import pygame.sysfont

    fonts.install(pygame.sysfont, pygame)
    return pygame


def outcome(start: dict[str, Any]) -> tuple[int, str]:
    """Run the game; return its exit code and, if it failed, the reason in one line."""
    try:
        entry.run(start["kind"], start["target"])
    except SystemExit as leaving:
        if leaving.code is None or isinstance(leaving.code, int):
            return leaving.code or 0, ""
        return 1, str(leaving.code)
    except BaseException as error:  # noqa: BLE001 the host is told, and the whole trace goes to the log
        traceback.print_exc()
        return 1, traceback.format_exception_only(error)[-1].strip()
    return 0, ""


def _leave(conductor: Conductor, status: int) -> NoReturn:
    conductor.finish(status)
    raise AssertionError("a finished process goes on")
