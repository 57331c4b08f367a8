"""`playsuite serve` as a shell sees it, with an engine in miniature in vLLM's place."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from playsuite.agents.serving.health import Health
from playsuite.core.wait import until

PLAYSUITE = Path(sys.executable).with_name("playsuite")
DOUBLE = Path(__file__).parents[1] / "agents" / "serving" / "double.py"
ROW = '[[preset]]\n[preset.model]\nname = "mine"\ncheckpoint = "maker/mine"\n'
MOST_S = 30


def hear_interrupts():
    """Undo what a shell does to its background jobs, and so to tests that run in one: ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def folder():
    """A folder with a row for a model, whose path is short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="ps-") as path:
        Path(path, "mine.toml").write_text(ROW)
        yield Path(path)


@pytest.fixture
def serve(folder):
    """Start `playsuite serve` with an engine of some vices."""
    started = []

    def start(*words, vices=(), model="mine.toml", version="0.32.0+cpu"):
        python = folder / "python"
        engine = " ".join([sys.executable, str(DOUBLE), *vices])
        python.write_text(f'#!/bin/sh\n[ "$1" = -c ] && echo vllm {version} || exec {engine} "$@"\n')
        python.chmod(0o755)
        environment = os.environ | {"PLAYSUITE_ENGINE_PYTHON": str(python), "PLAYSUITE_HOME": str(folder / "home")}
        command = [PLAYSUITE, "serve", model, "--uds", "s", *words]
        started.append(
            subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                preexec_fn=hear_interrupts,
            )
        )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate(timeout=MOST_S)


def engines(folder):
    """Return the processes of engines on sockets of `folder`."""
    marked = subprocess.run(["pgrep", "-f", f"uds {folder}"], capture_output=True, text=True, check=False)
    return marked.stdout.split()


def healthy(path):
    with Health(path) as health:
        return health.good()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_says_where_the_model_is_when_it_is_ready_and_ends_cleanly(serve, folder, number, code):
    process = serve()
    assert process.stdout.readline() == f"unix://{folder}/s\n"
    assert healthy(folder / "s")
    process.send_signal(number)
    process.communicate(timeout=MOST_S)
    assert process.returncode == code
    assert engines(folder) == []
    assert not (folder / "s").exists()


def test_it_can_be_stopped_while_the_model_loads(serve, folder):
    process = serve(vices=["--never-ready"])
    until(lambda: engines(folder), timeout=MOST_S, waiting_for="the engine to start")
    process.terminate()
    assert process.communicate(timeout=MOST_S)[0] == ""
    assert process.returncode == 0
    assert engines(folder) == []


def test_an_engine_that_cannot_start_is_one_line_with_its_reason(serve, folder):
    process = serve(vices=["--say", "'OSError: maker/mine is not a valid model identifier'", "--exit", "1"])
    said = process.communicate(timeout=MOST_S)[1].splitlines()
    assert process.returncode == 2
    assert "maker/mine is not a valid model identifier" in said[-1]
    assert str(folder / "engine.log") in said[-1]


def test_there_is_one_copy_for_every_gpu(serve, folder):
    process = serve("--gpu", "0", "--gpu", "1", version="0.32.0")
    assert process.stdout.readline() == f"unix://{folder}/s-0\n"
    assert process.stdout.readline() == f"unix://{folder}/s-1\n"
    assert healthy(folder / "s-0")
    assert healthy(folder / "s-1")


def test_further_flags_reach_the_engine(serve, folder):
    process = serve(
        "--flag", "max-model-len=8192", "--flag", 'media-io-kwargs={"video": {}}', "--flag", "enforce-eager"
    )
    process.stdout.readline()
    started = (folder / "engine.log").read_text()
    for flag in ("--enforce-eager", "--max-model-len 8192", "--media-io-kwargs '{\"video\":{}}'"):
        assert f" {flag}" in started


def test_an_engine_that_dies_is_started_again_and_this_is_said(serve, folder):
    process = serve()
    process.stdout.readline()
    for pid in engines(folder):
        os.kill(int(pid), signal.SIGKILL)
    said = until(process.stderr.readline, timeout=MOST_S, waiting_for="word of the death")
    while "started again" not in said:
        said = until(process.stderr.readline, timeout=MOST_S, waiting_for="word of the death")
    until(lambda: healthy(folder / "s"), timeout=MOST_S, waiting_for="a new engine")


def test_a_model_nobody_knows_is_one_line(serve):
    process = serve(model="qwen3-vl-8")
    said = process.communicate(timeout=MOST_S)[1]
    assert (process.returncode, len(said.splitlines())) == (2, 1)
    assert "Did you mean 'qwen3-vl-8b'?" in said
