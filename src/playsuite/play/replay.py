"""Play a recorded episode again, action by action, and compare every frame."""

from __future__ import annotations

from collections import deque
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.errors import AgentError, PlaySuiteError, StoreError, boundary
from playsuite.core.lines import read_lines
from playsuite.core.records import FilmFrame
from playsuite.media.record import FilmRecorder
from playsuite.play.compare import Difference, Trail, first_difference
from playsuite.play.loop import play
from playsuite.play.witness import Witness

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from playsuite.core.protocols import EpisodeFiles, Observation
    from playsuite.core.records import Game, Step, Turn
    from playsuite.core.store import Run
    from playsuite.play.episode import Order


class Replayed(Struct, frozen=True):
    """What came of a replay."""

    key: str
    game: str
    frames: int
    """Film frames compared."""
    difference: Difference | None = None


class RecordingEndedError(AgentError):
    """A replay asked for more turns than were recorded."""


class Recorded:
    """The agent of a replay: gives the recorded turns, whatever it sees."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = iter(turns)

    def act(self, game: Game, observation: Observation, history: Sequence[Step]) -> Turn:
        """Answer with the next recorded turn."""
        for turn in self._turns:
            return turn
        raise RecordingEndedError("the recorded episode ends here, the replay goes on")


def replay(run: Run, order: Order) -> Replayed:
    """Play an episode again and say where it first differs, if it does; a faulted one as far as it was recorded.

    Raises:
        GameError: the game fails now, and did not when the episode was recorded.
        StoreError: the recording cannot be read.
    """
    recorded = run.load_episode(order.item.key)
    original = read_lines(run.episode_folder(order.item.key).frames, FilmFrame)
    whole = recorded.episode.fault is None
    frames: list[FilmFrame] = []
    steps: list[Step] = []
    witness = Witness(run.spec.film_fps, lambda entry, _: frames.append(entry))
    try:
        with closing(_again(order, recorded, witness)) as again:
            for step in again:
                steps.append(step)
                if step.digest != recorded.steps[step.index].digest:
                    whole = False  # so the rest is different too, and need not be played
                    break
    except PlaySuiteError as error:
        if whole and not isinstance(error, RecordingEndedError):
            raise
    difference = first_difference(
        Trail(tuple(original), recorded.steps, recorded.episode.digest if whole else ""),
        Trail(tuple(frames), tuple(steps), witness.digest),
    )
    return Replayed(order.item.key, order.game.id, len(frames), difference)


def film_again(run: Run, order: Order, out: Path, *, fps: float) -> None:
    """Play an episode again and film it at another rate; `out` is there when it is whole, and untouched until then.

    Raises:
        StoreError: the recording cannot be read, or the film not written.
    """
    recorded = run.load_episode(order.item.key)
    with (
        boundary(StoreError, f"writing {out}"),
        TemporaryDirectory(dir=out.absolute().parent, prefix=".film.") as scratch,
    ):
        draft = Path(scratch) / out.name
        with FilmRecorder(draft, Path(scratch) / f"proxy of {out.name}", fps=fps) as film:
            witness = Witness(fps, lambda entry, frame: film.add(entry.t, frame))
            try:
                deque(_again(order, recorded, witness), maxlen=0)
            except PlaySuiteError:
                if recorded.episode.fault is None:
                    raise
        draft.replace(out)


def _again(order: Order, recorded: EpisodeFiles, witness: Witness) -> Generator[Step]:
    with order.launch(witness) as session:
        agent = Recorded([step.turn for step in recorded.steps])
        yield from play(session, order.game, agent, order.spec, witness)
