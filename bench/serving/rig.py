"""What a measurement stands on: a fake server of its own, and a home with the games as they are to be started."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bench.descendants import TICK_S
from bench.serving.figures import Regime, Setting
from playsuite.agents.connection import Connection
from playsuite.core.home import Home, Installed
from playsuite.core.records import Controls, Game

if TYPE_CHECKING:
    from collections.abc import Generator

ROOT = Path(__file__).resolve().parents[2]
START_S, STOP_S, ASK_S = 20.0, 10.0, 5.0
FAKE = Game(
    id="bench/fake",
    title="fake",
    runtime="fake",
    manifest={"width": 640, "height": 480, "menu": False},
    controls=Controls(keys=("left", "right")),
)
PLUGIN = """\
[playsuite.runtimes]
paced-pygame = bench.serving.paced:pygame
paced-fake = bench.serving.paced:fake
"""


class Simulated:
    """A fake server in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], base_url: str) -> None:
        self.base_url = base_url
        self._process = process
        self._connection = Connection(base_url, "")

    def metrics(self) -> dict[str, float]:
        """Return what its /metrics says."""
        page = self._connection.get(self._connection.root + "metrics", seconds=ASK_S).body.decode()
        return {name: float(value) for name, value in re.findall(r"^([a-z_:]+)(?:{.*})? (\S+)$", page, re.MULTILINE)}

    def cpu_seconds(self) -> float:
        """Return the processor time it has used."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * TICK_S

    def close(self) -> None:
        self._connection.close()


@contextmanager
def simulated(tokens: int = 0, *, tcp: bool = False) -> Generator[Simulated]:
    """Run a server that is as slow as an H100 with answers of so many tokens; with 0 it answers at once."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        where = ["--port", "0"] if tcp else ["--uds", f"{folder}/s"]
        slow = ["--latency", "h100-8b", "--tokens", str(tokens)] if tokens else []
        command = [sys.executable, "-m", "playsuite.testing.server", *where, *slow, "--random-actions", "1"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert process.stdout is not None
            ready, _, base_url = process.stdout.readline().strip().partition(" ")
            if ready != "ready":
                raise SystemExit(f"the fake server did not start: {' '.join(command)}")
            server = Simulated(process, base_url)
            yield server
            server.close()
        finally:
            process.terminate()
            process.wait(STOP_S)


@contextmanager
def home_for(setting: Setting) -> Generator[dict[str, str]]:
    """Make a home with the games of `setting`; give the environment in which it and the paced runtimes are found."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        home, plugin = Home(Path(folder, "home")), Path(folder, "plugin")
        information = plugin / "playsuite_bench_paced-0.dist-info"
        information.mkdir(parents=True)
        (information / "METADATA").write_text("Metadata-Version: 2.1\nName: playsuite-bench-paced\nVersion: 0\n")
        (information / "entry_points.txt").write_text(PLUGIN)
        for installed in _games(setting):
            home.game_folder(installed.game.id).mkdir(parents=True)
            home.record(_paced(installed) if setting.regime is Regime.REAL_TIME else installed)
        path = [str(plugin), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        yield {**os.environ, "PLAYSUITE_HOME": str(home.root), "PYTHONPATH": os.pathsep.join(path)}


def _games(setting: Setting) -> list[Installed]:
    if setting.games == "fake":
        return [Installed(FAKE, ROOT)]
    here = [Home.here().installed(game) for game in Home.here().all_installed()]
    games = [installed for installed in here if installed.game.runtime == "pygame" and installed.game.artefacts]
    if not games:
        raise SystemExit("no game is installed. Install some: playsuite games install starter")
    return games


def _paced(installed: Installed) -> Installed:
    return replace(installed, game=replace(installed.game, runtime=f"paced-{installed.game.runtime}"))
