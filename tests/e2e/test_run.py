"""Run, status and replay as a user meets them, on the fake game."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from playsuite.core.home import Home
from playsuite.core.records import Ending
from playsuite.core.store import Run
from playsuite.core.wait import until

from .conftest import PLAYSUITE, Playsuite, suite  # noqa: TID252 tests are in no package that has a name

SHORT = ("--agent", "random", "--seconds", "10", "--rate", "1", "--name", "short")
LONG = """
suite = "suite.jsonl"
agent = "random"
rate_hz = 1.0
seconds = 100000.0
max_frames = 100000000
"""


@pytest.fixture
def long_run(home: Home) -> Iterator[subprocess.Popen[str]]:
    """A run that goes on for minutes, with two episodes in flight."""
    suite(home, *({"deaf": True, "width": width} for width in (320, 322, 324)))  # deaf, so it never leaves its menu
    Path("long.toml").write_text(LONG)
    command = [PLAYSUITE, "run", "--spec", "long.toml", "--name", "long", "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=hear_interrupts)
    until(lambda: len(steps_written()) == 2, timeout=60, waiting_for="two episodes to be in flight")
    yield process
    process.kill()
    process.communicate()


def hear_interrupts() -> None:
    """Undo what a shell does to its background jobs, and so to tests that run in one: ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def steps_written() -> list[Path]:
    return [path for path in Path("runs/long/episodes").glob(".*.tmp/steps.jsonl") if path.stat().st_size]


def workers() -> list[int]:
    """Return the process ids of all workers that play in the current folder."""
    here = str(Path.cwd()).encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:  # ended since it was listed
            continue
        if b"playsuite.play.worker" in command and here in command:
            found.append(int(path.parent.name))
    return found


def test_a_run_plays_every_game_and_running_it_again_plays_nothing(home: Home, playsuite: Playsuite) -> None:
    suite(home, {}, {"game_over_at": 5}, {"deaf": True})
    first = playsuite("run", "--suite", "suite.jsonl", *SHORT, "--workers", 2)
    assert first.returncode == 0, first.stderr
    assert first.stderr.count("[3/3]") == 1
    again = playsuite("run", "--suite", "suite.jsonl", *SHORT, "--workers", 2)
    assert again.returncode == 0
    assert "[" not in again.stderr
    run = Run.open(Path(again.stdout.strip()))
    assert len(run.every_attempt()) == 3
    assert {episode.ending for episode in run.results().values()} == {Ending.TIME_UP, Ending.GAME_OVER}


def test_faults_are_results_and_the_rest_goes_on(home: Home, playsuite: Playsuite) -> None:
    suite(home, {"crash_at": 3}, {"leaks": True, "menu": False}, {"no such field": 1}, {})
    done = playsuite("run", "--suite", "suite.jsonl", *SHORT)
    assert done.returncode == 1
    assert "4 of 4 episodes played; 3 with a fault" in done.stderr
    faults = {
        episode.game: episode.fault and episode.fault.boundary
        for episode in Run.open(Path("runs/short")).results().values()
    }
    assert faults == {"test/coins0": "game", "test/coins1": "runtime", "test/coins2": "config", "test/coins3": None}
    assert len(Run.open(Path("runs/short")).every_attempt()) == 2 + 3 + 1 + 1


def test_faults_are_played_once_more_when_asked_for(home: Home, playsuite: Playsuite) -> None:
    suite(home, {"crash_at": 3}, {})
    playsuite("run", "--suite", "suite.jsonl", *SHORT)
    again = playsuite("run", "--suite", "suite.jsonl", *SHORT, "--retry-faults")
    assert again.returncode == 1
    assert "1 episodes that ended with a fault are played once more" in again.stderr
    assert "2 of 2 episodes played; 1 with a fault" in again.stderr
    assert len(Run.open(Path("runs/short")).every_attempt()) == 2 + 1 + 1


def test_status_tells_how_far_a_run_is(home: Home, playsuite: Playsuite) -> None:
    suite(home, {"crash_at": 3}, {})
    playsuite("run", "--suite", "suite.jsonl", *SHORT)
    told = msgspec.json.decode(playsuite("status", "runs/short", "--json").stdout)
    expected = {"total": 2, "done": 2, "running": 0, "stale": 0, "failed": 1, "faults": {"game": 1}, "retried": 1}
    assert {name: told[name] for name in expected} == expected
    assert "2 of 2" in playsuite("status", "runs/short").stdout


def test_replay_finds_every_frame_the_same_or_names_the_first_that_is_not(home: Home, playsuite: Playsuite) -> None:
    suite(home, {}, {"restless": True})
    playsuite("run", "--suite", "suite.jsonl", *SHORT)
    run = Run.open(Path("runs/short"))
    same, other = (run.episode_folder(item.key).path for item in run.plan)
    good = playsuite("replay", same, "--film", "smooth.mp4")
    assert (good.returncode, "identical" in good.stdout) == (0, True)
    assert Path("smooth.mp4").stat().st_size > 0
    bad = playsuite("replay", other)
    assert (bad.returncode, "differs, at 0.000 s" in bad.stdout) == (1, True)
    assert playsuite("replay", "runs/short").returncode == 1


def test_an_episode_that_cannot_be_replayed_leaves_the_others_alone(home: Home, playsuite: Playsuite) -> None:
    games = suite(home, {}, {})
    playsuite("run", "--suite", "suite.jsonl", *SHORT)
    shutil.rmtree(home.game_folder(games[0].id))
    done = playsuite("replay", "runs/short")
    first, second = done.stdout.splitlines()
    assert done.returncode == 1
    assert "test/coins0: fault of the config: " in first
    assert "test/coins1: identical" in second


def test_games_of_a_suite_file_that_are_missing_are_installed_by_that_file(home: Home, playsuite: Playsuite) -> None:
    games = suite(home, {}, {})
    shutil.rmtree(home.game_folder(games[0].id))
    done = playsuite("run", "--suite", "suite.jsonl", *SHORT)
    assert "playsuite games install suite.jsonl\n" in done.stderr


def test_a_run_that_follows_a_script_goes_on_from_anywhere(home: Home, playsuite: Playsuite, tmp_path: Path) -> None:
    suite(home, {})
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "moves.txt").write_text("space\nleft x 3\n")
    follow = ("run", "--suite", "suite.jsonl", *SHORT[2:], "--agent", "scripted")
    first = playsuite(*follow, "--option", "file=one/moves.txt")
    assert first.returncode == 0, first.stderr
    assert "[1/1]" in first.stderr
    again = playsuite(*follow, "--option", f"file={tmp_path}/two/moves.txt")
    assert again.returncode == 0, again.stderr
    assert "[1/1]" not in again.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("run", "--suite", "suite.jsonl", "--agent", "radnom"), "Did you mean 'random'"),
        (("run", "--suite", "suite.jsonl", "--rate", "0"), "rate_hz must be more than 0"),
        (("run", "--games", "test/absent", "--agent", "idle"), "playsuite games install test/absent"),
        (("run", "--suite", "suite.jsonl", "--option", "file"), "name=value"),
        (("run", "--suite", "suite.jsonl", "--agent", "model"), "--model NAME"),
        (("status", "nowhere"), "no run in 'nowhere'"),
        (("replay", "nowhere"), "no run in"),
    ],
)
def test_what_cannot_be_is_one_line_and_leaves_nothing(
    home: Home, playsuite: Playsuite, arguments: tuple[str], told: str
) -> None:
    suite(home, {})
    done = playsuite(*arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert not Path("runs").exists()


def test_a_run_of_that_name_with_another_spec_is_refused(home: Home, playsuite: Playsuite) -> None:
    suite(home, {})
    playsuite("run", "--suite", "suite.jsonl", *SHORT)
    done = playsuite("run", "--suite", "suite.jsonl", *SHORT, "--seed", 5)
    assert done.returncode == 2
    assert "seed is 0 there, 5 here" in done.stderr


def test_a_spec_file_says_the_same_as_flags(home: Home, playsuite: Playsuite) -> None:
    suite(home, {})
    playsuite("run", "--suite", "suite.jsonl", *SHORT)
    again = playsuite("run", "--spec", "runs/short/spec.toml", "--name", "short")
    assert again.returncode == 0
    assert "[" not in again.stderr


def test_ctrl_c_stops_everybody_and_keeps_what_was_done(long_run: subprocess.Popen[str]) -> None:
    players = workers()
    assert len(players) == 2
    long_run.send_signal(signal.SIGINT)
    _, said = long_run.communicate(timeout=30)
    assert long_run.returncode == 130
    assert "run the same command again" in said
    assert workers() == []
    assert Run.open(Path("runs/long")).drafts() == set()


def test_nobody_outlives_a_killed_run(long_run: subprocess.Popen[str], playsuite: Playsuite) -> None:
    long_run.kill()
    until(lambda: workers() == [], timeout=5, waiting_for="the workers to die with their parent")
    assert '"stale":2' in playsuite("status", "runs/long", "--json").stdout


def test_a_killed_worker_is_replaced_and_its_episode_played_again(long_run: subprocess.Popen[str]) -> None:
    victim = workers()[0]
    os.kill(victim, signal.SIGKILL)
    until(lambda: len(set(workers()) - {victim}) == 2, timeout=20, waiting_for="a new worker")
    until(lambda: len(steps_written()) == 2, timeout=20, waiting_for="both to play")
    (attempt,) = Run.open(Path("runs/long")).every_attempt()
    assert attempt.fault is not None
    assert attempt.fault.message == "the worker that played it was killed by SIGKILL"


def test_two_runs_of_the_same_name_share_the_work(home: Home) -> None:
    suite(home, *({"width": 320 + 2 * number} for number in range(8)))
    command = [PLAYSUITE, "run", "--suite", "suite.jsonl", *SHORT]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    for process in both:
        process.communicate()
    assert len(Run.open(Path("runs/short")).every_attempt()) == 8
