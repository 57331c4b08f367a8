"""What a fake server can do with a request: answer like a model, or fail in one of the ways real servers fail."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct


class Say(Struct, frozen=True):
    """Answer as a model would, after the time the simulated engine takes for it."""

    text: str
    tokens: int | None = None
    """How many the engine has to make; by default as many as the text is likely to have."""
    finish_reason: str = ""
    """By default "length" if the request's `max_tokens` cut the text off, else "stop"."""
    usage: dict[str, Any] = {}
    """What to say about the cost instead of the truth."""
    headers: tuple[tuple[str, str], ...] = ()


class Reply(Struct, frozen=True):
    """Answer at once with exactly this."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


class Drop(Struct, frozen=True):
    """Hang up."""


class Hang(Struct, frozen=True):
    """Never answer, and never hang up."""


class Trickle(Struct, frozen=True):
    """Send a byte now and then, each in time, the whole never."""


class Die(Struct, frozen=True):
    """End the whole process as an engine does that ran out of memory."""


Behaviour: TypeAlias = Say | Reply | Drop | Hang | Trickle | Die

GARBAGE = Reply(body=b"<html><body>Welcome to nginx!</body></html>")
RANDOM_BYTES = Say("".join(chr(33 + (37 * n * n + 11 * n) % 900) for n in range(400)))
ENDLESS_THOUGHT = Say("<think>" + "But wait, what if the door is not a door? " * 2000)
MEGABYTE = Say("Action " * 150_000, tokens=512)
