"""Find out why a game failed, and say it in one line."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from playsuite.core.errors import GameError
from playsuite.core.wait import WaitTimeoutError, until

if TYPE_CHECKING:
    from playsuite.runtimes.sandbox import BoundedLog, Boxed

LAST_LINES = 3
LONGEST_LINE = 200
"""Of the log, and how much of each is worth telling, in characters."""
TRACE_LINES = 100
FATAL = "Fatal Python error"
"""Begins what the interpreter prints when native code dies; many lines without a reason follow."""
EXIT_SECONDS = 5.0
"""Wall seconds between the end of a process's connection and its own end."""

HINTS = {
    "No module named 'tkinter'": "tkinter needs a screen, which the pygame runtime has not",
    "no display name and no $DISPLAY": "tkinter needs a screen, which the pygame runtime has not",
    "OpenGL is not available": "the game draws with OpenGL, which needs another runtime",
    "Read-only file system": "it writes beside itself: set 'writable' in its manifest",
    "No space left on device": "it filled the disk space it may use",
    "Resource temporarily unavailable": "it runs as many processes and threads at once as it may",
    "MemoryError": "it asked for more memory than it may use",
    "No module named": "a requirement is missing from its row in the catalog",
}


class DiagnosedError(GameError):
    """An error that already says everything there is to say."""


class Autopsy:
    """Knows the box and the log of one game. Each method ends the game and returns the error to raise."""

    def __init__(self, boxed: Boxed, log: BoundedLog) -> None:
        self._boxed = boxed
        self._log = log
        self.sandbox = boxed.kind

    def hung(self, waiting_for: str, seconds: float) -> GameError:
        """Explain a game that did not answer."""
        return self._end(f"the game hung: waited {seconds:g} s for {waiting_for}, which did not come")

    def failed(self, seconds: float, code: int, error: str) -> GameError:
        """Explain a game that told of its own end."""
        where = f"the game failed after {seconds:.2f} game s"
        if error:
            # The end of the log is the trace of this very error.
            return self._end(f"{where}: {error}", quote=False)
        return self._end(f"{where}: it ended with exit code {code}")

    def broke(self, error: GameError) -> GameError:
        """Explain a game that sent nonsense."""
        return error if isinstance(error, DiagnosedError) else self._end(str(error))

    def died(self) -> GameError:
        """Explain a game whose process is gone without a word."""
        try:
            until(lambda: self._boxed.poll() is not None, timeout=EXIT_SECONDS, waiting_for="the end of its process")
        except WaitTimeoutError:
            return self._end("the game closed its connection to the runtime")
        return self._end(f"the game's process died: {_cause(self._boxed.poll() or 0)}")

    def _end(self, what: str, *, quote: bool = True) -> GameError:
        self._boxed.kill()
        self._log.close()
        limit = self._boxed.verdict() or self._log.verdict()
        lines = _telling(self._log.tail(TRACE_LINES).splitlines())
        hint = next((hint for sign, hint in HINTS.items() if any(sign in line for line in (what, *lines))), "")
        told = [line for line in lines if line not in what]
        last_words = f"Its last words: {' | '.join(told)}" if told and quote else ""
        return DiagnosedError(". ".join(filter(None, [f"{what}; {limit}" if limit else what, hint, last_words])))


def _telling(log: list[str]) -> list[str]:
    """Return the few lines of a log that say most about its end."""
    fatal = [line for line in log if line.startswith(FATAL)]
    return fatal[-1:] or [line.strip() for line in log if line.strip()][-LAST_LINES:]


def _cause(code: int) -> str:
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
