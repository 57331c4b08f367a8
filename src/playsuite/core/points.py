"""Where a model points: one `Point` with an explicit space, and the one place where it becomes pixels of the frame."""

from __future__ import annotations

from enum import StrEnum
from math import isfinite

from msgspec import Struct
from msgspec.structs import replace

from playsuite.core.actions import Action, Click, Move

SLACK = 0.05
"""Share of a space by which a point may miss it and still be moved to its edge; anything farther out is refused."""
DIGITS = 6
"""Decimals of a pixel that are kept: enough for any screen, and few enough for numbers a person can read."""


class Space(StrEnum):
    """What a coordinate is counted in."""

    FRAME = "frame"
    """Pixels of the game's own frame."""
    PICTURE = "picture"
    """Pixels of the picture that was sent, which may have been resized."""
    REL1000 = "rel1000"
    """Thousandths: (1000, 1000) is the lower right corner."""
    REL999 = "rel999"
    """The same, but (999, 999) is the corner: some families count a screen of 1000 pixels from 0."""
    UNIT = "unit"
    """Shares from 0 to 1."""


class Point(Struct, frozen=True):
    """A place on the screen as a model names it."""

    x: float
    y: float
    space: Space
    y_first: bool = False
    """The model named y first, so `x` holds what came first and has still to be swapped."""


class View(Struct, frozen=True):
    """What a model was shown of a frame, and how it speaks of places in it. Sizes are (width, height) in pixels."""

    frame: tuple[int, int]
    picture: tuple[int, int]
    space: Space = Space.PICTURE
    y_first: bool = False

    @property
    def extent(self) -> tuple[float, float]:
        """The coordinates of the lower right corner in this view's space."""
        return extent(self.space, self)

    def point(self, first: float, second: float) -> Point:
        """Return the point a model means by two numbers."""
        return Point(first, second, self.space, self.y_first)

    @classmethod
    def of_frame(cls, width: int, height: int) -> View:
        """Return the view of somebody who sees the frame itself."""
        return cls((width, height), (width, height), Space.FRAME)


class Placed(Struct, frozen=True):
    """A point in pixels of the frame; without one, `note` says why there is none."""

    at: tuple[float, float] | None
    note: str = ""


def extent(space: Space, view: View) -> tuple[float, float]:
    """Return the coordinates of the lower right corner in a space."""
    match space:
        case Space.FRAME:
            return view.frame
        case Space.PICTURE:
            return view.picture
        case Space.REL1000:
            return (1000.0, 1000.0)
        case Space.REL999:
            return (999.0, 999.0)
        case Space.UNIT:
            return (1.0, 1.0)


def place(point: Point, view: View) -> Placed:
    """Return where in the frame a point is: x and y are scaled apart, for a resized picture may change its aspect.

    A near miss is moved to the edge and noted; anything farther out has no place.
    """
    x, y = (point.y, point.x) if point.y_first else (point.x, point.y)
    wide, high = extent(point.space, view)
    if not (_near(x, wide) and _near(y, high)):
        return Placed(None, f"({x:g}, {y:g}) is outside {_named(point.space, view)}")
    (width, height) = view.frame
    at = _fitted(x * width / wide, width), _fitted(y * height / high, height)
    if not (0 <= x <= wide and 0 <= y <= high):
        return Placed(at, f"({x:g}, {y:g}) was moved to the edge of {_named(point.space, view)}")
    if point.space is not Space.UNIT and 0 < x < 1 and 0 < y < 1:
        # Never rescaled in silence: a game may well have something to click in its very corner.
        taken = f"({x:g}, {y:g}) was taken for {_unit(point.space)}"
        return Placed(at, f"{taken}, though it looks like shares of the picture")
    return Placed(at)


def distance(dx: float, dy: float, view: View) -> tuple[float, float]:
    """Return a relative move of a view's space in pixels of the frame."""
    wide, high = view.extent
    (width, height) = view.frame
    dx, dy = (dy, dx) if view.y_first else (dx, dy)
    return round(dx * width / wide, DIGITS), round(dy * height / high, DIGITS)


def told(action: Action, view: View) -> Action:
    """Return an action in the coordinates its model itself uses, for telling it what it did."""
    if not isinstance(action, Click | Move):
        return action
    wide, high = view.extent
    (width, height) = view.frame
    digits = 3 if view.space is Space.UNIT else 0
    x, y = round(action.x * wide / width, digits), round(action.y * high / height, digits)
    return replace(action, x=y, y=x) if view.y_first else replace(action, x=x, y=y)


def _near(value: float, size: float) -> bool:
    return isfinite(value) and -SLACK * size <= value <= (1 + SLACK) * size


def _fitted(value: float, size: int) -> float:
    """Keep a coordinate on the last pixel: the far edge itself belongs to the frame no more."""
    return round(min(max(value, 0.0), size - 1.0), DIGITS)


def _named(space: Space, view: View) -> str:
    wide, high = extent(space, view)
    return f"the picture of {wide:g}x{high:g} {_unit(space)}"


def _unit(space: Space) -> str:
    match space:
        case Space.FRAME | Space.PICTURE:
            return "pixels"
        case Space.REL1000 | Space.REL999:
            return "thousandths"
        case Space.UNIT:
            return "shares"
