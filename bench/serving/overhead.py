"""What a request costs by socket and picture format, and what a step costs a worker, part by part."""

from __future__ import annotations

import statistics
import time
from base64 import b64encode
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from bench.serving.rig import FAKE, simulated
from playsuite.agents.client import Client, Messages
from playsuite.agents.images import encode
from playsuite.agents.model import messages, view_of
from playsuite.agents.presets import find
from playsuite.core.plugins import load
from playsuite.core.protocols import Frame, Question
from playsuite.runtimes.fake import State, draw

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH, HEIGHT = 1280, 720
TIMES, WARM = 60, 5
FORMATS = {
    "JPEG q95 4:4:4": {"format": "JPEG", "quality": 95, "subsampling": 0},
    "JPEG q90 4:2:0": {"format": "JPEG", "quality": 90, "subsampling": 2},
    "PNG": {"format": "PNG"},
}
TELLING = "Observation: a coin falls\nReasoning: it falls to the right of me\nAction: hold right 0.5"


def measure() -> None:
    """Print both tables."""
    frames = {"drawn": draw(State(seed=0, playing=True), WIDTH, HEIGHT), "like a photo": photo()}
    with simulated() as unix, simulated(tcp=True) as tcp:
        print("| picture | format | KiB | made, CPU ms | Unix socket, ms | TCP, ms |\n|---|---|---|---|---|---|")
        for picture, frame in frames.items():
            for name, options in FORMATS.items():
                data = _bytes(frame, options)
                made = median_ms(lambda frame=frame, options=options: _bytes(frame, options), time.process_time, 10)
                took = [
                    round_trip_ms(server.base_url, _request(data, str(options["format"]))) for server in (unix, tcp)
                ]
                print(f"| {picture} | {name} | {len(data) / 1024:.0f} | {made:.1f} | {took[0]:.2f} | {took[1]:.2f} |")
        print("\n| part of a step | picture | CPU ms |\n|---|---|---|")
        for picture, frame in frames.items():
            for part, milliseconds in parts_of_a_step(frame, unix.base_url).items():
                print(f"| {part} | {picture} | {milliseconds:.2f} |")


def photo() -> Frame:
    """Return a picture as hard to compress as a photo: soft shapes under a little grain."""
    random = np.random.default_rng(0)
    soft = Image.fromarray(random.integers(0, 256, (HEIGHT // 40, WIDTH // 40, 3), np.uint8))
    shapes = np.asarray(soft.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC), np.int16)
    return (shapes + random.integers(-6, 7, shapes.shape)).clip(0, 255).astype(np.uint8)


def parts_of_a_step(frame: Frame, base_url: str) -> dict[str, float]:
    """Return the processor milliseconds of what the player does for one step, apart from the game."""
    model = find("server:fake").model
    adapter = load("adapters", model.adapter)
    view = view_of(model, adapter, (WIDTH, HEIGHT), max_width=WIDTH, max_height=HEIGHT)
    question = Question(FAKE, view)
    jpeg, prompt = encode(frame, view.picture), adapter.render(question)
    asked = messages(prompt, jpeg, {})
    client = Client(base_url)
    try:
        parts: dict[str, Callable[[], object]] = {
            "encode the frame": lambda: encode(frame, view.picture),
            "render the prompt, picture put in": lambda: messages(adapter.render(question), jpeg, {}),
            "request: encode, send, receive, decode": lambda: client.complete(asked, model="fake", max_tokens=512),
            "parse the answer": lambda: adapter.parse(TELLING, view, finish_reason="stop"),
        }
        return {name: mean_cpu_ms(part) for name, part in parts.items()}
    finally:
        client.close()


def round_trip_ms(base_url: str, request: Messages) -> float:
    """Return the median milliseconds of a request to a server that answers at once."""
    client = Client(base_url)
    try:
        return median_ms(lambda: client.complete(request, model="fake", max_tokens=512), time.perf_counter, TIMES)
    finally:
        client.close()


def median_ms(work: Callable[[], object], clock: Callable[[], float], times: int) -> float:
    """Return the median milliseconds of some work by a clock, once it is warm."""
    took = []
    for _ in range(WARM + times):
        begun = clock()
        work()
        took.append(clock() - begun)
    return 1000 * statistics.median(took[WARM:])


def mean_cpu_ms(work: Callable[[], object]) -> float:
    """Return the mean processor milliseconds of some work: its parts are too short for a clock to be read each time."""
    for _ in range(WARM):
        work()
    begun = time.process_time()
    for _ in range(TIMES):
        work()
    return 1000 * (time.process_time() - begun) / TIMES


def _bytes(frame: Frame, options: dict[str, object]) -> bytes:
    encoded = BytesIO()
    Image.fromarray(frame).save(encoded, **options)
    return encoded.getvalue()


def _request(picture: bytes, form: str) -> Messages:
    url = f"data:image/{form.lower()};base64," + b64encode(picture).decode("ascii")
    text = {"type": "text", "text": "What do you do? " * 200}
    return [{"role": "user", "content": [text, {"type": "image_url", "image_url": {"url": url}}]}]
