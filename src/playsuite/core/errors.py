"""Errors say what was wanted, what came and what to do; a `Fault` is an error as data."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator


class PlaySuiteError(Exception):
    """Anything PlaySuite raises on purpose; `boundary` names the side of the harness that failed."""

    boundary = "harness"


class ConfigError(PlaySuiteError):
    """The user asked for something that cannot be: a wrong name, flag, file or a missing package."""

    boundary = "config"


class GameError(PlaySuiteError):
    """The game failed by itself: it crashed, hung, never drew or ran into one of its limits."""

    boundary = "game"


class SandboxError(PlaySuiteError):
    """The sandbox could not be set up, so the game was never started."""

    boundary = "sandbox"


class DriverError(PlaySuiteError):
    """The runtime broke a promise: the clock moved during thinking, or a message made no sense."""

    boundary = "runtime"


class AgentError(PlaySuiteError):
    """The agent could not answer: a dead server, a missed deadline, a refused request."""

    boundary = "agent"


class JudgeError(PlaySuiteError):
    """The judge could not reach a verdict; it never guesses one."""

    boundary = "judge"


class StoreError(PlaySuiteError):
    """A file of a run could not be written or read."""

    boundary = "store"


@contextmanager
def boundary(kind: type[PlaySuiteError], doing: str) -> Generator[None]:
    """Attribute whatever escapes this block to one boundary; typed errors pass through."""
    try:
        yield
    except PlaySuiteError:
        raise
    except Exception as error:
        raise kind(f"{doing}: {type(error).__name__}: {error}") from error
