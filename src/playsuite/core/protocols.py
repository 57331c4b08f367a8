"""The seams. A plug-in inherits from nothing; it only has these methods."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from playsuite.core.points import Space, View
from playsuite.core.records import ClockReport, Episode, FramePolicy, Game, Model, Step, Turn, Twin, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from playsuite.core.actions import Action, Answer, InputEvent

Frame = NDArray[np.uint8]
"""RGB pixels, shape (height, width, 3), C-contiguous."""


class Observation(Struct, frozen=True):
    """What a seat sees between two steps. Lives in memory only."""

    frame: Frame
    t: float
    """Game seconds since the first frame."""
    index: int
    """How many film frames were taken up to now, this one excluded."""
    over: bool = False
    """The game ended by its own rules; the frame is its last one."""
    frames: int = 0
    """Frames the game has drawn so far."""


class FrameSink(Protocol):
    """Takes the film frames that fall inside a step, stamped in game time."""

    fps: float

    def add(self, t: float, frame: Frame) -> None:
        """Take one frame at `t` game seconds. The array is only valid during the call."""
        ...


class Limits(Struct, frozen=True):
    """What a game may use before it is ended and becomes a fault."""

    first_frame_seconds: float = 60.0
    """Wall seconds until the first frame."""
    step_seconds: float = 30.0
    """Wall seconds a step may take at least; long steps get more, in proportion to their game seconds."""
    memory_mb: int = 2048
    processes: int = 64
    disk_mb: int = 128
    """In each of the writable places: home, /tmp, /dev/shm."""
    log_mb: int = 4
    """Of what the game prints and that is kept; the rest is dropped, and said so."""
    output_mb: int = 256
    """Of what the game prints in all; then nobody listens any more, which ends it."""


class Launch(Struct, frozen=True):
    """How a game is to be started."""

    game: Game
    folder: Path
    """Where its files are installed; never written to."""
    python: Path | None = None
    """Interpreter of the game's own environment, for Python games."""
    seed: int = 0
    frame_policy: FramePolicy = FramePolicy.NATIVE
    limits: Limits = field(default_factory=Limits)
    log: Path | None = None
    """Where the game's own output goes."""
    trust: bool = False
    """Run without a sandbox if none is possible here."""


class Session(Protocol):
    """A running game, frozen except inside `step`. A context manager; closing it twice is fine."""

    clock: ClockReport

    def observe(self, seat: int = 0) -> Observation:
        """Look at the game as it is now, by capturing afresh; time does not move."""
        ...

    def step(self, events: Sequence[InputEvent], seconds: float) -> Observation:
        """Let the game run for exactly `seconds` game seconds, injecting `events` at their offsets.

        Raises:
            GameError: the game crashed, hung or ran into a limit.
        """
        ...

    def close(self) -> None:
        """End the game and everything it started."""
        ...

    def __enter__(self) -> Session: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Runtime(Protocol):
    """Starts games of one kind. A plug-in of the group `playsuite.runtimes`.

    Its module says `VERSION`, a number that goes up whenever the same game could look or go otherwise than before; it
    is part of every episode's key.
    """

    def __call__(self, launch: Launch, film: FrameSink | None = None) -> Session:
        """Start the game, wait for its first frame and stop there, at t = 0.

        Raises:
            GameError: no first frame came before the deadline.
            SandboxError: the game may not run here.
        """
        ...


class Agent(Protocol):
    """Decides what to do next: a model, a baseline, a replay, a person. One per episode.

    An agent that holds something open (a connection, a process) has a method `close()` besides, which is called when
    its episode is over, however it ended. Its module says `VERSION`, as that of a runtime does.
    """

    def act(self, game: Game, observation: Observation, history: Sequence[Step]) -> Turn:
        """Answer one observation.

        Raises:
            AgentError: no answer can be had (never for an answer that is merely bad).
        """
        ...


class Endpoint(Struct, frozen=True):
    """Where a model is served, and how patiently it is asked: changes no result, so it is no part of a spec."""

    base_url: str = ""
    """`http://HOST:PORT/v1` or `unix:///PATH`; empty where nothing is served."""
    patience_seconds: float = 60.0
    """How long the server may be away or busy before there is no answer; the game stands still meanwhile."""


class AgentSetup(Struct, frozen=True):
    """What an agent plug-in (group `playsuite.agents`, a function `AgentSetup -> Agent`) is made from."""

    seed: int = 0
    rate_hz: float = 0.33
    model: Model | None = None
    prompt: str = "general"
    structured: bool = False
    history_images: bool = False
    frame_width: int = 1280
    frame_height: int = 720
    options: dict[str, str] = {}
    endpoint: Endpoint = Endpoint()
    images: Path | None = None
    """Folder for the exact images sent, if they are to be kept."""


class Shown(Struct, frozen=True):
    """The place of a picture in a prompt."""

    step: int | None = None
    """Index of the past step whose picture it is; None for the frame to be answered."""


class Prompt(Struct, frozen=True):
    """What a model is told: one system message and one of the user, whose parts are texts and pictures in order."""

    system: str
    user: tuple[str | Shown, ...]


class Question(Struct, frozen=True):
    """Everything a prompt is made of."""

    game: Game
    view: View
    variant: str = "general"
    past: tuple[Step, ...] = ()
    """Steps to be remembered, their actions in pixels of the frame."""
    shown: tuple[int, ...] = ()
    """Indices of those among them whose pictures are at hand and to be shown."""


class Adapter(Protocol):
    """How one family of models is told about a game, and how it answers. A plug-in of the group `playsuite.adapters`.

    Pure: no files but its own texts, no state, no clock. Its module says `VERSION`, as that of a runtime does.
    """

    @property
    def space(self) -> Space:
        """What the family counts coordinates in, unless a model's row says otherwise."""
        ...

    @property
    def variants(self) -> tuple[str, ...]:
        """The prompt variants it has."""
        ...

    def render(self, question: Question) -> Prompt:
        """Write the prompt; whatever never changes comes first, so that a server can keep it between requests."""
        ...

    def parse(self, text: str, view: View, *, finish_reason: str = "") -> Answer:
        """Read a model's answer. Total: it never raises; what cannot be read or done leaves a note.

        The actions are in pixels of the frame. `finish_reason` is the server's; "length" says the answer was cut off.
        """
        ...

    def write(self, actions: Sequence[Action], view: View) -> str:
        """Write actions, in pixels of the frame, as this family would say them; `parse` reads it back.

        What the family has no word for is written in the words of the action grammar.
        """
        ...

    def pattern(self, variant: str) -> str:
        """Return a regular expression of well-formed answers, for servers that force one; empty if it has none."""
        ...

    def digest(self, variant: str) -> str:
        """Return the digest of the texts of a variant, for the key of an episode."""
        ...


class EpisodeFiles(Struct, frozen=True):
    """One finished episode as the judge finds it on disk."""

    episode: Episode
    folder: Path
    film: Path
    """The film at its full rate."""
    proxy: Path
    """The same at 1 frame a second and at most 512x288 pixels."""
    steps: tuple[Step, ...]
    twins: tuple[Twin, ...]


class Judge(Protocol):
    """Turns a film into a verdict. A plug-in of the group `playsuite.judges`."""

    name: str

    def watch(self, game: Game, episode: EpisodeFiles) -> Verdict:
        """Watch one episode.

        Raises:
            JudgeError: no verdict can be had; the judge never guesses one.
        """
        ...
