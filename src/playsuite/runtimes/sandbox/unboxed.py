"""Run a trusted program where no box can be had: the same command, in the host's paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from playsuite.runtimes.sandbox.box import HOME, Bind, Box

if TYPE_CHECKING:
    from pathlib import Path


def unboxed(box: Box, home: Path) -> Box:
    """Return `box` with every path of the box in its command and environment replaced by the host's."""
    places = (*box.binds, Bind(home, HOME))
    return replace(
        box,
        argv=tuple(outside(word, places) for word in box.argv),
        chdir=outside(box.chdir, places),
        env={key: outside(value, places) for key, value in {"HOME": HOME, **box.env}.items()},
    )


def outside(text: str, places: tuple[Bind, ...]) -> str:
    """Translate a path of the box, or a list of them with colons, into the host's; leave other text as it is."""
    return ":".join(_one(part, places) for part in text.split(":"))


def _one(text: str, places: tuple[Bind, ...]) -> str:
    inner_first = sorted(places, key=lambda bind: len(bind.target), reverse=True)
    for bind in inner_first:
        if text == bind.target or text.startswith(f"{bind.target}/"):
            return f"{bind.source}{text.removeprefix(bind.target)}"
    return text
