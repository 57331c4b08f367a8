"""Play one episode into a folder: steps, film, frame hashes and twins. Whatever fails becomes a fault."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from playsuite import __version__
from playsuite.core.errors import AgentError, ConfigError, DriverError, GameError, PlaySuiteError, boundary
from playsuite.core.home import Home, Installed
from playsuite.core.lines import LineWriter
from playsuite.core.plugins import known, load, version
from playsuite.core.protocols import Endpoint, Launch
from playsuite.core.records import Ending, Episode, Fault, Game, PlanItem, RunSpec
from playsuite.play.loop import ending, play
from playsuite.play.player import player
from playsuite.play.recording import Recording
from playsuite.play.twins import Candidates, play_twins

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from playsuite.core.protocols import FrameSink, Session
    from playsuite.core.records import Turn
    from playsuite.core.store import EpisodeFolder, Run

WALL_S, WALL_PER_GAME_SECOND, WALL_PER_STEP_S = 300.0, 10.0, 30.0
"""Wall seconds an episode may take: in all, for each game second, for each step; far more than a healthy one needs."""


class Order(Struct, frozen=True):
    """One episode to play, and what this machine has for it."""

    spec: RunSpec
    item: PlanItem
    installed: Installed
    endpoint: Endpoint = Endpoint()
    trust: bool = False
    inputs: Mapping[str, str] = {}
    """Where the files among the agent's options are."""

    @property
    def game(self) -> Game:
        """The game to play."""
        return self.installed.game

    @property
    def may_run_unboxed(self) -> bool:
        """Whether the game may run where no sandbox is possible: its row and the user must both say so."""
        return self.trust and self.game.trusted

    def launch(self, film: FrameSink, log: Path | None = None) -> Session:
        """Start the game, the same way every time."""
        start = Launch(
            game=self.game,
            folder=self.installed.folder,
            python=self.installed.python,
            seed=self.item.seed,
            frame_policy=self.spec.frame_policy,
            log=log,
            trust=self.may_run_unboxed,
        )
        runtime = load("runtimes", self.game.runtime)
        with boundary(DriverError, f"starting '{self.game.id}'"):
            session: Session = runtime(start, film)
        return session


def order_of(
    run: Run,
    key: str,
    home: Home,
    *,
    trust: bool = False,
    endpoint: Endpoint | None = None,
    inputs: Mapping[str, str] | None = None,
) -> Order:
    """Return what it takes to play one episode of a run on this machine; `inputs` only matter if its agent plays.

    Raises:
        ConfigError: its game is not installed here, or in another version.
    """
    item = run.item(key)
    planned, installed = run.games[item.game], home.installed(item.game)
    if installed.game.sha256 != planned.sha256:
        raise ConfigError(
            f"game '{item.game}' is installed in another version than '{run.folder.name}' was planned with. "
            "Begin a new run under another name"
        )
    return Order(
        spec=run.spec,
        item=item,
        installed=installed,
        endpoint=endpoint or Endpoint(),
        trust=trust,
        inputs=inputs or {},
    )


def play_episode(order: Order, folder: EpisodeFolder) -> Episode:
    """Play one episode into `folder` and return its header; only the store writes that, when it publishes the folder.

    Raises:
        StoreError: the files cannot even be opened; any later failure is a fault in the header.
    """
    begin, blank = time.monotonic(), blank_header(order)
    recording, candidates = Recording(folder, order.spec.film_fps), Candidates(order.spec.twins)
    end, fault = Ending.FAULT, None
    try:
        with boundary(PlaySuiteError, f"playing '{order.game.id}'"), recording:
            end = _play(order, folder, recording, candidates)
    except PlaySuiteError as error:
        fault = Fault(error.boundary, " ".join(str(error).split()))  # one line, whatever a game wrote into it
    episode = replace(_filled(blank, recording), ending=end, fault=fault, wall_seconds=time.monotonic() - begin)
    if fault is None and recording.clock is not None and recording.clock.deterministic:
        _write_twins(order, folder, candidates, recording.turns)
    return episode


def blank_header(order: Order, fault: Fault | None = None) -> Episode:
    """Return the header of an episode of which nothing has been played."""
    return Episode(
        key=order.item.key,
        game=order.game.id,
        title=order.game.title,
        spec=order.spec.digest(),
        agent=order.spec.agent,
        model=_model(order.spec),
        seed=order.item.seed,
        repeat=order.item.repeat,
        ending=Ending.FAULT,
        fault=fault,
        steps=0,
        seconds=0.0,
        frames=0,
        film_frames=0,
        width=0,
        height=0,
        digest="",
        started=datetime.now(UTC).isoformat(timespec="milliseconds"),
        versions=_versions(order),
    )


def _model(spec: RunSpec) -> str:
    """Return which model plays: its name, and the weights behind it as far as they are known."""
    model = spec.model
    if model is None:
        return ""
    weights = "@".join(filter(None, (model.checkpoint, model.revision)))
    return f"{model.name} ({weights})" if weights else model.name


def _versions(order: Order) -> dict[str, str]:
    """Return the versions of whatever shapes an episode: ours, the runtime's, and those of the game's own packages."""
    pinned = (requirement.partition("==") for requirement in order.game.requirements)
    ours = {"playsuite": __version__, "python": platform.python_version(), "av": metadata.version("av")}
    plugins = {
        f"{kind.removesuffix('s')} {name}": version(kind, name) for kind, name in _plugins(order) if name in known(kind)
    }
    return {name: came for name, _, came in pinned} | plugins | ours


def _plugins(order: Order) -> list[tuple[str, str]]:
    model = order.spec.model
    adapter = [("adapters", model.adapter)] if model is not None else []
    return [("runtimes", order.game.runtime), ("agents", order.spec.agent), *adapter]


def wall_limit_s(spec: RunSpec) -> float:
    """Return how many wall seconds an episode may take at most, whatever hangs."""
    return WALL_S + WALL_PER_GAME_SECOND * spec.seconds + WALL_PER_STEP_S * spec.seconds * spec.rate_hz


def _play(order: Order, folder: EpisodeFolder, recording: Recording, candidates: Candidates) -> Ending:
    deadline = time.monotonic() + wall_limit_s(order.spec)
    witness = recording.witness
    playing = player(
        order.spec, seed=order.item.seed, endpoint=order.endpoint, images=folder.images, inputs=order.inputs
    )
    with playing as agent, order.launch(witness, folder.log) as session:
        try:
            for step in play(session, order.game, agent, order.spec, witness):
                recording.add(step)
                candidates.end(witness.last)
                candidates.begin(step, witness.last)
                if time.monotonic() > deadline:
                    raise _too_slow(recording.turns, order.spec)
        finally:
            # Only at the end: a runtime may learn on the way that it cannot repeat this game.
            recording.clock = session.clock
        candidates.end(witness.last)
        return ending(witness.last, order.spec) or Ending.TIME_UP


def _filled(blank: Episode, recording: Recording) -> Episode:
    witness = recording.witness
    height, width, _ = witness.last.frame.shape
    return replace(
        blank,
        steps=len(recording.turns),
        seconds=witness.last.t,
        frames=witness.last.frames,
        film_frames=witness.film_frames,
        width=width,
        height=height,
        digest=witness.digest,
        clock=recording.clock,
        parse=dict(recording.parse),
    )


def _too_slow(turns: Sequence[Turn], spec: RunSpec) -> PlaySuiteError:
    limit = wall_limit_s(spec)
    thinking = sum(turn.usage.seconds for turn in turns)
    kind = AgentError if thinking > limit / 2 else GameError
    return kind(f"the episode took more than {limit:g} wall seconds, {thinking:.0f} of them thinking")


def _write_twins(order: Order, folder: EpisodeFolder, candidates: Candidates, turns: Sequence[Turn]) -> None:
    with LineWriter(folder.twins, durable=False) as twins:
        for twin in play_twins(candidates.within(order.spec.seconds), turns, order.spec, order.launch):
            twins.add(twin)
