"""The fake game and what it takes to play it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from playsuite.core.actions import Wait
from playsuite.core.claims import Holder
from playsuite.core.home import Home, Installed
from playsuite.core.protocols import Launch
from playsuite.core.records import Controls, Game, RunSpec, Turn
from playsuite.core.store import Run
from playsuite.play.episode import Order, order_of
from playsuite.play.plan import make_plan
from playsuite.runtimes import fake


def coins(number: int = 0, **manifest: object) -> Game:
    controls = Controls(keys=("left", "right", "space"))
    return Game(id=f"test/coins{number}", title="Coins", runtime="fake", manifest=manifest, controls=controls)


class Stub:
    """An agent that gives prepared turns, then waits, and remembers what it was shown and told."""

    def __init__(self, *turns: Turn) -> None:
        self.turns = iter(turns)
        self.seen: list[float] = []
        self.told: list[int] = []

    def act(self, game, observation, history):
        self.seen.append(observation.t)
        self.told.append(len(history))
        return next(self.turns, Turn((Wait(),)))


class Watched:
    """A session that remembers how it was stepped."""

    def __init__(self, session) -> None:
        self.session, self.steps = session, []
        self.clock = session.clock

    def observe(self, seat=0):
        return self.session.observe(seat)

    def step(self, events, seconds):
        self.steps.append((len(events), round(seconds, 6)))
        return self.session.step(events, seconds)


@pytest.fixture
def started() -> Callable[..., Watched]:
    """Start the fake game."""

    def start(film=None, **manifest) -> Watched:
        return Watched(fake.launch(Launch(game=coins(**manifest), folder=Path()), film))

    return start


@pytest.fixture
def prepared(tmp_path: Path) -> Callable[..., tuple[Run, Order]]:
    """Make a run of one fake game, and the order to play its episode."""

    def prepare(spec: RunSpec, **manifest) -> tuple[Run, Order]:
        game, home = coins(**manifest), Home(tmp_path / "home")
        home.game_folder(game.id).mkdir(parents=True)
        home.record(Installed(game, home.files(game.id)))
        run = Run.create(tmp_path / "run", spec, [game], make_plan(spec, [game]))
        return run, order_of(run, run.plan[0].key, home)

    return prepare


@pytest.fixture
def holder() -> Holder:
    return Holder.here()
