"""The flags of `playsuite run`: those that can change a result are the fields of its spec, the others are not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cyclopts import Parameter

from playsuite.core.records import Clock, FramePolicy  # noqa: TC001 the command line reads them from the fields

SAME_NAMES = (
    *("agent", "model", "prompt", "structured", "history", "history_images", "seconds", "seed", "repeats"),
    *("clock", "frame_policy", "twins", "keep_images"),
)
"""Flags called like their field of a spec."""
OF_MODEL = ("revision", "adapter", "temperature", "max_tokens")
"""Flags called like their field of a model or of its sampling."""


@Parameter(name="*")
@dataclass(frozen=True)
class Asked:
    """What can change a result; what is left out is as the spec file or the default says."""

    suite: str | None = None
    """Name of a suite, or a .toml or .jsonl file of games (default: starter)."""
    games: str = ""
    """Only these: ids of installed games, with commas between them."""
    limit: int | None = None
    """Only the first so many games."""
    agent: str | None = None
    """Who plays: idle, random, explorer, scripted, replay, model or a plug-in (default: explorer, or the model)."""
    option: tuple[str, ...] = ()
    """What the agent needs besides, as name=value; can be given several times."""
    model: str | None = None
    """A preset (playsuite models lists them), PROVIDER:NAME, or FILE.toml with a row of your own."""
    revision: str | None = None
    """Commit of the model's checkpoint (default: as its row says)."""
    adapter: str | None = None
    """Prompt and answer format of the model (default: as its row says)."""
    temperature: float | None = None
    """Of the model's sampling (default: 0.5)."""
    max_tokens: int | None = None
    """Tokens of an answer at most (default: 512)."""
    prompt: str | None = None
    """Prompt variant: general, strategy or few_shot (default: general)."""
    structured: bool | None = None
    """Have the server force answers into the form asked for; it changes what is measured."""
    history: int | None = None
    """Past steps the agent is told (default: 0)."""
    history_images: bool | None = None
    """Show it their pictures too."""
    rate: float | None = None
    """Interactions a game second (default: 0.33)."""
    seconds: float | None = None
    """Game seconds an episode lasts (default: 300)."""
    seed: int | None = None
    """Seed of the first repeat; each further one adds 1 (default: 0)."""
    repeats: int | None = None
    """Episodes of each game (default: 1)."""
    clock: Clock | None = None
    """What game time does while the agent thinks (default: paused)."""
    frame_policy: FramePolicy | None = None
    """How long a frame of the game lasts (default: native)."""
    twins: int | None = None
    """Steps of an episode that are played again without their input (default: 4)."""
    keep_images: bool | None = None
    """Keep the exact images the model is sent."""
    spec: Path | None = None
    """A .toml file with any field of a spec; flags come on top of it."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The games asked for by id."""
        return tuple(filter(None, (part.strip() for part in self.games.split(","))))

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a spec that were given, apart from its games and options."""
        return {name: getattr(self, name) for name in SAME_NAMES} | {"rate_hz": self.rate}

    @property
    def of_model(self) -> dict[str, Any]:
        """The fields of a model that were given."""
        return {name: getattr(self, name) for name in OF_MODEL}


@Parameter(name="*")
@dataclass(frozen=True)
class Here:
    """Where and how it is played; changes no result."""

    name: str = ""
    """Name of the run (default: made from suite, agent and spec)."""
    runs_folder: Path = Path("runs")
    """Where runs are kept."""
    workers: int | Literal["auto"] = 1
    """Processes that play at the same time; auto: as many as this machine and the model's server have room for."""
    base_url: str = ""
    """Where the model is served: http://HOST:PORT/v1 or unix:///PATH (default: its provider's, else served here)."""
    gpu: tuple[int, ...] = ()
    """GPU to serve the model on; can be given several times, for as many copies as they are good for (default: all)."""
    patience: float | None = None
    """Seconds a model server may be away before its episode is a fault (default: 60, or 900 if it is served here)."""
    trust: bool = False
    """Let games marked as trusted run without a sandbox where none is possible."""
    retry_faults: bool = False
    """Play once more what ended with a fault."""
    install: bool = False
    """Install what is missing first."""
