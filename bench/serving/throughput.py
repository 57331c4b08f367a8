"""Evaluations an hour of one simulated H100, game time included; every row is a run of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from bench.serving.figures import Measured, Regime, Setting, real_time_evaluations_per_hour
from bench.serving.rig import ROOT, home_for
from playsuite.testing.server.latency import H100_8B

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_EXTRA_S = 200.0
"""A run may take so much longer than its window: to start, to settle, to end."""
WORKERS = (1, 2, 4, 8, 16)
REAL_TIME_WORKERS = (1, 8, 16)
PAPERS_WORKERS = 8
TOKENS = (50, 200)
COLUMNS = (
    "games", "clock", "workers", "tokens", "twins", "steps/s", "evaluations/h", "of the ceiling",
    "of what so many can get", "GPU busy", "CPU used",
    "cores: run and games",
    "cores: server", "late, s", "tokens read", "episodes ended", "faults",
)  # fmt: skip


def workers(setting: Setting) -> None:
    """How throughput grows with the workers under both clocks."""
    paused = rows(replace(setting, workers=count) for count in WORKERS)
    real = rows(replace(setting, workers=count, regime=Regime.REAL_TIME) for count in REAL_TIME_WORKERS)
    for count, found in zip(REAL_TIME_WORKERS, real, strict=True):
        _ratio(paused[WORKERS.index(count)], found, count, setting.tokens)


def paper(setting: Setting) -> None:
    """The paper's number of workers under both clocks."""
    both = [replace(setting, regime=regime, workers=PAPERS_WORKERS) for regime in Regime]
    _ratio(*rows(both), PAPERS_WORKERS, setting.tokens)


def automatic(setting: Setting) -> None:
    """How near the workers that the harness chooses by itself come to the ceiling."""
    rows(replace(setting, workers=0, games=games) for games in ("suite", "fake"))


def harness(setting: Setting) -> None:
    """The same with a game that costs next to nothing, so that what is left is the harness."""
    counts = (PAPERS_WORKERS, 16, H100_8B.largest_batch)
    # The fake game is lost after 33 s.
    rows(replace(setting, games="fake", workers=count, episode_seconds=30.0) for count in counts)


def tokens(setting: Setting) -> None:
    """How much the length of the answers decides."""
    for count in TOKENS:
        both = [replace(setting, regime=regime, workers=PAPERS_WORKERS, tokens=count) for regime in Regime]
        _ratio(*rows(both), PAPERS_WORKERS, count)


def twins(setting: Setting) -> None:
    """What the twins take from the same processors; they have nothing to do with serving."""
    rows([replace(setting, workers=PAPERS_WORKERS, twins=4)])


def start(setting: Setting) -> None:
    """What an episode costs besides its steps: one step each, answered at once, one worker."""
    (found,) = rows([replace(setting, workers=1, tokens=0, episode_seconds=3.0)])
    print(f"\nfrom one episode to the next, with a single step: {found.seconds / max(found.episodes, 1):.2f} s")


PARTS = {part.__name__: part for part in (paper, workers, automatic, harness, tokens, twins, start)}


def rows(settings: Iterable[Setting]) -> list[Measured]:
    """Measure one after the other, and print each as the row of a table."""
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    found = []
    for setting in settings:
        found.append(measured(setting))
        print(_row(setting, found[-1]), flush=True)
        for fault in found[-1].faults:
            sys.stderr.write(f"fault: {fault}\n")
    return found


def measured(setting: Setting) -> Measured:
    """Measure in a process of its own, with the home and the plug-ins it needs."""
    command = [sys.executable, "-m", "bench.serving.measure", msgspec.json.encode(setting).decode()]
    deadline = setting.window_seconds + LONGEST_EXTRA_S
    with home_for(setting) as environment:
        done = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=deadline, check=False
        )
    if done.returncode:
        raise SystemExit(f"{setting} was not measured:\n{done.stderr[-2000:]}")
    return msgspec.json.decode(done.stdout, type=Measured)


def _row(setting: Setting, found: Measured) -> str:
    limited = f" (auto, {found.bound or 'not settled'})" if not setting.workers else ""
    cells = (
        setting.games,
        setting.regime,
        f"{found.workers}{limited}",
        setting.tokens,
        setting.twins,
        f"{found.answers_per_second:.2f}",
        f"{found.evaluations_per_hour:.0f}",
        f"{found.share(H100_8B, setting.tokens):.0%}" if setting.tokens else "",
        f"{found.share_with_these(H100_8B, setting.tokens):.0%}" if setting.tokens else "",
        f"{found.busy_seconds / found.seconds:.0%}",
        f"{found.cpu:.0%}",
        f"{found.own_cpu_seconds / found.seconds:.2f}",
        f"{found.server_cpu_seconds / found.seconds:.2f}",
        f"{found.late_seconds:.2f}",
        f"{found.prompt_tokens:.0f}",
        found.episodes,
        len(found.faults),
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def _ratio(paused: Measured, real: Measured, count: int, tokens: int) -> None:
    ratio = paused.evaluations_per_hour / real.evaluations_per_hour
    best = real_time_evaluations_per_hour(H100_8B, tokens, count, prompt=real.prompt_tokens)
    print(
        f"\n{count} workers, {tokens} tokens: paused / real time {ratio:.2f}; a real time without any overhead would "
        f"reach {best:.0f} evaluations/h, against which it is {paused.evaluations_per_hour / best:.2f}"
    )
