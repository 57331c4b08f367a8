"""The real vLLM, with tiny models: what the client asks of a server, this one answers."""

from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, Literal

import av
import httpx
import msgspec
import numpy as np
import pytest
from msgspec import Meta, Struct

from playsuite.agents.client import Client, Completion
from playsuite.agents.images import encode, picture_size
from playsuite.agents.serving.health import Health
from playsuite.agents.wire import completion
from playsuite.core.errors import AgentError
from playsuite.core.records import PictureRule

pytestmark = [pytest.mark.serving, pytest.mark.timeout(900)]

FRAME = 1280, 720
RULE = PictureRule(factor=32, min_pixels=65536, max_pixels=16777216)
"""How a Qwen3-VL stretches a picture before it reads it, one token for each 32x32 pixels."""
AROUND_A_PICTURE = 2
"""Tokens that mark its begin and its end."""
CACHE_BLOCK = 128
"""Tokens; only whole blocks are kept."""
LONGEST_STEP = 2048
"""Tokens that the engine reads at once on the CPU."""
AT_ONCE, ANSWER_TOKENS = 8, 48


class Answer(Struct, forbid_unknown_fields=True):
    key: Literal["up", "down", "left", "right"]
    presses: Annotated[int, Meta(ge=1, le=9)]
    why: Annotated[str, Meta(min_length=1, max_length=20)]


SCHEMA = {
    "type": "object",
    "properties": {
        "key": {"enum": ["up", "down", "left", "right"]},
        "presses": {"type": "integer", "minimum": 1, "maximum": 9},
        # Held only by a length, noise would put control characters into the string, which no JSON may have.
        "why": {"type": "string", "pattern": "^[a-z ]{1,20}$"},
    },
    "required": ["key", "presses", "why"],
    "additionalProperties": False,
}
AS_SCHEMA = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True}}


@pytest.fixture
def player(player_url: str) -> Iterator[Client]:
    with closing(Client(player_url)) as client:
        yield client


@pytest.fixture
def judge(judge_url: str) -> Iterator[Client]:
    with closing(Client(judge_url)) as client:
        yield client


def ask(client: Client, messages: list[dict[str, Any]], **sampling: Any) -> Completion:
    return client.complete(messages, **{"model": "tiny", "seed": 0, "max_tokens": 16} | sampling)


def user(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": "What now?"}, *parts]}


def picture(number: int, size: tuple[int, int] = FRAME) -> dict[str, Any]:
    """Return a picture unlike those of other numbers."""
    width, height = size
    jpeg = encode(np.random.default_rng(number).integers(0, 256, (height, width, 3), dtype=np.uint8), size)
    return {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{b64encode(jpeg).decode()}"}}


def counted(url: str, name: str) -> float:
    """Return one of the counters that the engine itself publishes."""
    with httpx.Client(transport=httpx.HTTPTransport(uds=url.removeprefix("unix://"))) as http:
        lines = http.get("http://localhost/metrics").text.splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith((f"{name}{{", f"{name} ")))


def write_film(path: Path, *, seconds: int) -> Path:
    """Write a film of one picture a second in which a bar moves."""
    with av.open(path, "w") as film:
        stream = film.add_stream("libx264", rate=1)
        stream.width, stream.height, stream.pix_fmt = 512, 288, "yuv420p"
        for second in range(seconds):
            pixels = np.zeros((288, 512, 3), np.uint8)
            pixels[:, 20 * second : 20 * second + 40] = 255
            film.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        film.mux(stream.encode())
    return path


def test_a_server_that_is_ready_is_healthy(player_url: str) -> None:
    with Health(Path(player_url.removeprefix("unix://"))) as health:
        assert health.good()


@pytest.mark.parametrize("size", [FRAME, (800, 600), (640, 480), (400, 300), (333, 517), (97, 61)])
def test_a_picture_is_read_at_the_size_we_reckon_with(player: Client, size: tuple[int, int]) -> None:
    said = ask(player, [user(picture(0, size))], ignore_eos=True)
    blind = ask(player, [user()])
    width, height = picture_size(size, RULE, max_width=size[0], max_height=size[1])
    tokens = width * height / RULE.factor**2 + AROUND_A_PICTURE
    assert said.usage.prompt_tokens - blind.usage.prompt_tokens == tokens
    assert (said.finish_reason, said.usage.completion_tokens) == ("length", 16)
    assert said.usage.seconds > 0


def test_a_conversation_that_only_grows_is_read_from_the_cache(player: Client) -> None:
    messages = [user(picture(1))]
    for number in (2, 3):
        said = ask(player, messages)
        messages += [{"role": "assistant", "content": "press('up')"}, user(picture(number))]
    cached = ask(player, messages).usage.cached_tokens
    # The answer in the conversation is ours, so the last block before it may not be the same.
    assert cached >= said.usage.prompt_tokens - CACHE_BLOCK


def test_a_schema_holds_the_answer(player: Client) -> None:
    said = ask(player, [user(picture(4))], max_tokens=200, response_format=AS_SCHEMA)
    assert said.finish_reason == "stop"
    msgspec.json.decode(said.text, type=Answer)


def test_requests_in_flight_share_the_engines_steps(player_url: str) -> None:
    def one(number: int) -> Completion:
        with closing(Client(player_url)) as client:
            return ask(client, [user(picture(10 + number))], max_tokens=ANSWER_TOKENS, ignore_eos=True)

    steps = counted(player_url, "vllm:iteration_tokens_total_count")
    with ThreadPoolExecutor(AT_ONCE) as crowd:
        answers = list(crowd.map(one, range(AT_ONCE)))
    steps = counted(player_url, "vllm:iteration_tokens_total_count") - steps
    tokens = sum(answer.usage.completion_tokens for answer in answers)
    assert tokens == AT_ONCE * ANSWER_TOKENS
    assert steps < tokens / 2


def test_an_answer_says_how_long_the_model_took_without_the_queue(player_url: str) -> None:
    question = {"model": "tiny", "messages": [user()], "max_tokens": 8, "ignore_eos": True}
    with httpx.Client(transport=httpx.HTTPTransport(uds=player_url.removeprefix("unix://")), timeout=60) as http:
        answer = http.post("http://localhost/v1/chat/completions", json=question)
    told = answer.json()["metrics"]
    seconds = completion(answer.content, answer.headers, measured_seconds=1000.0).usage.seconds
    assert seconds == pytest.approx((told["time_to_first_token_ms"] + told["generation_time_ms"]) / 1000)


def test_a_prompt_read_in_several_steps_may_have_a_seed(player: Client) -> None:
    """Without our repair vLLM's processes end of this on the CPU."""
    long = {"type": "text", "text": "left or right? " * 800}
    said = ask(player, [user(long)], seed=41)
    assert said.usage.prompt_tokens > LONGEST_STEP


def test_a_model_that_is_not_served_is_refused_by_name(player: Client) -> None:
    with pytest.raises(AgentError, match=r"404.*other"):
        ask(player, [user()], model="other")


@pytest.mark.parametrize("form", ["data", "file"])
def test_a_film_is_watched_and_judged_in_a_schema(judge: Client, films: Path, form: str) -> None:
    film = write_film(films / f"{form}.mp4", seconds=20)
    url = f"data:video/mp4;base64,{b64encode(film.read_bytes()).decode()}" if form == "data" else film.as_uri()
    video = {"type": "video_url", "video_url": {"url": url}}
    said = ask(judge, [user(video)], max_tokens=200, response_format=AS_SCHEMA)
    msgspec.json.decode(said.text, type=Answer)
    blind = ask(judge, [user()], max_tokens=1)
    assert said.usage.prompt_tokens - blind.usage.prompt_tokens > 1000


def test_a_film_elsewhere_is_not_opened(judge: Client, tmp_path: Path) -> None:
    film = write_film(tmp_path / "secret.mp4", seconds=2)
    with pytest.raises(AgentError, match="400"):
        ask(judge, [user({"type": "video_url", "video_url": {"url": film.as_uri()}})])
