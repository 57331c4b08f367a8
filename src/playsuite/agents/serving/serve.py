"""Serve a model for as long as a block runs: one server for each group of GPUs."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from playsuite.agents.serving.command import concerns, engine_command
from playsuite.agents.serving.devices import gpus_here, share_out
from playsuite.agents.serving.engine import find_engine
from playsuite.agents.serving.health import LONGEST_PATH
from playsuite.agents.serving.server import Patience, Place, Server
from playsuite.core.errors import ConfigError
from playsuite.core.home import Home
from playsuite.core.wait import until

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from playsuite.agents.serving.command import Command
    from playsuite.agents.serving.engine import Engine
    from playsuite.agents.serving.server import Launcher
    from playsuite.core.records import Preset

SHORT_FOLDER = Path("/tmp")
"""For sockets, where the system's own temporary folder lies too deep for them."""
NAME_BYTES = 40
"""More than the part of a socket's path that we make up."""
STOP_S = 60.0
LOOK_S = 1.0


class Served:
    """A model that is being served."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self._servers = tuple(servers)

    @property
    def urls(self) -> tuple[str, ...]:
        """The base URL of every server."""
        return tuple(server.url for server in self._servers)

    def is_ready(self) -> bool:
        """Tell whether every server has loaded its model.

        Raises:
            ConfigError: one could not.
        """
        self.check()
        return all(server.ready for server in self._servers)

    def check(self) -> None:
        """Raise what a server was given up for, if one was.

        Raises:
            AgentError: a server died again and again.
        """
        for server in self._servers:
            if server.failure is not None:
                raise server.failure

    def join(self) -> NoReturn:
        """Wait for a server to be given up, and raise why; only a signal ends this otherwise."""
        while True:
            for server in self._servers:
                server.join(LOOK_S)
            self.check()


@contextmanager
def serving(
    preset: Preset,
    *,
    gpus: Sequence[tuple[int, ...]] | None = None,
    folder: Path | None = None,
    log: Callable[[str], None],
    launch: Launcher | None = None,
    patience: Patience | None = None,
) -> Generator[Served]:
    """Serve `preset`'s model, one copy for each group of `gpus`, on sockets only we can reach.

    By default every GPU we may use is used, or the CPU if there is none. The engines' logs go to `folder`, or to a
    new temporary one, which is left. `launch` starts something else than vLLM.

    Raises:
        ConfigError: there is no engine, or it cannot serve this model here; the reason is from its log.
    """
    if launch is None:
        engine = find_engine(Home.here(), at_least=preset.serving.min_vllm)
        launch = launcher(preset, engine, log=log)
        gpus = groups_for(preset, engine) if gpus is None else gpus
    logs = folder or Path(tempfile.mkdtemp(prefix="playsuite-logs-"))
    with tempfile.TemporaryDirectory(prefix="playsuite-", dir=_short_folder()) as sockets:
        places = [
            Place(Path(sockets, f"{n}.sock"), logs / f"engine-{n}.log", group) for n, group in enumerate(gpus or [()])
        ]
        with serve_at(launch, places, log=log, patience=patience) as served:
            yield served


@contextmanager
def serve_at(
    launch: Launcher, places: Sequence[Place], *, log: Callable[[str], None], patience: Patience | None = None
) -> Generator[Served]:
    """Keep a server at each of `places`, all started at once; yield when all are ready.

    Raises:
        ConfigError: a server did not become ready; the reason is from its log.
    """
    patience = patience or Patience()
    servers = [Server(launch, place, log=log, patience=patience) for place in places]
    served = Served(servers)
    with ExitStack() as stack:
        for server in servers:
            stack.enter_context(server)
        try:
            until(served.is_ready, timeout=patience.ready_seconds + STOP_S, waiting_for="all model servers")
            yield served
        finally:
            log("stopping the model's servers")
            for server in servers:  # all at once: each may take its time
                server.tell_to_stop()


def launcher(preset: Preset, engine: Engine, *, log: Callable[[str], None]) -> Launcher:
    """Return what starts `preset`'s model with `engine`; say what should be known of it before.

    Raises:
        ConfigError: its weights are in a folder that is not there.
    """
    weights = preset.model.checkpoint
    if weights.startswith(("/", ".")) and not Path(weights).is_dir():
        raise ConfigError(f"model '{preset.model.name}': there is no folder {weights} with its weights")
    for concern in concerns(preset):
        log(concern)

    def launch(socket: Path, gpus: tuple[int, ...]) -> Command:
        return engine_command(preset, engine=engine, socket=socket, gpus=gpus, inherited=os.environ)

    return launch


def groups_for(preset: Preset, engine: Engine) -> tuple[tuple[int, ...], ...]:
    """Share out every GPU we may use among copies of the model; one copy on the CPU if there is none."""
    return share_out(() if engine.cpu_only else gpus_here(), preset.serving.gpus)


def _short_folder() -> Path:
    usual = Path(tempfile.gettempdir())
    return usual if len(bytes(usual)) + NAME_BYTES <= LONGEST_PATH else SHORT_FOLDER
