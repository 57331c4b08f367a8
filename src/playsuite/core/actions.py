"""What an agent can do: six actions, in pixels of the frame it was shown. No drag, as in the paper (A.6)."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Button(StrEnum):
    """A mouse button."""

    LEFT = "left"
    RIGHT = "right"
    MIDDLE = "middle"


class Press(Struct, frozen=True, tag="press"):
    """Tap one key, or a chord of keys together."""

    keys: tuple[str, ...]
    """Canonical key names (`core.keys`), pressed in this order."""


class Hold(Struct, frozen=True, tag="hold"):
    """Keep keys down for a time."""

    keys: tuple[str, ...]
    seconds: float


class Move(Struct, frozen=True, tag="move"):
    """Move the pointer to (x, y), or by (x, y) if `relative`, spread over `seconds`."""

    x: float
    y: float
    relative: bool = False
    seconds: float = 0.0


class Click(Struct, frozen=True, tag="click"):
    """Click `count` times at (x, y)."""

    x: float
    y: float
    button: Button = Button.LEFT
    count: int = 1


class Scroll(Struct, frozen=True, tag="scroll"):
    """Turn the wheel; positive notches scroll up."""

    notches: int


class Wait(Struct, frozen=True, tag="wait"):
    """Do nothing for one step."""


Action = Press | Hold | Move | Click | Scroll | Wait


class EventKind(StrEnum):
    """What an input event does."""

    KEY_DOWN = "key_down"
    KEY_UP = "key_up"
    POINTER_TO = "pointer_to"
    POINTER_BY = "pointer_by"
    BUTTON_DOWN = "button_down"
    BUTTON_UP = "button_up"
    WHEEL = "wheel"


class InputEvent(Struct, frozen=True, omit_defaults=True):
    """One input at an exact game time. Only `lower` makes these; every runtime injects the same list."""

    at: float
    """Seconds after the beginning of the step."""
    kind: EventKind
    key: str = ""
    """Canonical key name, for the two key kinds."""
    button: Button = Button.LEFT
    x: float = 0.0
    """Pixels of the frame (POINTER_TO), or pixels to move by (POINTER_BY)."""
    y: float = 0.0
    notches: int = 0
    """Wheel notches, positive is up (WHEEL)."""
    seat: int = 0


class ParseStatus(StrEnum):
    """How well a model's answer could be read; counted per model in every report."""

    OK = "ok"
    REPAIRED = "repaired"
    PARTIAL = "partial"
    NO_ACTION = "no_action"
    INVALID = "invalid"
    TRUNCATED = "truncated"


class Parsed(Struct, frozen=True):
    """The actions found in an answer, and what had to be repaired, cut or refused on the way."""

    actions: tuple[Action, ...]
    status: ParseStatus = ParseStatus.OK
    notes: tuple[str, ...] = ()


class Answer(Struct, frozen=True):
    """An answer taken apart."""

    parsed: Parsed
    observation: str = ""
    """The model's own words for what it saw."""
    reasoning: str = ""
