"""The words of an OpenAI-compatible server: what it answers, what that cost, what it asks for."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from playsuite.core.errors import AgentError
from playsuite.core.records import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Messages: TypeAlias = list[dict[str, Any]]
"""The messages of a chat, in the wire's own form."""

MOST_NAMES = 12
"""A message names at most so many models; a provider may have hundreds."""


class Completion(Struct, frozen=True):
    """What a model said, and what it cost."""

    text: str
    finish_reason: str = ""
    reasoning: str = ""
    """Thoughts the server took out of the text."""
    usage: Usage = Usage()


def completion(body: bytes, headers: Mapping[str, str], *, measured_seconds: float) -> Completion:
    """Read an answer.

    Raises:
        AgentError: it is no chat completion.
    """
    reply = _decoded(body, _Reply, "chat completion")
    message, tokens = reply.choices[0].message, reply.usage or _Tokens()
    details = tokens.prompt_tokens_details or _PromptDetails()
    return Completion(
        text=_text(message.content),
        finish_reason=reply.choices[0].finish_reason or "",
        reasoning=message.reasoning_content or message.reasoning or "",
        usage=Usage(
            _server_seconds(headers, reply) or measured_seconds,
            tokens.prompt_tokens or 0,
            tokens.completion_tokens or 0,
            details.cached_tokens or 0,
        ),
    )


def names(body: bytes) -> list[str]:
    """Read the names of the models a server has.

    Raises:
        AgentError: it is no list of models.
    """
    return [model.id for model in _decoded(body, _Models, "list of models").data]


def not_served(name: str, served: Sequence[str]) -> str:
    """Say that a server has no model of that name, and which it has."""
    close = get_close_matches(name, served, n=1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    more = f" and {len(served) - MOST_NAMES} more" if len(served) > MOST_NAMES else ""
    return f"The server has no model '{name}'.{hint} It has: {', '.join(served[:MOST_NAMES])}{more}"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a server asks to be left alone; None if it does not say."""
    with suppress(ValueError):
        seconds = float(headers.get("retry-after", ""))
        return seconds if 0 <= seconds < math.inf else None
    return None


def excerpt(body: bytes) -> str:
    """Return the beginning of an answer, for a message."""
    return repr(body[:300].decode("utf-8", "replace").strip())


class _Message(Struct, frozen=True):
    content: str | list[dict[str, Any]] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(Struct, frozen=True):
    message: _Message
    finish_reason: str | None = None


class _PromptDetails(Struct, frozen=True):
    cached_tokens: int | None = None


class _Tokens(Struct, frozen=True):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _PromptDetails | None = None


class _Reply(Struct, frozen=True):
    choices: Annotated[list[_Choice], Meta(min_length=1)]
    usage: _Tokens | None = None
    metrics: Any = None
    """Of vLLM, if it was started with --enable-per-request-metrics."""
    timings: Any = None
    """Of llama-server."""


class _Model(Struct, frozen=True):
    id: str


class _Models(Struct, frozen=True):
    data: list[_Model]


Decoded = TypeVar("Decoded", _Reply, _Models)


def _decoded(body: bytes, kind: type[Decoded], what: str) -> Decoded:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        with suppress(ValueError, RecursionError):
            return msgspec.json.decode(_mended(body), type=kind)
        raise AgentError(f"something that is no {what} ({error}): {excerpt(body)}") from error


def _mended(body: bytes) -> bytes:
    """Replace halves of characters, as gateways written in JavaScript make them when they cut a text off.

    Raises:
        ValueError: it is no JSON.
    """
    return json.dumps(json.loads(body), ensure_ascii=False).encode("utf-8", "replace")


def _text(content: str | list[dict[str, Any]] | None) -> str:
    """Join the texts of a message, which some providers send in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content)
    return content or ""


def _server_seconds(headers: Mapping[str, str], reply: _Reply) -> float:
    """Return the time the server says the model took; 0 if it does not say.

    Where the server tells its parts, the wait for a place in the batch is none of them: it says how many others ask,
    not how fast the model is.
    """
    said = headers.get("openai-processing-ms", "")
    if said.isascii() and said.isdigit():
        return int(said) / 1000
    told = _sum(reply.metrics, "time_to_first_token_ms", "generation_time_ms")
    return (told or _sum(reply.timings, "prompt_ms", "predicted_ms")) / 1000


def _sum(table: Any, *names: str) -> float:
    values = [table.get(name) for name in names] if isinstance(table, dict) else []
    return sum(value for value in values if isinstance(value, int | float))
