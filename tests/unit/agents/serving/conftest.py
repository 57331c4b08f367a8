"""A place for an engine, known by its folder, and what is left of the engine."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from playsuite.agents.serving.server import Place


@pytest.fixture
def place() -> Iterator[Place]:
    """A place with a path short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="ps-") as folder:
        yield Place(Path(folder, "s"), Path(folder, "engine.log"))


@pytest.fixture
def processes(place: Place) -> Callable[[], dict[int, list[str]]]:
    """Return the words of all living processes that name the folder of `place`."""
    return lambda: {pid: words for pid, words in all_processes() if str(place.socket.parent) in " ".join(words)}


def all_processes() -> Iterator[tuple[int, list[str]]]:
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            words = (entry / "cmdline").read_text(errors="replace").split("\0")
        except OSError:
            continue  # it has just ended
        yield int(entry.name), words
