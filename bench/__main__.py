"""Measure all installed games: `python -m bench [speed|hooks|launch|step|serving] [--seconds N] [--games id,id]`.

speed   game seconds a wall second, filming, everything on one core; memory of the worker and of the game
hooks   processor time of the game under the hooks against free of hooks, for the same game time
launch  wall seconds to the first picture against a plain start, the median of several
step    what the harness itself costs a step at 1280x720, with the JPEG a model would be sent
serving what asking a model costs; only on request, as it takes 15 minutes. Its parts: `python -m bench.serving --help`
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys

from bench.serving.__main__ import everything
from bench.step import harness_cost
from playsuite.core.home import Home

DEADLINE_S = 1200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["speed", "hooks", "launch", "step"])
    parser.add_argument("--seconds", type=float, default=60.0, help="game seconds for speed; hooks takes a third")
    parser.add_argument("--games", default="", help="ids, separated by commas; default: all installed")
    options = parser.parse_args()
    games = [game for game in options.games.split(",") if game] or Home.here().all_installed()
    games = [game for game in games if Home.here().installed(game).game.runtime == "pygame"]
    for what in options.what:
        print(f"\n## {what}\n")
        {"speed": speed, "hooks": hooks, "launch": launch, "step": step, "serving": serving}[what](
            games, options.seconds
        )


def measure(way: str, game: str, seconds: float) -> dict:
    command = [sys.executable, "-m", "bench.measure", way, game, str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    if done.returncode:
        return {"error": done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no word"}
    return json.loads(done.stdout)


def speed(games: list[str], seconds: float) -> None:
    print("| game | size | game s | wall s | game s / wall s | game CPU s | host CPU s | worker MB | game MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    rates = []
    for game in games:
        found = measure("filmed", game, seconds)
        if "error" in found or found["fault"] or found["seconds"] < seconds / 6:
            why = found.get("fault") or found.get("error") or f"ended by itself after {found['seconds']:.1f} s"
            print(f"| {game} | not counted: {why} |||||||")
            continue
        rates.append(found["seconds"] / found["wall"])
        print(
            f"| {game} | {found['size']} | {found['seconds']:.1f} | {found['wall']:.2f} | {rates[-1]:.1f} | "
            f"{found['game_cpu']:.2f} | {found['host_cpu']:.2f} | {found['host_rss_mb']:.0f} | "
            f"{found['game_rss_mb']:.0f} |"
        )
    print(f"\nmedian {_median(rates):.1f} game seconds a wall second over {len(rates)} games")


def hooks(games: list[str], seconds: float) -> None:
    seconds /= 3
    print("| game | hooked CPU s | plain CPU s | ratio |\n|---|---|---|---|")
    ratios = []
    for game in games:
        ours, theirs = measure("hooked", game, seconds), measure("plain", game, seconds)
        if "error" in ours or "error" in theirs or ours["seconds"] < 0.9 * seconds or not theirs["cpu"]:
            print(f"| {game} | {ours} | {theirs} | not comparable |")
            continue
        ratios.append(ours["cpu"] / theirs["cpu"])
        print(f"| {game} | {ours['cpu']:.2f} | {theirs['cpu']:.2f} | {ratios[-1]:.2f} |")
    print(f"\nmedian ratio {_median(ratios):.2f}, largest {max(ratios, default=0):.2f}, {len(ratios)} games")


def launch(games: list[str], _seconds: float, *, times: int = 3) -> None:
    print("| game | to the first frame, s | plain start, s | ratio |\n|---|---|---|---|")
    ratios = []
    for game in games:
        ours = [measure("hooked", game, 0.1).get("first") for _ in range(times)]
        theirs = [measure("plain", game, 0).get("first") for _ in range(times)]
        if None in ours or None in theirs:
            print(f"| {game} | {ours} | {theirs} | not comparable |")
            continue
        first, plain = statistics.median(ours), statistics.median(theirs)
        ratios.append(first / plain)
        print(f"| {game} | {first:.2f} | {plain:.2f} | {ratios[-1]:.2f} |")
    print(f"\nmedian ratio {_median(ratios):.2f}, {len(ratios)} games, median of {times} starts each")


def _median(values: list[float]) -> float:
    """Return the median, or NaN if nothing could be compared."""
    return statistics.median(values) if values else float("nan")


def step(_games: list[str], _seconds: float) -> None:
    for name, milliseconds in harness_cost().items():
        print(f"{name}: {milliseconds:.2f} ms")


def serving(_games: list[str], _seconds: float) -> None:
    everything()


if __name__ == "__main__":
    main()
