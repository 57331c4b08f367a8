"""A model behind an OpenAI-compatible endpoint as a player: show it the frame, ask, read its answer."""

from __future__ import annotations

import os
from base64 import b64encode
from typing import TYPE_CHECKING

from msgspec.structs import replace

from playsuite.agents.client import Client, Completion, Messages
from playsuite.agents.images import Picture, picture_of, to_frame, to_picture
from playsuite.agents.prompt import Prompt, prompt_digest, render
from playsuite.core.errors import ConfigError, StoreError, boundary
from playsuite.core.grammar import parse
from playsuite.core.plugins import did_you_mean
from playsuite.core.records import Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.protocols import Agent, AgentSetup, Frame, Observation
    from playsuite.core.records import Game, Step

VERSION = 1
ADAPTERS = ["standard"]
"""Prompt and answer formats known so far: the general prompt, coordinates in pixels of the picture sent."""
TIMEOUT_S = 180.0


def openai(setup: AgentSetup) -> Agent:
    """Make a player of a model: `setup.base_url` (else $OPENAI_BASE_URL) serves `setup.model`.

    Option `timeout_seconds` bounds the wait for one answer.

    Raises:
        ConfigError: address, model, prompt or adapter is missing or unknown.
    """
    base_url = setup.base_url or os.environ.get("OPENAI_BASE_URL", "")
    if not base_url:
        raise ConfigError("the agent 'openai' needs a server. Name it: --base-url http://HOST:PORT/v1 or unix:///PATH")
    if not setup.model:
        raise ConfigError("the agent 'openai' needs a model. Name it as the server does: --model NAME")
    if setup.adapter not in ADAPTERS:
        raise ConfigError(f"no adapter called '{setup.adapter}'.{did_you_mean(setup.adapter, ADAPTERS)}")
    prompt_digest(setup.prompt)  # An unknown variant is better said now than after the game was started.
    key = os.environ.get("OPENAI_API_KEY", "")
    return ModelPlayer(setup, Client(base_url, api_key=key, timeout_seconds=_timeout(setup)))


class ModelPlayer:
    """Asks a model what to do."""

    def __init__(self, setup: AgentSetup, client: Client) -> None:
        self._setup = setup
        self._client = client
        self._asked = 0

    def act(self, game: Game, observation: Observation, history: Sequence[Step]) -> Turn:
        """Answer one observation; an answer that cannot be read becomes a `Wait`.

        Raises:
            AgentError: the model did not answer.
        """
        setup, frame = self._setup, observation.frame
        picture = picture_of(frame, max_width=setup.frame_width, max_height=setup.frame_height)
        self._keep(picture)
        past = [_seen_by_model(step, picture, frame) for step in history]
        prompt = render(game, past, variant=setup.prompt, width=picture.width, height=picture.height)
        completion = self._client.complete(
            messages(prompt, picture),
            model=setup.model,
            temperature=setup.temperature,
            max_tokens=setup.max_tokens,
            seed=setup.seed,
        )
        return _turn(completion, picture, frame)

    def close(self) -> None:
        """Close the connection to the server."""
        self._client.close()

    def _keep(self, picture: Picture) -> None:
        number, self._asked = self._asked, self._asked + 1
        if folder := self._setup.images:
            with boundary(StoreError, f"keeping a picture in '{folder}'"):
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{number:06d}.jpg").write_bytes(picture.jpeg)


def messages(prompt: Prompt, picture: Picture) -> Messages:
    """Write a prompt as the messages of a chat, the picture last."""
    url = "data:image/jpeg;base64," + b64encode(picture.jpeg).decode("ascii")
    said = [{"type": "text", "text": prompt.user}, {"type": "image_url", "image_url": {"url": url}}]
    return [{"role": "system", "content": prompt.system}, {"role": "user", "content": said}]


def _seen_by_model(step: Step, picture: Picture, frame: Frame) -> Step:
    """Tell a past step in the coordinates the model itself uses."""
    actions = tuple(to_picture(action, picture, frame) for action in step.turn.actions)
    return replace(step, turn=replace(step.turn, actions=actions))


def _turn(completion: Completion, picture: Picture, frame: Frame) -> Turn:
    answer = parse(completion.text, width=picture.width, height=picture.height, finish_reason=completion.finish_reason)
    return Turn(
        actions=tuple(to_frame(action, picture, frame) for action in answer.parsed.actions),
        raw=completion.text,
        status=answer.parsed.status,
        notes=answer.parsed.notes,
        observation=answer.observation,
        reasoning=answer.reasoning or completion.reasoning,
        usage=completion.usage,
    )


def _timeout(setup: AgentSetup) -> float:
    text = setup.options.get("timeout_seconds", str(TIMEOUT_S))
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ConfigError(f"timeout_seconds is '{text}'. Wanted: a number of seconds above 0")
    return seconds
