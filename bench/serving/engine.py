"""Requests a second of a tiny real model on vLLM, on this CPU: how much asking at the same time gains."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from bench.serving.rig import ROOT
from playsuite.agents.client import Client
from playsuite.agents.images import encode
from playsuite.agents.model import messages
from playsuite.agents.serving.engine import find_engine
from playsuite.agents.serving.serve import serving
from playsuite.core.errors import ConfigError
from playsuite.core.home import Home
from playsuite.core.protocols import Prompt, Shown
from playsuite.core.records import Model, Preset, Serving
from playsuite.runtimes.fake import State, draw

WIDTH, HEIGHT = 1280, 720
CLIENTS = (1, 2, 4, 8, 16)
TOKENS = 32
SECONDS = 15.0
MAKING_S, TIMEOUT_S = 200, 120.0
QUIET = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "2"}
"""Nothing is looked up on a network, and a model this small only waits for more threads."""


def measure() -> None:
    """Make the model, serve it, ask it; one line if there is no engine here."""
    try:
        python = find_engine(Home.here()).python
    except ConfigError as error:
        print(f"not measured: {error}")
        return
    os.environ.update(QUIET)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        model, logs = Path(folder, "model"), Path(folder, "logs")
        logs.mkdir()
        command = [python, ROOT / "scripts" / "make_tiny_model.py", "qwen3-vl", model]
        subprocess.run(command, check=True, timeout=MAKING_S, capture_output=True)
        preset = Preset(
            model=Model(name="tiny", checkpoint=str(model), served_name="tiny", flags={"max-model-len": 16384}),
            serving=Serving(max_num_seqs=16),
        )
        begun = time.monotonic()
        with serving(preset, folder=logs, log=print) as served:
            print(f"healthy after {time.monotonic() - begun:.0f} s\n")
            _table(served.urls[0])


def _table(url: str) -> None:
    print("| clients | requests/s | median s | against one client |\n|---|---|---|---|")
    ask_for(url, SECONDS / 3, 0)  # the first requests compile
    alone = 0.0
    for count in CLIENTS:
        begun = time.monotonic()
        with ThreadPoolExecutor(count) as pool:
            took = [second for each in pool.map(lambda n: ask_for(url, SECONDS, n), range(count)) for second in each]
        rate = len(took) / (time.monotonic() - begun)
        alone = alone or rate
        print(f"| {count} | {rate:.2f} | {statistics.median(took):.2f} | {rate / alone:.1f} |", flush=True)


def ask_for(url: str, seconds: float, number: int) -> list[float]:
    """Ask again and again, each time about another picture; return how long each answer took."""
    random, took = np.random.default_rng(number), []
    prompt = Prompt("You play a game.", (Shown(), "What do you do?"))
    client = Client(url, timeout_seconds=TIMEOUT_S)
    end = time.monotonic() + seconds
    try:
        while (begun := time.monotonic()) < end:
            state = State(seed=0, playing=True, coin_x=random.random(), coin_y=random.random(), score=number)
            jpeg = encode(draw(state, WIDTH, HEIGHT), (WIDTH, HEIGHT))
            client.complete(messages(prompt, jpeg, {}), model="tiny", max_tokens=TOKENS, ignore_eos=True)
            took.append(time.monotonic() - begun)
    finally:
        client.close()
    return took
