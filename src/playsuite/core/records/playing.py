"""What is asked of a run, and what comes of it: spec, plan, turns, steps, episodes, twins."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from playsuite.core.actions import Action, ParseStatus, Wait
from playsuite.core.records.content import SCHEMA, digest
from playsuite.core.records.models import Model


class Clock(StrEnum):
    """What game time does while the agent thinks."""

    PAUSED = "paused"
    """It stands still (PDQ)."""
    LATENCY = "latency"
    """It runs on for the time the model took (LCRT)."""


class FramePolicy(StrEnum):
    """How long one frame of the game lasts."""

    NATIVE = "native"
    """As the game asks."""
    FIXED30 = "fixed30"
    """Always 1/30 s, the paper's reading."""


class RunSpec(Struct, frozen=True, kw_only=True):
    """Everything that can change a result, and nothing else."""

    suite: str
    games: tuple[str, ...] = ()
    """Ids to play; empty means the whole suite."""
    agent: str = "explorer"
    """Name of an agent plug-in."""
    agent_options: dict[str, str] = {}
    """What that agent needs besides: a script file's content digest, a trace ..."""
    model: Model | None = None
    """Which model plays, as its row said when the run was made; None for baselines."""
    prompt: str = "general"
    """Prompt variant: "general", "strategy", "few_shot"."""
    told: str = ""
    """Digest of that variant's texts and of the version of the adapter that reads the answers; empty for baselines."""
    structured: bool = False
    """Force answers into the form asked for; off, because it changes what is measured."""
    history: int = 0
    """How many past (observation, action) pairs the agent is told: k in the paper."""
    history_images: bool = False
    """Show the pictures of these steps too. Then between k and 2k - 1 of them, for the sake of the server's cache."""
    rate_hz: float = 0.33
    """Interactions a game second."""
    seconds: float = 300.0
    """Game seconds an episode lasts at most."""
    max_frames: int = 10_000
    """Frames of the game an episode lasts at most."""
    seed: int = 0
    repeats: int = 1
    clock: Clock = Clock.PAUSED
    frame_policy: FramePolicy = FramePolicy.NATIVE
    frame_width: int = 1280
    """Frames are shown to the agent at most this wide and high, in pixels, aspect kept."""
    frame_height: int = 720
    film_fps: float = 5.0
    """Film frames a game second."""
    twins: int = 4
    """Steps an episode is replayed without their input, to see what the input changed."""
    keep_images: bool = False
    """Keep the exact JPEG bytes each model request carried."""

    @property
    def player(self) -> str:
        """What to call whoever plays: the model, else the agent."""
        return self.model.name if self.model is not None else self.agent

    def digest(self) -> str:
        """Return the SHA-256 of the canonical JSON of this spec."""
        return digest(self)


class PlanItem(Struct, frozen=True):
    """One episode to play."""

    key: str
    """Digest of whatever can change the outcome."""
    game: str
    seed: int
    repeat: int


class Usage(Struct, frozen=True):
    """What one answer cost."""

    seconds: float = 0.0
    """Wall seconds the model took, as the server reports it where it does."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0


class Turn(Struct, frozen=True):
    """What an agent said and did in one step."""

    actions: tuple[Action, ...] = (Wait(),)
    raw: str = ""
    status: ParseStatus = ParseStatus.OK
    notes: tuple[str, ...] = ()
    observation: str = ""
    """The agent's own words for what it saw, if it said any."""
    reasoning: str = ""
    usage: Usage = Usage()


class Step(Struct, frozen=True):
    """One line of an episode: what was seen, said and done. Never an image."""

    index: int
    t: float
    """Game seconds when the agent looked."""
    frame: int
    """Index of the film frame it saw."""
    turn: Turn
    digest: str = ""
    """Chain over the hashes of every frame up to and including the one the agent saw."""
    seat: int = 0


class Ending(StrEnum):
    """Why an episode ended."""

    TIME_UP = "time_up"
    GAME_OVER = "game_over"
    FAULT = "fault"


class Fault(Struct, frozen=True):
    """What failed and on which side; an episode with a fault never gets a level."""

    boundary: str
    message: str


class ClockReport(Struct, frozen=True):
    """Which clock driver a runtime used and what it promises."""

    driver: str
    exact: bool
    deterministic: bool
    sandbox: str = ""
    """What held the game: "bubblewrap", or "none" for a trusted game."""


class Episode(Struct, frozen=True, kw_only=True):
    """The header of one played episode."""

    key: str
    game: str
    title: str
    spec: str
    """Digest of the `RunSpec`."""
    agent: str
    model: str = ""
    """Name, checkpoint and revision of the model that played, if one did."""
    seed: int
    repeat: int
    ending: Ending
    fault: Fault | None = None
    steps: int
    seconds: float
    """Game seconds played."""
    frames: int
    """Frames of the game that went by, as far as the runtime counts them."""
    film_frames: int
    width: int
    height: int
    digest: str
    """Chain over the hashes of every frame."""
    clock: ClockReport | None = None
    wall_seconds: float = 0.0
    started: str = ""
    """UTC, ISO 8601."""
    parse: dict[str, int] = {}
    """How often each `ParseStatus` came."""
    versions: dict[str, str] = {}
    schema: int = SCHEMA


class FilmFrame(Struct, frozen=True):
    """One line of the film's index: enough to find the first frame where two launches differ."""

    index: int
    t: float
    digest: str


class Twin(Struct, frozen=True):
    """The same run once more, without the input of one step: what did that input change?"""

    step: int
    actions: tuple[Action, ...]
    label: str
    """Which kind of input it was, for counting distinct ones: "press:left", "click:left" ..."""
    t: float
    """Game seconds when the input came."""
    comparable: bool
    """False if the two runs differed even before the input, so nothing can be said."""
    differs: bool
    changed: float
    """Share of pixels that differed, 0 to 1, at the end of the step."""
