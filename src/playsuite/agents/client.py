"""Ask an OpenAI-compatible server, over TCP or a Unix socket, and never wait longer than a deadline."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from playsuite.core.errors import AgentError, ConfigError
from playsuite.core.records import Usage
from playsuite.core.wait import until

if TYPE_CHECKING:
    import httpx

Messages: TypeAlias = list[dict[str, Any]]
"""The messages of a chat, in the wire's own form."""

ATTEMPTS = 3
"""A request is made at most so often, and only repeated where that can help."""
LONGEST_PAUSE_S = 10.0
"""A busy server may ask for a pause; it gets at most this long a one."""
CONNECT_S = 10.0
LARGEST_ANSWER = 16 * 2**20
"""Bytes."""
OK, BUSY, FIRST_SERVER_ERROR = 200, 429, 500
ADVICE = {
    401: "Set OPENAI_API_KEY",
    403: "Set OPENAI_API_KEY",
    404: "Check the base URL (it usually ends in /v1) and the name of the model",
}


class Completion(Struct, frozen=True):
    """What a model said, and what it cost."""

    text: str
    finish_reason: str = ""
    reasoning: str = ""
    """Thoughts the server took out of the text."""
    usage: Usage = Usage()


class _AgainError(Exception):
    """This attempt failed in a way that another one may not."""

    def __init__(self, problem: str, pause_s: float = 0.0) -> None:
        super().__init__(problem)
        self.pause_s = min(pause_s, LONGEST_PAUSE_S)


class Client:
    """A connection to one server, kept open between requests."""

    def __init__(self, base_url: str, *, api_key: str = "", timeout_seconds: float = 180.0) -> None:
        """Prepare to ask the server at `base_url`, `http://HOST:PORT/v1` or `unix:///PATH`; nothing is sent yet.

        Raises:
            ConfigError: that is no such address.
        """
        self._place = base_url
        self._timeout_seconds = timeout_seconds
        self._http = _connection(base_url, api_key)

    def complete(self, messages: Messages, **sampling: Any) -> Completion:
        """Ask for the next message of a chat.

        Raises:
            AgentError: the server is dead, refuses, misses the deadline or answers nonsense.
        """
        request = msgspec.json.encode({"messages": messages, **sampling})
        deadline = time.monotonic() + self._timeout_seconds
        problems = []
        for _ in range(ATTEMPTS):
            try:
                return self._attempt(request, deadline)
            except _AgainError as again:
                problems.append(str(again))
                self._pause(again.pause_s, deadline)
        raise AgentError(f"{self._place} failed {ATTEMPTS} times, at last: {problems[-1]}. Is the server running?")

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def _attempt(self, request: bytes, deadline: float) -> Completion:
        begun = time.monotonic()
        response, body = self._post(request, deadline)
        status = response.status_code
        if status == BUSY or status >= FIRST_SERVER_ERROR:
            raise _AgainError(f"status {status}: {_excerpt(body)}", _retry_after(response))
        if status != OK:
            advice = ADVICE.get(status, "Check the request's model and settings")
            raise AgentError(f"{self._place} refused the request with status {status}: {_excerpt(body)}. {advice}")
        return _completion(body, _server_seconds(response) or time.monotonic() - begun, self._place)

    def _post(self, request: bytes, deadline: float) -> tuple[httpx.Response, bytes]:
        import httpx

        left = deadline - time.monotonic()
        if left <= 0:
            raise self._late()
        timeout = httpx.Timeout(left, connect=min(left, CONNECT_S))
        try:
            with self._http.stream("POST", "chat/completions", content=request, timeout=timeout) as response:
                return response, self._body(response, deadline)
        except httpx.ConnectTimeout as error:
            raise _AgainError(f"no connection within {min(left, CONNECT_S):g} s") from error
        except httpx.TimeoutException as error:
            raise self._late() from error
        except httpx.RequestError as error:
            raise _AgainError(f"{type(error).__name__}: {error}") from error

    def _body(self, response: httpx.Response, deadline: float) -> bytes:
        """Read an answer; httpx bounds the wait for each piece, not the sum of them, nor the size."""
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            if time.monotonic() > deadline:
                raise self._late()
            if len(body) > LARGEST_ANSWER:
                raise AgentError(f"{self._place} sent more than {LARGEST_ANSWER} bytes for one answer")
        return bytes(body)

    def _pause(self, seconds: float, deadline: float) -> None:
        if time.monotonic() + seconds >= deadline:
            return  # The next attempt would come too late, and says so by itself.
        end = time.monotonic() + seconds
        until(lambda: time.monotonic() >= end, timeout=seconds + 1, waiting_for="a busy model server's pause to end")

    def _late(self) -> AgentError:
        return AgentError(f"{self._place} did not answer within {self._timeout_seconds:g} s")


def _connection(base_url: str, api_key: str) -> httpx.Client:
    import httpx

    headers = {"Content-Type": "application/json"}
    if api_key:
        headers["Authorization"] = f"Bearer {api_key}"
    if base_url.startswith("unix://"):
        socket = httpx.HTTPTransport(uds=base_url.removeprefix("unix://"))
        return httpx.Client(base_url="http://localhost/v1", headers=headers, transport=socket)
    if not base_url.startswith(("http://", "https://")):
        raise ConfigError(f"'{base_url}' is no address of a server. Wanted: http://HOST:PORT/v1 or unix:///PATH")
    try:
        return httpx.Client(base_url=base_url, headers=headers)
    except (httpx.InvalidURL, ValueError) as error:
        raise ConfigError(f"'{base_url}' is no address of a server: {error}") from error


class _Message(Struct, frozen=True):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(Struct, frozen=True):
    message: _Message
    finish_reason: str | None = None


class _PromptDetails(Struct, frozen=True):
    cached_tokens: int | None = None


class _Tokens(Struct, frozen=True):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _PromptDetails | None = None


class _Reply(Struct, frozen=True):
    choices: Annotated[list[_Choice], Meta(min_length=1)]
    usage: _Tokens | None = None


def _completion(body: bytes, seconds: float, place: str) -> Completion:
    try:
        reply = msgspec.json.decode(body, type=_Reply)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise AgentError(f"{place} sent something that is no chat completion ({error}): {_excerpt(body)}") from error
    message, tokens = reply.choices[0].message, reply.usage or _Tokens()
    cached = tokens.prompt_tokens_details.cached_tokens if tokens.prompt_tokens_details else 0
    return Completion(
        text=message.content or "",
        finish_reason=reply.choices[0].finish_reason or "",
        reasoning=message.reasoning_content or message.reasoning or "",
        usage=Usage(seconds, tokens.prompt_tokens, tokens.completion_tokens, cached or 0),
    )


def _server_seconds(response: httpx.Response) -> float:
    """Return the time the server says it took; 0 if it does not say."""
    return _whole(response.headers.get("openai-processing-ms", "")) / 1000


def _retry_after(response: httpx.Response) -> float:
    return _whole(response.headers.get("retry-after", ""))


def _whole(text: str) -> float:
    return float(text) if text.isascii() and text.isdigit() else 0.0


def _excerpt(body: bytes) -> str:
    return repr(body[:300].decode("utf-8", "replace").strip())
