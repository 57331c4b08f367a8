"""The event queue: pygame's own, but waiting happens in virtual time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.patch import patch
from playsuite.runtimes.pygame.guest.timeline import MS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playsuite.runtimes.pygame.guest.keyboard import Keyboard
    from playsuite.runtimes.pygame.guest.mouse import Mouse
    from playsuite.runtimes.pygame.guest.pace import Pace
    from playsuite.runtimes.pygame.guest.timeline import Timeline


def poster(pygame: Any) -> Callable[..., None]:
    """Return a function that posts an event of a type with attributes."""
    real_post = pygame.event.post

    def post(kind: int, **attributes: Any) -> None:
        try:
            real_post(pygame.event.Event(kind, attributes))
        except pygame.error:
            # The queue is full (the game has not asked for 65,535 events) or closed: a real key press is lost as well.
            return

    return post


class Queue:
    """The functions of `pygame.event` that take events from the queue."""

    def __init__(self, timeline: Timeline, pace: Pace, keyboard: Keyboard, mouse: Mouse, pygame: Any) -> None:
        self._timeline = timeline
        self._pace = pace
        self._devices = (keyboard, mouse)
        self._nothing = pygame.NOEVENT
        event = pygame.event
        self._get, self._poll, self._pump, self._peek = event.get, event.poll, event.pump, event.peek

    def get(self, *arguments: Any, **named: Any) -> Any:
        """Return all events."""
        self._asked(named)
        return self._get(*arguments, **named)

    def peek(self, *arguments: Any, **named: Any) -> Any:
        """Tell whether events of a type wait."""
        self._asked(named)
        return self._peek(*arguments, **named)

    def poll(self) -> Any:
        """Return the next event or none."""
        self._asked({})
        return self._poll()

    def pump(self) -> None:
        """Only keep the window alive."""
        self._asked({})
        self._pump()

    def wait(self, timeout: int = 0) -> Any:
        """Return the next event as soon as there is one, or none after `timeout` ms."""
        end = self._timeline.now + timeout * MS if timeout > 0 else None
        while (found := self._poll()).type == self._nothing:
            if end is not None and self._timeline.now >= end:
                break
            self._pace.doze(end)
        self._pumped()
        return found

    def _asked(self, named: dict[str, Any]) -> None:
        if named.get("pump", True):
            self._pace.pump()
            self._pumped()

    def _pumped(self) -> None:
        for device in self._devices:
            device.pumped()


def install(queue: Queue, pygame: Any) -> None:
    """Replace the functions that take events from the queue."""
    hooks = {name: getattr(queue, name) for name in ("get", "peek", "poll", "pump", "wait")}
    patch(pygame.event, **hooks)
    if getattr(pygame, "fastevent", None):
        patch(pygame.fastevent, **hooks, init=lambda: None, get_init=lambda: True, post=pygame.event.post)
