"""Measure one run, in a process of its own: `python -m bench.serving.measure SETTING`, as JSON; so is what it prints.

Nothing of the harness is replaced: the run is prepared and played as `playsuite run --model` does it, and what the
server counted between two moments is what was played. Before the first of them every worker has started, or, if their
number is the harness's own choice, that number has settled.
"""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from bench.descendants import Descendants
from bench.serving.figures import RATE_HZ, Measured, Setting, slope
from bench.serving.rig import Simulated, simulated
from playsuite.core.home import Home
from playsuite.core.protocols import Endpoint
from playsuite.play.machine import Meter
from playsuite.play.pace import Pace, automatic, fixed
from playsuite.play.prepare import compose_spec, prepare
from playsuite.play.run import Progress, play_run
from playsuite.testing.server.latency import H100_8B

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTLED_S, LONGEST_WARM_S = 13.0, 80.0
"""The harness looks for room every 3 s, so after four looks without another worker there will hardly be more."""
PATIENCE_S = 60.0
MORE_THAN_ENOUGH = 2000
"""Episodes, so that no worker runs out of them."""


class Moment(Struct, frozen=True):
    """The counters at one time."""

    at: float
    answers: float
    busy: float
    late: float
    read: float
    """Tokens of prompts that were not in the cache."""
    server_cpu: float
    all_cpu: float
    """Of this process and all below it, the server included."""


def measure(setting: Setting) -> Measured:
    """Play and measure."""
    with simulated(setting.tokens) as server, tempfile.TemporaryDirectory(prefix="bench-") as folder:
        home = Home.here()
        games = [home.installed(game).game for game in home.all_installed()]
        asked = {
            "suite": "bench", "model": "server:fake", "rate_hz": RATE_HZ, "seconds": setting.episode_seconds,
            "twins": setting.twins, "repeats": MORE_THAN_ENOUGH // len(games),
        }  # fmt: skip
        endpoint = Endpoint(server.base_url, PATIENCE_S)
        run = prepare(Path(folder, "run"), compose_spec(None, asked), games, endpoint=endpoint)
        with closing(play_run(run, pace=_pace(setting), endpoints=[endpoint])) as steps:
            fullest = _warm(steps, setting)
            return _watch(steps, setting, server, fullest)


def _pace(setting: Setting) -> Pace:
    if setting.workers:
        return fixed(setting.workers)
    return automatic(Meter().cores, places=H100_8B.largest_batch)


def _warm(steps: Iterator[Progress], setting: Setting) -> Progress:
    """Let it run until all workers play and, if it chooses their number, has chosen."""
    began = changed = time.monotonic()
    workers = 0
    for now in steps:
        if now.workers != workers:
            workers, changed = now.workers, time.monotonic()
        passed, settled = time.monotonic() - began, time.monotonic() - changed
        if passed > LONGEST_WARM_S or (passed > setting.warm_seconds and (setting.workers or settled > SETTLED_S)):
            return now
    raise SystemExit("the run ended before it was warm")


def _watch(steps: Iterator[Progress], setting: Setting, server: Simulated, last: Progress) -> Measured:
    meter, below = Meter(), Descendants()
    moments = [_now(server, below)]
    episodes, faults = 0, []
    for last in steps:
        episodes += len(last.ended)
        faults += [f"{one.episode.game}: {one.episode.fault.message}" for one in last.ended if one.episode.fault]
        moments.append(_now(server, below))
        if moments[-1].at - moments[0].at >= setting.window_seconds:
            break
    begin, end, spare = moments[0], moments[-1], meter.look()
    return Measured(
        seconds=end.at - begin.at,
        answers_per_second=slope([(moment.at, moment.answers) for moment in moments]),
        workers=last.workers,
        bound=str(last.bound or ""),
        cpu=1 - spare.idle,
        own_cpu_seconds=(end.all_cpu - end.server_cpu) - (begin.all_cpu - begin.server_cpu),
        server_cpu_seconds=end.server_cpu - begin.server_cpu,
        busy_seconds=end.busy - begin.busy,
        late_seconds=end.late,
        episodes=episodes,
        faults=tuple(faults),
        prompt_tokens=(end.read - begin.read) / max(end.answers - begin.answers, 1),
    )


def _now(server: Simulated, below: Descendants) -> Moment:
    said = server.metrics()
    below.look()
    return Moment(
        at=time.monotonic(),
        answers=said["vllm:request_success_total"],
        busy=said["playsuite:simulated_busy_seconds"],
        late=said["playsuite:simulator_late_seconds"],
        read=said["playsuite:prompt_tokens_read_total"],
        server_cpu=server.cpu_seconds(),
        all_cpu=below.cpu + time.process_time(),
    )


def main() -> None:
    measured = measure(msgspec.json.decode(sys.argv[1], type=Setting))
    print(msgspec.json.encode(measured).decode())


if __name__ == "__main__":
    main()
