"""The routes of the fake server."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from playsuite.testing.server import answers
from playsuite.testing.server.behaviours import Die, Drop, Hang, Reply, Say, Trickle
from playsuite.testing.server.state import ANY_NAME, Asked, Fake, metrics

if TYPE_CHECKING:
    from aiohttp import web

OK, BAD_REQUEST, NOT_FOUND, NOT_READY = 200, 400, 404, 503
LARGEST_REQUEST = 256 * 2**20
"""Bytes."""
TRICKLED_BYTES, TRICKLE_S = 1_000_000, 0.05
LAST_WORDS = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."


def application(fake: Fake) -> web.Application:
    """Make the web application of a fake server."""
    from aiohttp import web

    app = web.Application(client_max_size=LARGEST_REQUEST)
    routes = _Routes(fake)
    app.router.add_get("/health", routes.health)
    app.router.add_get("/v1/models", routes.models)
    app.router.add_get("/metrics", routes.metrics)
    app.router.add_post("/v1/chat/completions", routes.complete)
    return app


class _Routes:
    def __init__(self, fake: Fake) -> None:
        self._fake = fake

    async def health(self, request: web.Request) -> web.StreamResponse:
        self._fake.counts.health_checks += 1
        return _response(OK if self._fake.ready and self._fake.well else NOT_READY, b"")

    async def models(self, request: web.Request) -> web.StreamResponse:
        return _json(answers.models(self._fake.models or (ANY_NAME,)))

    async def metrics(self, request: web.Request) -> web.StreamResponse:
        return _response(OK, answers.prometheus(metrics(self._fake)).encode(), content_type="text/plain")

    async def complete(self, request: web.Request) -> web.StreamResponse:
        if not self._fake.ready:
            return _refusal(NOT_READY, "the model is being loaded")
        body = await request.read()
        number, counts = self._fake.counts.requests, self._fake.counts
        counts.requests += 1
        counts.in_flight += 1
        counts.largest_in_flight = max(counts.largest_in_flight, counts.in_flight)
        try:
            return await self._answer(request, body, number)
        finally:
            counts.in_flight -= 1

    async def _answer(self, request: web.Request, body: bytes, number: int) -> web.StreamResponse:
        try:
            asked = msgspec.json.decode(body, type=dict[str, Any])
        except msgspec.MsgspecError as error:
            return _refusal(BAD_REQUEST, f"the request is no JSON object: {error}")
        if self._fake.keep:
            self._fake.asked.append(Asked(request.path, request.headers.get("Authorization"), asked))
        match self._fake.script(number):
            case Say() as say:
                return await self._say(say, asked, number)
            case Reply(status, content, headers):
                return _response(status, content, headers)
            case Drop():
                return _drop(request)
            case Hang():
                await asyncio.Event().wait()
            case Trickle():
                await _trickle(request)
            case Die():
                _die()
        raise AssertionError("does not end by itself")

    async def _say(self, say: Say, asked: dict[str, Any], number: int) -> web.StreamResponse:
        if refusal := _objection(asked, self._fake.models):
            return _refusal(*refusal)
        answer = answers.cut(say, asked.get("max_tokens") or asked.get("max_completion_tokens"))
        prompt = self._fake.cache.read(asked["messages"])
        engine, fresh = self._fake.engine, prompt.tokens - prompt.cached
        timing = await engine.serve(answer.tokens, prompt=fresh) if engine else None
        self._fake.counts.succeeded += 1
        self._fake.counts.prompt_tokens += prompt.tokens
        self._fake.counts.cached_tokens += prompt.cached
        self._fake.counts.generated_tokens += answer.tokens
        usage = answers.usage(prompt, answer)
        model = str(asked.get("model", ANY_NAME))
        return _json(
            answers.completion(answer, model=model, number=number, usage=usage | say.usage, timing=timing), say.headers
        )


def _objection(asked: dict[str, Any], models: tuple[str, ...]) -> tuple[int, str] | None:
    """Return what a model server has against a request."""
    if not isinstance(asked.get("messages"), list) or not asked["messages"]:
        return BAD_REQUEST, "a request needs a list of messages"
    if asked.get("stream"):
        return BAD_REQUEST, "the fake server does not stream"
    if models and asked.get("model") not in models:
        return NOT_FOUND, f"The model `{asked.get('model')}` does not exist."
    return None


def _drop(request: web.Request) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return _response(OK, b"")  # to nobody


async def _trickle(request: web.Request) -> None:
    from aiohttp import web

    response = web.StreamResponse(headers={"Content-Length": str(TRICKLED_BYTES)})
    await response.prepare(request)
    for _ in range(TRICKLED_BYTES):
        await response.write(b" ")
        await asyncio.sleep(TRICKLE_S)


def _die() -> None:
    sys.stderr.write(LAST_WORDS + "\n")
    sys.stderr.flush()
    os._exit(1)  # As an engine ends: nothing is answered any more, the socket's file stays.


def _json(content: dict[str, Any], headers: tuple[tuple[str, str], ...] = ()) -> web.StreamResponse:
    return _response(OK, msgspec.json.encode(content), headers)


def _refusal(status: int, message: str) -> web.StreamResponse:
    return _response(status, answers.error(status, message))


def _response(
    status: int, body: bytes, headers: tuple[tuple[str, str], ...] = (), *, content_type: str = "application/json"
) -> web.StreamResponse:
    from aiohttp import web

    return web.Response(status=status, body=body, headers=dict(headers), content_type=content_type)
