"""Obeys the host: the game goes on to the end of a step and then stands still until the next order."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.timeline import BOUNDARY, FILM, INPUT, NS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playsuite.runtimes.pygame.guest.channel import Channel
    from playsuite.runtimes.pygame.guest.display import Screen
    from playsuite.runtimes.pygame.guest.keyboard import Keyboard
    from playsuite.runtimes.pygame.guest.mouse import Mouse
    from playsuite.runtimes.pygame.guest.pace import Pace
    from playsuite.runtimes.pygame.guest.threads import Threads
    from playsuite.runtimes.pygame.guest.timeline import Timeline

OBSERVATION_SLOT = 0
"""The other slots of the shared memory are a ring for the film."""


class Conductor:
    """The guest's side of a session."""

    def __init__(
        self, timeline: Timeline, threads: Threads, pace: Pace, screen: Screen, channel: Channel, *, film_fps: float
    ) -> None:
        self._timeline = timeline
        self._threads = threads
        self._pace = pace
        self._screen = screen
        self._channel = channel
        self._film_fps = film_fps
        self._filmed = 0
        self._free_slots = channel.slots - 1
        self._begin: int | None = None
        self._exit = os._exit
        self._forked = False
        self.keyboard: Keyboard
        self.mouse: Mouse

    def picture(self) -> None:
        """Note a new picture of the game; the first one begins the session, and the game stands still there."""
        self._pace.picture()
        if self._begin is None:
            self._begin = self._timeline.now
            if self._film_fps:
                self._timeline.at(self._begin, self._shoot, FILM)
            self._timeline.at(self._begin, self._park, BOUNDARY)
            self._pace.wait(0)

    def finish(self, code: int, error: str = "") -> None:
        """Tell the host that the game has ended, and end."""
        if self._forked:
            self._exit(code & 0xFF)
        shot = self._screen.capture(OBSERVATION_SLOT)
        self._channel.send(kind="end", code=code, error=error, **self._report(shot))
        self._exit(code & 0xFF)

    def after_fork(self, sleep: Callable[[float], None]) -> None:
        """Leave the stage: a process that the game forked is not the game, and the host must not hear from it."""
        self._forked = True
        self._channel.leave()
        self._timeline.set_free(sleep)

    def _report(self, shot: dict[str, Any] | None) -> dict[str, Any]:
        return {
            "t": self._timeline.now - (self._begin or 0),
            "frames": self._pace.frames,
            "restless": self._threads.restless,
            "shot": shot,
        }

    def _park(self) -> None:
        """Stand still, and look and answer as often as the host asks, until it orders the next step."""
        self._threads.settle()
        self._answer()
        while (order := self._channel.receive())["do"] != "step":
            if order["do"] == "free":
                self._free_slots += 1
            else:
                self._answer()
        self._begin_step(order)

    def _answer(self) -> None:
        self._channel.send(kind="parked", **self._report(self._screen.capture(OBSERVATION_SLOT)))

    def _begin_step(self, order: dict[str, Any]) -> None:
        now = self._timeline.now
        for event in order["events"]:
            self._timeline.at(now + round(event["at"] * NS), partial(self._inject, event), INPUT)
        self._timeline.at((self._begin or 0) + order["until"], self._park, BOUNDARY)

    def _shoot(self) -> None:
        """Film one frame, and arrange for the next."""
        while not self._free_slots:
            self._channel.receive()  # The host says nothing else while a step is under way.
            self._free_slots += 1
        self._free_slots -= 1
        slot = 1 + self._filmed % (self._channel.slots - 1)
        self._channel.send(kind="film", index=self._filmed, shot=self._screen.capture(slot))
        self._filmed += 1
        moment = (self._begin or 0) + round(self._filmed * NS / self._film_fps)
        self._timeline.at(moment, self._shoot, FILM)

    def _inject(self, event: dict[str, Any]) -> None:
        button, x, y = event.get("button", "left"), event.get("x", 0.0), event.get("y", 0.0)
        kind = event["kind"]
        if kind == "key_down":
            self.keyboard.press(event["key"])
        elif kind == "key_up":
            self.keyboard.release(event["key"])
        elif kind == "pointer_to":
            self.mouse.move_to(x, y)
        elif kind == "pointer_by":
            self.mouse.move_by(x, y)
        elif kind == "wheel":
            self.mouse.wheel(event["notches"])
        else:
            self.mouse.button(button, down=kind == "button_down")
