"""Models that make no sense cost their turns; servers that give no answer are a fault, never a 0."""

from pathlib import Path

import pytest

from playsuite.core.actions import ParseStatus, Wait
from playsuite.core.home import Home
from playsuite.core.records import Ending
from playsuite.core.store import Run
from playsuite.testing.server import (
    ENDLESS_THOUGHT,
    GARBAGE,
    MEGABYTE,
    RANDOM_BYTES,
    Behaviour,
    Hang,
    Reply,
    Say,
    fake_server,
)

from .conftest import Playsuite, suite  # noqa: TID252 tests are in no package that has a name

STEPS = 5
ASKED = (
    "--suite",
    "suite.jsonl",
    "--model",
    "server:nonsense",
    "--rate",
    "1",
    "--seconds",
    STEPS,
    "--name",
    "nonsense",
)
IMPATIENT = ("--option", "timeout_seconds=1", "--patience", 2)


def play(playsuite: Playsuite, behaviour: Behaviour, *more: object) -> tuple[int, Run]:
    with fake_server(behaviour) as server:
        done = playsuite("run", *ASKED, *more, "--base-url", server.base_url)
    assert "Traceback" not in done.stderr
    return done.returncode, Run.open(Path("runs/nonsense"))


@pytest.mark.parametrize(
    ("behaviour", "status"),
    [
        (RANDOM_BYTES, ParseStatus.INVALID),
        (Say(""), ParseStatus.NO_ACTION),
        (MEGABYTE, ParseStatus.NO_ACTION),
        (ENDLESS_THOUGHT, ParseStatus.TRUNCATED),
    ],
    ids=["random bytes", "nothing", "a megabyte", "endless thinking"],
)
def test_a_nonsense_answer_costs_its_turn_and_the_episode_goes_on(
    home: Home, playsuite: Playsuite, behaviour: Behaviour, status: ParseStatus
) -> None:
    suite(home, {"deaf": True})
    code, run = play(playsuite, behaviour)
    (episode,) = run.results().values()
    assert (code, episode.ending, episode.fault) == (0, Ending.TIME_UP, None)
    assert episode.parse == {status: STEPS}
    turns = [step.turn for step in run.load_episode(episode.key).steps]
    assert all(turn.notes and turn.actions == (Wait(),) for turn in turns)


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        (Reply(429, b"slow down"), "slow down"),
        (Reply(500, b"CUDA error"), "CUDA error"),
        (Hang(), "did not answer within 1 s"),
        (GARBAGE, "no chat completion"),
    ],
    ids=["too many requests", "server error", "timeout", "another site"],
)
def test_a_server_without_an_answer_is_a_fault_of_the_agent_and_never_a_zero(
    home: Home, playsuite: Playsuite, behaviour: Behaviour, told: str
) -> None:
    suite(home, {"deaf": True})
    code, run = play(playsuite, behaviour, *IMPATIENT)
    (episode,) = run.results().values()
    assert (code, episode.ending) == (1, Ending.FAULT)
    assert episode.fault is not None
    assert episode.fault.boundary == "agent"
    assert told in episode.fault.message
