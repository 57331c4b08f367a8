"""Serve a fake model; say "ready URL" on stdout when it is ready, and nothing else there."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from playsuite.core.errors import PlaySuiteError
from playsuite.testing.server.behaviours import Die, Say
from playsuite.testing.server.latency import PRESETS
from playsuite.testing.server.running import Address, serving
from playsuite.testing.server.scripts import in_turn, random_actions, read_error, recorded, with_errors
from playsuite.testing.server.state import make_fake

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.testing.server.scripts import Script
    from playsuite.testing.server.state import Fake

DEFAULT_REPLY = "Observation: a game\nReasoning: none\nAction: wait"
CONFIGURATION_ERROR = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until told to stop; return the exit code."""
    wanted = _parser().parse_args(argv)
    try:
        models = (wanted.model,) if wanted.model else ()
        fake = make_fake(_script(wanted), models=models, latency=PRESETS.get(wanted.latency))
        asyncio.run(_serve(fake, Address(wanted.uds, wanted.port or 0), wanted.load_seconds))
    except PlaySuiteError as error:
        sys.stderr.write(f"{error}\n")
        return CONFIGURATION_ERROR
    return 0


async def _serve(fake: Fake, address: Address, load_seconds: float) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    fake.ready = False
    async with serving(fake, address) as base_url:
        _log(f"loading the model, {load_seconds:g} s")
        if not await _told(stopped, load_seconds):
            fake.ready = True
            sys.stdout.write(f"ready {base_url}\n")
            sys.stdout.flush()
            await stopped.wait()
        _log("told to stop")


async def _told(stopped: asyncio.Event, seconds: float) -> bool:
    try:
        await asyncio.wait_for(stopped.wait(), seconds)
    except TimeoutError:
        return False
    return True


def _script(wanted: argparse.Namespace) -> Script:
    errors = dict(read_error(text) for text in wanted.errors)
    if wanted.die_after is not None:
        errors[f"{wanted.die_after + 1}+"] = Die()
    return with_errors(_answers(wanted), errors)


def _answers(wanted: argparse.Namespace) -> Script:
    if wanted.recorded:
        return recorded(wanted.recorded)
    if wanted.random_actions is not None:
        return random_actions(wanted.random_actions, tokens=wanted.tokens)
    return in_turn([Say(text, wanted.tokens) for text in wanted.reply or [DEFAULT_REPLY]])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m playsuite.testing.server", description=__doc__)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--uds", type=Path, help="Unix socket to listen on")
    where.add_argument("--port", type=int, help="port of 127.0.0.1 to listen on; 0 is any free one")
    parser.add_argument("--model", default="", help="the only name it answers to; by default to any")
    parser.add_argument("--reply", action="append", help="what to answer; several are said in turn")
    parser.add_argument("--random-actions", type=int, metavar="SEED", help="answer with random actions")
    parser.add_argument("--recorded", type=Path, metavar="STEPS", help="repeat the answers of a steps.jsonl")
    parser.add_argument("--tokens", type=int, help="how long the engine takes every answer for")
    parser.add_argument("--latency", choices=sorted(PRESETS), default="", help="be as slow as this; else at once")
    parser.add_argument(
        "--errors", nargs="*", default=[], metavar="WHEN:WHAT",
        help="3:500 fails the third request, 5+:drop all from the fifth, /10:hang every tenth",
    )  # fmt: skip
    parser.add_argument("--load-seconds", type=float, default=0.0, help="be as one that loads its model so long")
    parser.add_argument("--die-after", type=int, metavar="N", help="end with exit code 1 at the request after these")
    return parser


def _log(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
