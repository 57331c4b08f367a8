"""A process that judges one episode after the other: a judge that crashes or hangs costs one verdict, not the run."""

from __future__ import annotations

import signal
import time
from multiprocessing import get_context
from typing import TYPE_CHECKING

from playsuite.core.errors import ConfigError, JudgeError, PlaySuiteError, boundary
from playsuite.core.plugins import load
from playsuite.core.records import Episode, Fault, Verdict
from playsuite.core.store import Run

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

    from playsuite.core.protocols import Judge

LEAVING_S = 5.0


class Watcher:
    """The parent's end of one such process. A context manager; closing it twice is fine."""

    def __init__(self, run: Path, plugin: str, *, longest_s: float) -> None:
        """Start the process, which ends with its parent; a verdict may take `longest_s` wall seconds."""
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, run, plugin), daemon=True)
        self._process.start()
        theirs.close()
        self._longest_s, self._deadline = longest_s, float("inf")

    def ask(self, key: str) -> None:
        """Have an episode judged; the answer is there when `connection` is ready."""
        self._deadline = time.monotonic() + self._longest_s
        try:
            self.connection.send(key)
        except BrokenPipeError:  # it died while idle; `answer` will say so
            return

    def answer(self) -> Verdict:
        """Return the verdict that was asked for.

        Raises:
            JudgeError: the process died or was ended for taking too long.
            ConfigError: the judge cannot work here at all.
        """
        overdue = time.monotonic() > self._deadline
        try:
            said: Verdict | Fault = self.connection.recv()
        except (EOFError, ConnectionResetError):
            self.close()
            how = f"took more than {self._longest_s:g} s" if overdue else f"died (exit code {self._process.exitcode})"
            raise JudgeError(f"the judge's process {how}; run the command again to try once more") from None
        if isinstance(said, Fault):
            raise ConfigError(said.message)
        return said

    def end_if_overdue(self) -> None:
        """Kill the process if its answer is overdue."""
        if time.monotonic() > self._deadline:
            self._process.kill()

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self.connection.close()
        self._process.terminate()
        self._process.join(LEAVING_S)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join(LEAVING_S)


def _serve(connection: Connection, folder: Path, plugin: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    run, judge = Run.open(folder), load("judges", plugin)()
    try:
        while True:
            connection.send(verdict_on(run, connection.recv(), judge))
    except (EOFError, BrokenPipeError):  # the parent is gone
        return
    except ConfigError as error:
        connection.send(Fault(error.boundary, str(error)))


def verdict_on(run: Run, key: str, judge: Judge) -> Verdict:
    """Judge one episode; whatever fails becomes a fault, never a level.

    Raises:
        ConfigError: the judge lacks something that no episode could do without.
    """
    try:
        with boundary(JudgeError, f"judging episode {key}"):
            files = run.load_episode(key)
            if files.episode.fault is not None:
                return faulted(files.episode, judge.name, files.episode.fault)
            return judge.watch(run.games[files.episode.game], files)
    except ConfigError:
        raise
    except PlaySuiteError as error:
        return faulted(run.header(key), judge.name, Fault(error.boundary, str(error)))


def faulted(episode: Episode, judge: str, fault: Fault) -> Verdict:
    """Return the verdict on an episode that cannot be judged."""
    return Verdict(key=episode.key, game=episode.game, judge=judge, level=None, milestones=None, fault=fault)
