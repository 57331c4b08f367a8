"""The package clients of this machine, run as a person would run them: by name, with a deadline, errors in one line."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from playsuite.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LONGEST_COMMAND_S = 900.0
"""Wall seconds a package client may take."""
ERROR_LENGTH = 300
"""Characters of a client's own message that are worth repeating."""


def uv() -> str:
    """Return the path of the `uv` that came with this installation.

    Raises:
        ConfigError: it did not come.
    """
    try:
        from uv import find_uv_bin

        return find_uv_bin()
    except (ImportError, FileNotFoundError) as error:
        raise ConfigError(
            "installing games needs uv, which is not here. Install it: pip install 'playsuite[pygame]'"
        ) from error


def run(command: Sequence[str], *, doing: str, cwd: Path | None = None, given: str | None = None) -> str:
    """Run a package client and return what it printed.

    Raises:
        ConfigError: it is not on this machine, failed, or took longer than `LONGEST_COMMAND_S`.
    """
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            input=given,
            stdin=None if given is not None else subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LONGEST_COMMAND_S,
            check=True,
        )
    except FileNotFoundError:
        raise ConfigError(f"{doing}: needs the command '{command[0]}', which this machine does not have") from None
    except subprocess.TimeoutExpired:
        raise ConfigError(f"{doing}: no answer within {LONGEST_COMMAND_S:g} s. Try again") from None
    except subprocess.CalledProcessError as error:
        raise ConfigError(f"{doing}: {one_line(error.stderr)}") from None
    return done.stdout


def one_line(message: str) -> str:
    """Return the gist of a client's message in one line.

    The end counts: clients report progress first and the reason last.
    """
    words = " ".join(message.split())
    return words if len(words) <= ERROR_LENGTH else f"... {words[-ERROR_LENGTH:]}"
