"""Everything that is written while an episode is played: steps, film, and the hash of every film frame."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

from playsuite.core.lines import LineWriter
from playsuite.media.record import FilmRecorder
from playsuite.play.witness import Witness

if TYPE_CHECKING:
    from types import TracebackType

    from playsuite.core.protocols import Frame
    from playsuite.core.records import ClockReport, FilmFrame, Step, Turn
    from playsuite.core.store import EpisodeFolder


class Recording:
    """Write an episode as it happens. A context manager; what came before a fault stays readable."""

    def __init__(self, folder: EpisodeFolder, fps: float) -> None:
        """Film at `fps` frames a game second."""
        with ExitStack() as opened:
            self._steps = opened.enter_context(LineWriter(folder.steps, durable=False))
            self._frames = opened.enter_context(LineWriter(folder.frames, durable=False))
            self._film = FilmRecorder(folder.video, folder.proxy, fps=fps)
            self._opened = opened.pop_all()
        self.witness = Witness(fps, self._shoot)
        self.turns: list[Turn] = []
        self.parse: Counter[str] = Counter()
        self.clock: ClockReport | None = None

    def add(self, step: Step) -> None:
        """Write one step; it can be read when this returns."""
        self.turns.append(step.turn)
        self.parse[step.turn.status] += 1
        self._steps.add(step)

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._opened:
            self._film.close(self.witness.last.t if error is None else None)

    def _shoot(self, entry: FilmFrame, frame: Frame) -> None:
        self._frames.add(entry)
        self._film.add(entry.t, frame)
