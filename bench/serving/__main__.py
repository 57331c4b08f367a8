"""Measure how a model is asked: `python -m bench.serving [PART ...] [--window S]`; without a part, all of them.

overhead   a request by socket and picture format, and what a step costs a worker, part by part
engine     requests a second of a tiny real model on vLLM, on this CPU, with 1 to 16 clients
paper      evaluations an hour of a simulated H100 with the paper's 8 workers, paused clock and real time
workers    evaluations an hour of a simulated H100 with 1 to 16 workers, paused clock and real time
automatic  the same with as many workers as the harness chooses
harness    the same with a game that costs next to nothing
tokens     the same with 8 workers and other lengths of answers, both clocks
twins      the same with 8 workers and four twins an episode
start      what an episode costs besides its steps
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bench.serving import engine, overhead, throughput
from bench.serving.figures import Setting

if TYPE_CHECKING:
    from collections.abc import Sequence

WINDOW_S = 40.0
PARTS = ("overhead", "engine", *throughput.PARTS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--window", type=float, default=WINDOW_S, help="seconds each run is watched, once it is warm")
    parser.add_argument("--tokens", type=int, default=100, help="length of the simulated answers")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part called {', '.join(sorted(unknown))}. Known: {', '.join(PARTS)}")
    run(options.parts or PARTS, Setting("suite", tokens=options.tokens, window_seconds=options.window))


def everything() -> None:
    """Measure all of it."""
    run(PARTS, Setting("suite", window_seconds=WINDOW_S))


def run(parts: Sequence[str], setting: Setting) -> None:
    """Measure the named parts, one after the other."""
    for part in parts:
        print(f"\n## {part}\n", flush=True)
        match part:
            case "overhead":
                overhead.measure()
            case "engine":
                engine.measure()
            case _:
                throughput.PARTS[part](setting)


if __name__ == "__main__":
    main()
