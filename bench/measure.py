"""What is measured about one game, each in a process of its own so that figures do not mix."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from bench.descendants import Descendants
from playsuite.core.home import Home, Installed
from playsuite.core.plugins import load
from playsuite.core.protocols import Launch, Limits
from playsuite.core.records import PlanItem, RunSpec
from playsuite.core.store import EpisodeFolder
from playsuite.core.wait import until
from playsuite.play.episode import Order, play_episode
from playsuite.runtimes.pygame.launching import ENVIRONMENT
from playsuite.runtimes.pygame.manifest import EntryKind, read_manifest
from playsuite.runtimes.sandbox import Bind, BoundedLog, Box, interpreter_binds, start

ROOT = Path(__file__).resolve().parents[1]


def filmed(installed: Installed, seconds: float) -> dict[str, float | str]:
    """Play with the random agent, filming, everything on one core."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    spec = RunSpec(suite="bench", agent="random", seconds=seconds, rate_hz=1 / 3, twins=0)
    item = PlanItem("bench", installed.game.id, 0, 0)
    with tempfile.TemporaryDirectory() as folder, Descendants() as below:
        begin = time.perf_counter()
        episode = play_episode(Order(spec=spec, item=item, installed=installed), EpisodeFolder(Path(folder)))
        wall = time.perf_counter() - begin
    own = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "ending": episode.ending.value,
        "fault": episode.fault.message if episode.fault else "",
        "seconds": episode.seconds,
        "frames": episode.frames,
        "size": f"{episode.width}x{episode.height}",
        "wall": wall,
        "host_cpu": own.ru_utime + own.ru_stime,
        "game_cpu": below.cpu,
        "host_rss_mb": own.ru_maxrss / 1024,
        "game_rss_mb": below.memory_mb,
    }


def hooked(installed: Installed, seconds: float) -> dict[str, float]:
    """Let the game run without input and without a film; note its own processor time and how it started."""
    runtime = load("runtimes", installed.game.runtime)
    with Descendants() as below:
        begin = time.perf_counter()
        with runtime(Launch(game=installed.game, folder=installed.folder, python=installed.python)) as session:
            first = time.perf_counter() - begin
            seen = session.step((), seconds)
            below.look()
    return {"first": first, "seconds": seen.t, "cpu": below.cpu}


def plain(installed: Installed, seconds: float) -> dict[str, float | None]:
    """Let the same game run free of hooks in real time, in the same kind of box: it is not trusted here either."""
    manifest, python = read_manifest(installed.game), Path(str(installed.python))
    entry = manifest.entry
    target = f"/game/{entry.target}" if entry.kind is EntryKind.PATH else entry.target
    path = [f"/game/{part}" for part in manifest.path] or ["/game"]
    with tempfile.TemporaryDirectory() as folder, BoundedLog(Path(folder) / "log", 1) as log:
        box = Box(
            argv=(str(python), "/bench/plain.py", str(seconds), entry.kind.value, target,
                  f"/game/{manifest.start_folder}", *path),
            binds=(*interpreter_binds(python), Bind(ROOT / "bench", "/bench"), Bind(installed.folder, "/game"),
                   *(Bind(installed.folder / inside, seen) for seen, inside in manifest.mounts.items())),
            chdir="/game",
            env={**ENVIRONMENT, **manifest.env, "BENCH_BEGIN": str(time.time())},
            limits=Limits(),
        )  # fmt: skip
        with start(box, stdout=log.fd, stderr=log.fd) as boxed:
            log.started()
            until(lambda: boxed.poll() is not None, timeout=seconds + 60, waiting_for="the plain run")
        log.close()
        lines = log.path.read_text(errors="replace").splitlines()
    for line in reversed(lines):
        if line.startswith('{"first"'):
            return msgspec.json.decode(line)
    raise SystemExit(f"the plain run told nothing: {' | '.join(lines[-3:])}")


WAYS = {"filmed": filmed, "hooked": hooked, "plain": plain}


def main() -> None:
    """Measure one game in one way and print the figures as JSON."""
    way, game, seconds = sys.argv[1:]
    print(msgspec.json.encode(WAYS[way](Home.here().installed(game), float(seconds))).decode())


if __name__ == "__main__":
    main()
