"""Agents that know beforehand what they will do: a script written by a person, or an earlier episode."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from playsuite.agents.options import refuse_model, refuse_unknown_options
from playsuite.core.actions import ParseStatus, Wait
from playsuite.core.errors import ConfigError
from playsuite.core.grammar import format_actions, parse
from playsuite.core.points import View
from playsuite.core.records import Step, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.protocols import Agent, AgentSetup, Observation
    from playsuite.core.records import Game

VERSION = 1
LARGEST_FRAME_PX = 100_000
"""A script is read before any frame is seen, so its coordinates can only be checked for being sensible."""
LONGEST_HOLD_S = 600.0
MOST_REPEATS = 100_000

_REPEAT = re.compile(r"(.*?)\s+x\s?(\d{1,9})")


def scripted(setup: AgentSetup) -> Agent:
    """Make an agent that follows a script: option `file`, one line of the action grammar a step.

    `line x 3` is done three times; empty lines and lines that begin with `#` are skipped. After the last line it waits.

    Raises:
        ConfigError: no file is named, it cannot be read, or a line is no action.
    """
    refuse_unknown_options(setup, "scripted", "file")
    refuse_model(setup, "scripted")
    return Sequel(read_script(_option(setup, "file", "scripted")))


def replay(setup: AgentSetup) -> Agent:
    """Make an agent that repeats an episode: option `path`, a `steps.jsonl` or the folder that holds one.

    Raises:
        ConfigError: no path is named, or it holds no steps.
    """
    refuse_unknown_options(setup, "replay", "path")
    refuse_model(setup, "replay")
    return Sequel(read_turns(_option(setup, "path", "replay")))


class Sequel:
    """Gives prepared turns one after the other, then waits."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = iter(turns)

    def act(self, game: Game, observation: Observation, history: Sequence[Step]) -> Turn:
        """Answer with the next turn."""
        return next(self._turns, Turn((Wait(),), raw="wait", notes=("the script is over",)))


def read_script(path: Path) -> list[Turn]:
    """Read a script.

    Raises:
        ConfigError: it cannot be read, or names the first line that is no action.
    """
    return [turn for number, line in enumerate(_lines(path), start=1) for turn in _turns(line, f"{path}:{number}")]


def read_turns(path: Path) -> list[Turn]:
    """Read the turns of an episode as they were: only what they cost is forgotten.

    Raises:
        ConfigError: there are none, or they cannot be read.
    """
    file = path / "steps.jsonl" if path.is_dir() else path
    try:
        steps = [msgspec.json.decode(line, type=Step) for line in _lines(file) if line.strip()]
    except msgspec.MsgspecError as error:
        raise ConfigError(f"'{file}' is not the steps of an episode: {error}") from error
    if not steps:
        raise ConfigError(f"'{file}' holds no steps. Name the steps.jsonl of an episode that was played")
    return [Turn(step.turn.actions, raw=step.turn.raw) for step in steps]


def _turns(line: str, place: str) -> list[Turn]:
    text = line.strip()
    if not text or text.startswith("#"):
        return []
    repeated = _REPEAT.fullmatch(text)
    times = int(repeated[2]) if repeated else 1
    if times > MOST_REPEATS:
        raise ConfigError(f"{place}: {times} repeats of one line are more than {MOST_REPEATS}")
    return [_turn(repeated[1] if repeated else text, place)] * times


def _turn(text: str, place: str) -> Turn:
    read = parse(text, View.of_frame(LARGEST_FRAME_PX, LARGEST_FRAME_PX), max_hold_s=LONGEST_HOLD_S).parsed
    if read.status is not ParseStatus.OK:
        raise ConfigError(f"{place}: '{text[:80]}' is no line of the action grammar: {'; '.join(read.notes)}")
    return Turn(read.actions, raw=format_actions(read.actions))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"'{path}' cannot be read: {error}") from error


def _option(setup: AgentSetup, name: str, agent: str) -> Path:
    if not (value := setup.options.get(name)):
        raise ConfigError(f"the agent '{agent}' needs the option '{name}'. Give it: --option {name}=PATH")
    return Path(value).expanduser()
