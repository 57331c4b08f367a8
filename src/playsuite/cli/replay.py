"""`playsuite replay`: play recorded actions again and check that every frame is the same."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 the command line reads it from the signature
from typing import TYPE_CHECKING

from playsuite.core.errors import ConfigError, PlaySuiteError
from playsuite.core.home import Home
from playsuite.core.store import Run, locate_episode

if TYPE_CHECKING:
    from playsuite.play.compare import Difference
    from playsuite.play.replay import Replayed

SAME, DIFFERENT = 0, 1
MOST_FPS = 240


def replay(path: Path, *, film: Path | None = None, fps: float = 30.0, trust: bool = False) -> int:
    """Play an episode again, action by action, and name the first frame that differs.

    Of a run, every episode is played again, also after one that cannot be. Exit code 1: one differs or cannot be.

    Parameters
    ----------
    path
        Folder of an episode, RUN/KEY with a shortened key, or a run for all its episodes.
    film
        Write a film of the replay to this file; for a single episode.
    fps
        Frames a game second of that film.
    trust
        Let a game marked as trusted run without a sandbox where none is possible.
    """
    if not 0 < fps <= MOST_FPS:
        raise ConfigError(f"--fps {fps:g}: give a number above 0 and up to {MOST_FPS}")
    run, keys = _episodes(path)
    if film is not None and len(keys) != 1:
        raise ConfigError(f"a film shows one episode, and '{path}' has {len(keys)}. Name one: {path}/KEY")
    same = [_is_same(run, key, film=film, fps=fps, trust=trust) for key in keys]
    return SAME if all(same) else DIFFERENT


def _is_same(run: Run, key: str, *, film: Path | None, fps: float, trust: bool) -> bool:
    """Replay one episode and say what came of it; one that cannot be replayed leaves the others alone."""
    from playsuite.play.episode import order_of
    from playsuite.play.replay import film_again, replay

    try:
        order = order_of(run, key, Home.here(), trust=trust)
        replayed = replay(run, order)
        print(_line(replayed))  # noqa: T201 data go to stdout
        if film is not None:
            film_again(run, order, film, fps=fps)
    except PlaySuiteError as error:
        print(f"{key[:12]} {run.item(key).game}: fault of the {error.boundary}: {error}")  # noqa: T201
        return False
    return replayed.difference is None


def _episodes(path: Path) -> tuple[Run, list[str]]:
    try:
        run = Run.open(path)
    except ConfigError:  # not a run, so an episode of one
        run, key = locate_episode(path)
        return run, [key]
    return run, [item.key for item in run.plan if run.is_finished(item.key)]


def _line(replayed: Replayed) -> str:
    place = f"{replayed.key[:12]} {replayed.game}"
    if replayed.difference is not None:
        return f"{place}: {_told(replayed.difference)}"
    if not replayed.frames:
        return f"{place}: nothing to compare, its fault came before the first frame"
    return f"{place}: identical, {replayed.frames} frames"


def _told(first: Difference) -> str:
    return (
        f"{first.frame} differs, at {first.t:.3f} s: recorded {first.recorded or 'none'}, "
        f"replayed {first.replayed or 'none'}"
    )
