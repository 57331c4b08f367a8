"""Python environments for games: one per set of exact requirements, shared by all games that ask for the same set."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playsuite.catalog.clients import one_line, run, uv
from playsuite.catalog.locks import exclusive
from playsuite.core.errors import ConfigError
from playsuite.core.records import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from playsuite.core.home import Home

LONGEST_BUILD_S = 1200.0
"""Wall seconds to wait for another process that builds the same environment."""
LONGEST_CHECK_S = 120.0
PIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9][A-Za-z0-9._+!-]*")
WHICH_PYGAME = "import pygame; print('pygame-ce' if getattr(pygame, 'IS_CE', False) else 'pygame')"


def ensure_environment(home: Home, requirements: Sequence[str]) -> Path:
    """Return the interpreter of an environment with exactly `requirements`, building it if it is not there yet.

    Raises:
        ConfigError: a requirement is no exact pin, has no wheel, or the result does not import the pygame asked for.
        WaitTimeoutError: another process has been building it for too long.
    """
    pins = _checked(requirements)
    folder = home.environment(digest([*pins, _python_tag()]))
    python = folder / "bin" / "python"
    if python.exists():
        return python
    with exclusive(folder.with_suffix(".lock"), seconds=LONGEST_BUILD_S):
        if not python.exists():
            _build(folder, pins)
    return python


def _checked(requirements: Iterable[str]) -> list[str]:
    pins = sorted(set(requirements))
    for pin in pins:
        if not PIN.fullmatch(pin):
            raise ConfigError(f"requirement '{pin}' is no exact pin. Write it as name==version")
    return pins


def _python_tag() -> str:
    """An environment of another Python, or of the same one elsewhere, is another environment."""
    return f"{sys.version_info.major}.{sys.version_info.minor} {sys.base_prefix}"


def _build(folder: Path, pins: Sequence[str]) -> None:
    # Built beside its place and renamed at the end, so that an environment that exists is complete.
    with tempfile.TemporaryDirectory(prefix=".building-", dir=folder.parent) as temporary:
        place = Path(temporary) / "environment"
        run(
            [uv(), "venv", "--quiet", "--relocatable", "--python", sys.executable, str(place)],
            doing="making an environment",
        )
        python = place / "bin" / "python"
        if pins:
            # --no-deps: several game libraries depend on `pygame` by name and would overwrite pygame-ce.
            # Wheels only: building from source would run the package's own code outside the sandbox.
            command = [
                uv(),
                "pip",
                "install",
                "--quiet",
                "--no-deps",
                "--only-binary",
                ":all:",
                "--python",
                str(python),
            ]
            run([*command, *pins], doing=f"installing {', '.join(pins)}")
        _check_pygame(python, pins)
        shutil.rmtree(folder, ignore_errors=True)
        place.rename(folder)


def _check_pygame(python: Path, pins: Sequence[str]) -> None:
    """Ask which pygame it is: the two packages share one folder, and the later one wins without a word."""
    wanted = [pin.partition("==")[0] for pin in pins if pin.startswith(("pygame==", "pygame-ce=="))]
    if not wanted:
        return
    if len(wanted) > 1:
        raise ConfigError("an environment cannot hold both pygame and pygame-ce. Name one of them")
    quiet = {**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1", "SDL_VIDEODRIVER": "dummy"}
    done = subprocess.run(
        [python, "-I", "-c", WHICH_PYGAME],
        env=quiet,
        capture_output=True,
        text=True,
        timeout=LONGEST_CHECK_S,
        check=False,
    )
    if (came := done.stdout.strip()) != wanted[0]:
        raise ConfigError(
            f"the environment for {', '.join(pins)} should import {wanted[0]}, but imports "
            f"{came or 'nothing: ' + one_line(done.stderr)}. Leave out the requirement that brings it"
        )
