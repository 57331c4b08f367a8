"""A real game, played by a real model behind the real engine, which is killed while it is played."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from playsuite.core.home import Home
from playsuite.core.records import Ending
from playsuite.core.store import Run
from playsuite.core.wait import until

pytestmark = [pytest.mark.serving, pytest.mark.games, pytest.mark.timeout(1500)]

PLAYSUITE = Path(sys.executable).with_name("playsuite")
GAME = "debian/funnyboat"
ROW = """
[[preset]]
[preset.model]
name = "tiny"
checkpoint = "{folder}"
adapter = "qwen3"
picture = {{ factor = 32, min_pixels = 65536, max_pixels = 16777216 }}
sampling = {{ max_tokens = 24 }}
# Random weights say nothing by themselves; so they can only choose among actions.
request = {{ structured_outputs = {{ regex = "Action: (left|right|space|click:[1-9][0-9]{{2}},[1-9][0-9]{{2}})" }} }}
flags = {{ max-model-len = 16384 }}
[preset.serving]
max_num_seqs = 8
"""
WORKERS, REPEATS, SECONDS = 4, 4, 45
READY_S, PLAY_S = 400, 900


@pytest.fixture
def here(
    tmp_path: Path, games_home: Path, engine_python: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A folder with the row of the tiny model in it, and a home with the game."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLAYSUITE_HOME", str(games_home))
    monkeypatch.setenv("PLAYSUITE_ENGINE_PYTHON", str(engine_python))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    Path("tiny.toml").write_text(ROW.format(folder=tiny_model))
    subprocess.run([PLAYSUITE, "games", "install", GAME], check=True, timeout=300)
    assert GAME in Home(games_home).all_installed()
    return tmp_path


@pytest.fixture
def served(here: Path) -> Iterator[subprocess.Popen[str]]:
    """`playsuite serve` with the tiny model, ready."""
    command = [PLAYSUITE, "serve", "tiny.toml", "--uds", "m.sock", "--ready-seconds", str(READY_S)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert process.stdout.readline().strip() == f"unix://{here}/m.sock", Path("engine.log").read_text()[-3000:]
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(120)


def engine_of(keeper: int) -> list[int]:
    """Return the process of the engine's server below `playsuite serve`; its own children are not named so."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (path / "cmdline").read_bytes()
            if b"vllm.entrypoints" in words and b"keeper" not in words and keeper in ancestors(int(path.name)):
                found.append(int(path.name))
    return found


def ancestors(pid: int) -> Iterator[int]:
    while pid > 1:
        status = Path(f"/proc/{pid}/status").read_text()
        pid = int(re.findall(r"^PPid:\s+(\d+)", status, re.MULTILINE)[0])
        yield pid


def steps_written(name: str) -> int:
    drafts = Path(f"runs/{name}/episodes").glob(".*.tmp/steps.jsonl")
    return sum(draft.read_bytes().count(b"\n") for draft in drafts)


def played(name: str) -> Run:
    run = Run.open(Path("runs") / name)
    results = run.results()
    assert len(results) == len(run.plan) == REPEATS
    for episode in results.values():
        assert episode.fault is None
        assert episode.ending in {Ending.TIME_UP, Ending.GAME_OVER}
        assert set(episode.parse) == {"ok"}
    return run


def test_a_killed_engine_costs_a_run_nothing(served: subprocess.Popen[str]) -> None:
    command = [PLAYSUITE, "run", "--name", "killed", "--model", "tiny.toml", "--games", GAME]
    command += ["--repeats", str(REPEATS), "--workers", str(WORKERS), "--seconds", str(SECONDS), "--twins", "0"]
    command += ["--base-url", f"unix://{Path.cwd()}/m.sock", "--patience", str(READY_S)]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        until(
            lambda: run.poll() is not None or steps_written("killed") >= 2 * WORKERS,
            timeout=PLAY_S, waiting_for="every worker to be playing",
        )  # fmt: skip
        assert run.poll() is None, run.communicate()[1]
        (engine,) = engine_of(served.pid)
        os.kill(engine, signal.SIGKILL)
        _, told = run.communicate(timeout=PLAY_S)
    finally:
        run.kill()
        run.wait(30)
    assert run.returncode == 0, told
    # Not even an attempt was lost: each worker waited for the engine to be there again.
    assert len(played("killed").every_attempt()) == REPEATS
    assert engine_of(served.pid) != [engine]


def test_a_run_serves_its_model_itself_and_leaves_nothing_behind(here: Path) -> None:
    command = [PLAYSUITE, "run", "--name", "own", "--model", "tiny.toml", "--games", GAME]
    command += ["--repeats", str(REPEATS), "--workers", "2", "--seconds", "10", "--twins", "0"]
    others = engine_of(os.getpid())  # those of this session
    done = subprocess.run(command, capture_output=True, text=True, timeout=PLAY_S, check=False)
    assert done.returncode == 0, done.stderr
    steps = [step for key in played("own").finished() for step in played("own").load_episode(key).steps]
    assert all(step.turn.usage.prompt_tokens > 500 for step in steps)  # the picture was among them
    # What is constant stands first, so the server computed it once.
    assert max(step.turn.usage.cached_tokens for step in steps) > 0
    assert list(Path("runs/own/engines").glob("*/engine-0.log"))
    assert engine_of(os.getpid()) == others


def test_a_socket_nobody_serves_is_a_fault_and_not_a_score(here: Path) -> None:
    command = [PLAYSUITE, "run", "--name", "dead", "--model", "tiny.toml", "--games", GAME, "--seconds", "10"]
    done = subprocess.run(
        [*command, "--base-url", f"unix://{here}/nobody.sock", "--patience", "1"],
        capture_output=True, text=True, timeout=PLAY_S, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    (episode,) = Run.open(Path("runs/dead")).results().values()
    assert (episode.ending, episode.fault and episode.fault.boundary) == (Ending.FAULT, "agent")
