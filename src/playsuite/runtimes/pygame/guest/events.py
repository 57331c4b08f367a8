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


def install(timeline: Timeline, pace: Pace, keyboard: Keyboard, mouse: Mouse, pygame: Any) -> None:
    """Replace the functions that take events from the queue."""
    event = pygame.event
    real = {name: getattr(event, name) for name in ("get", "poll", "pump", "peek")}

    def pumped() -> None:
        pace.pump()
        keyboard.pumped()
        mouse.pumped()

    def get(*arguments: Any, **named: Any) -> Any:
        if named.get("pump", True):
            pumped()
        return real["get"](*arguments, **named)

    def peek(*arguments: Any, **named: Any) -> Any:
        if named.get("pump", True):
            pumped()
        return real["peek"](*arguments, **named)

    def poll() -> Any:
        pumped()
        return real["poll"]()

    def pump() -> None:
        pumped()
        real["pump"]()

    def wait(timeout: int = 0) -> Any:
        end = timeline.now + timeout * MS if timeout > 0 else None
        while (found := real["poll"]()).type == pygame.NOEVENT:
            if end is not None and timeline.now >= end:
                break
            pace.doze(end)
        keyboard.pumped()
        mouse.pumped()
        return found

    hooks = {"get": get, "peek": peek, "poll": poll, "pump": pump, "wait": wait}
    patch(event, **hooks)
    if getattr(pygame, "fastevent", None):
        patch(pygame.fastevent, **hooks, init=lambda: None, get_init=lambda: True, post=event.post)
