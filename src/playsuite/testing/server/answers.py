"""What the fake server's answers look like, byte for byte as vLLM's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from playsuite.testing.server.prompts import CHARACTERS_PER_TOKEN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playsuite.testing.server.behaviours import Say
    from playsuite.testing.server.latency import Timing
    from playsuite.testing.server.prompts import Prompt


class Answer(Struct, frozen=True):
    """What is said to one request, `max_tokens` considered."""

    text: str
    tokens: int
    finish_reason: str


def cut(say: Say, max_tokens: int | None) -> Answer:
    """Cut an answer off where the request's limit is."""
    tokens = say.tokens if say.tokens is not None else tokens_of(say.text)
    if max_tokens is None or tokens <= max_tokens:
        return Answer(say.text, tokens, say.finish_reason or "stop")
    return Answer(say.text[: max_tokens * CHARACTERS_PER_TOKEN], max_tokens, say.finish_reason or "length")


def completion(
    answer: Answer, *, model: str, number: int, usage: Mapping[str, Any], timing: Timing | None
) -> dict[str, Any]:
    """Write a chat completion."""
    message = {"role": "assistant", "content": answer.text}
    written: dict[str, Any] = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish_reason}],
        "usage": usage,
    }
    return written if timing is None else written | {"metrics": _metrics(timing, answer.tokens)}


def usage(prompt: Prompt, answer: Answer) -> dict[str, Any]:
    """Write what a request cost."""
    return {
        "prompt_tokens": prompt.tokens,
        "prompt_tokens_details": {"cached_tokens": prompt.cached},
        "completion_tokens": answer.tokens,
        "total_tokens": prompt.tokens + answer.tokens,
    }


def tokens_of(text: str) -> int:
    """Count the tokens of a text, roughly."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def models(names: Sequence[str]) -> dict[str, Any]:
    """Write the list of models."""
    return {"object": "list", "data": [{"id": name, "object": "model", "owned_by": "playsuite"} for name in names]}


def error(status: int, message: str) -> bytes:
    """Write a refusal."""
    return msgspec.json.encode({"error": {"message": message, "type": "Error", "param": None, "code": status}})


def prometheus(values: Mapping[str, float]) -> str:
    """Write gauges and counters, by name, for /metrics."""
    return "".join(f"{name} {value:g}\n" for name, value in values.items())


def _metrics(timing: Timing, tokens: int) -> dict[str, float]:
    return {
        "queue_time_ms": timing.queue_seconds * 1000,
        "time_to_first_token_ms": timing.first_token_seconds * 1000,
        "generation_time_ms": timing.generation_seconds * 1000,
        "mean_itl_ms": timing.generation_seconds * 1000 / max(tokens - 1, 1),
    }
