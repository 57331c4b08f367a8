"""What is measured about one game, each in a process of its own so that figures do not mix."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from playsuite.core.home import Home, Installed
from playsuite.core.plugins import load
from playsuite.core.protocols import Launch
from playsuite.core.records import PlanItem, RunSpec
from playsuite.core.store import EpisodeFolder
from playsuite.play.episode import Order, play_episode

ROOT = Path(__file__).resolve().parents[1]


def cpu(who: int) -> float:
    """Processor seconds of this process or of its ended children."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def filmed(installed: Installed, seconds: float) -> dict[str, float | str]:
    """Play with the random agent, filming, everything on one core."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    spec = RunSpec(suite="bench", agent="random", seconds=seconds, rate_hz=1 / 3, twins=0)
    item = PlanItem("bench", installed.game.id, 0, 0)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        episode = play_episode(Order(spec=spec, item=item, installed=installed), EpisodeFolder(Path(folder)))
        wall = time.perf_counter() - begin
    return {
        "ending": episode.ending.value,
        "fault": episode.fault.message if episode.fault else "",
        "seconds": episode.seconds,
        "frames": episode.frames,
        "size": f"{episode.width}x{episode.height}",
        "wall": wall,
        "host_cpu": cpu(resource.RUSAGE_SELF),
        "game_cpu": cpu(resource.RUSAGE_CHILDREN),
        "host_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "game_rss_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    }


def hooked(installed: Installed, seconds: float) -> dict[str, float]:
    """Let the game run without input and without a film; note its own processor time and how it started."""
    runtime = load("runtimes", installed.game.runtime)
    begin = time.perf_counter()
    with runtime(Launch(game=installed.game, folder=installed.folder, python=installed.python)) as session:
        first = time.perf_counter() - begin
        seen = session.step((), seconds)
    return {"first": first, "seconds": seen.t, "cpu": cpu(resource.RUSAGE_CHILDREN)}


def plain(installed: Installed, seconds: float) -> dict[str, float | None]:
    """Let the same game run free of hooks in real time."""
    manifest = installed.game.manifest
    entry, files = manifest["entry"], installed.folder
    path = [str(files / part) for part in manifest.get("path", [])] or [str(files)]
    target = str(files / entry["target"]) if entry["kind"] == "path" else entry["target"]
    quiet = {
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "PATH": os.environ["PATH"],
        "HOME": tempfile.mkdtemp(),
        **manifest.get("env", {}),
    }
    begin = time.perf_counter()
    quiet["BENCH_BEGIN"] = str(time.time())
    done = subprocess.run(
        [installed.python, ROOT / "bench" / "plain.py", str(seconds), entry["kind"], target,
         str(files / manifest.get("cwd", ".")), *path],
        env=quiet, capture_output=True, text=True, timeout=seconds + 60, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    for line in reversed(done.stdout.splitlines()):
        if line.startswith("{"):
            return json.loads(line)
    raise SystemExit(f"plain run failed after {time.perf_counter() - begin:.1f} s: {done.stderr[-300:]}")


WAYS = {"filmed": filmed, "hooked": hooked, "plain": plain}


def main() -> None:
    """Measure one game in one way and print the figures as JSON."""
    way, game, seconds = sys.argv[1:]
    print(msgspec.json.encode(WAYS[way](Home.here().installed(game), float(seconds))).decode())


if __name__ == "__main__":
    main()
