"""A model behind an OpenAI-compatible endpoint as a player: show it the frame, ask, read its answer."""

from __future__ import annotations

import os
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from playsuite.agents.client import Client, Completion, Messages
from playsuite.agents.images import encode, picture_size
from playsuite.agents.options import refuse_unknown_options
from playsuite.core.errors import ConfigError, StoreError, boundary
from playsuite.core.plugins import load
from playsuite.core.points import View
from playsuite.core.protocols import Question
from playsuite.core.records import Turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playsuite.core.protocols import Adapter, Agent, AgentSetup, Frame, Observation, Prompt
    from playsuite.core.records import Game, Model, Step

VERSION = 2
TIMEOUT_S = 180.0


def model(setup: AgentSetup) -> Agent:
    """Make a player of `setup.model`, served at `setup.endpoint` (else $OPENAI_BASE_URL).

    Option `timeout_seconds` bounds the wait for one answer.

    Raises:
        ConfigError: address, model, prompt, adapter or an option is missing or unknown.
    """
    if setup.model is None:
        raise ConfigError("the agent 'model' needs a model. Name one: --model NAME (playsuite models lists them)")
    base_url = setup.endpoint.base_url or os.environ.get("OPENAI_BASE_URL", "")
    if not base_url:
        raise ConfigError(
            f"no server for the model '{setup.model.name}'. Name it: --base-url http://HOST:PORT/v1 or unix:///PATH"
        )
    refuse_unknown_options(setup, "model", "timeout_seconds")
    adapter: Adapter = load("adapters", setup.model.adapter)
    adapter.digest(setup.prompt)  # An unknown variant is better said now than after the game was started.
    fields = request_fields(setup, adapter)
    client = Client(
        base_url,
        api_key=os.environ.get(setup.model.key_variable, ""),
        timeout_seconds=_timeout(setup),
        patience_seconds=setup.endpoint.patience_seconds,
    )
    return ModelPlayer(setup, setup.model, adapter, fields, client)


class ModelPlayer:
    """Asks a model what to do."""

    def __init__(
        self, setup: AgentSetup, model: Model, adapter: Adapter, fields: Mapping[str, Any], client: Client
    ) -> None:
        self._setup = setup
        self._model = model
        self._adapter = adapter
        self._fields = fields
        self._client = client
        self._asked = 0
        self._shown: dict[int, bytes] = {}
        """Pictures of past steps that may be shown again, by step."""

    def act(self, game: Game, observation: Observation, history: Sequence[Step]) -> Turn:
        """Answer one observation; an answer that cannot be read becomes a `Wait`.

        Raises:
            AgentError: the model did not answer.
        """
        view = self._view(observation.frame)
        jpeg = encode(observation.frame, view.picture)
        past = {step.index: self._shown[step.index] for step in history if step.index in self._shown}
        self._remember(jpeg, past)
        question = Question(game, view, self._setup.prompt, tuple(history), tuple(past))
        prompt = self._adapter.render(question)
        completion = self._client.complete(messages(prompt, jpeg, past), **self._fields)
        return self._turn(completion, view)

    def close(self) -> None:
        """Close the connection to the server."""
        self._client.close()

    def _view(self, frame: Frame) -> View:
        height, width = frame.shape[:2]
        most = {"max_width": self._setup.frame_width, "max_height": self._setup.frame_height}
        return view_of(self._model, self._adapter, (width, height), **most)

    def _remember(self, jpeg: bytes, past: Mapping[int, bytes]) -> None:
        """Keep the pictures that may be shown again, and on disk what is to be kept there."""
        number, self._asked = self._asked, self._asked + 1
        if self._setup.history_images:
            self._shown = {**past, number: jpeg}
        if folder := self._setup.images:
            with boundary(StoreError, f"keeping a picture in '{folder}'"):
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{number:06d}.jpg").write_bytes(jpeg)

    def _turn(self, completion: Completion, view: View) -> Turn:
        answer = self._adapter.parse(completion.text, view, finish_reason=completion.finish_reason)
        return Turn(
            actions=answer.parsed.actions,
            raw=completion.text,
            status=answer.parsed.status,
            notes=answer.parsed.notes,
            observation=answer.observation,
            reasoning=answer.reasoning or completion.reasoning,
            usage=completion.usage,
        )


def view_of(model: Model, adapter: Adapter, frame: tuple[int, int], *, max_width: int, max_height: int) -> View:
    """Return how a model sees a frame of (width, height) pixels."""
    size = picture_size(frame, model.picture, max_width=max_width, max_height=max_height)
    return View(frame, size, model.space or adapter.space, model.y_first)


def messages(prompt: Prompt, jpeg: bytes, past: Mapping[int, bytes]) -> Messages:
    """Write a prompt as the messages of a chat; `past` holds the pictures of earlier steps."""
    parts: list[dict[str, Any]] = []
    for part in prompt.user:
        if isinstance(part, str):
            parts.append({"type": "text", "text": part})
        else:
            picture = jpeg if part.step is None else past[part.step]
            url = "data:image/jpeg;base64," + b64encode(picture).decode("ascii")
            parts.append({"type": "image_url", "image_url": {"url": url}})
    system: Messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
    return [*system, {"role": "user", "content": parts}]


def request_fields(setup: AgentSetup, adapter: Adapter) -> dict[str, Any]:
    """Return the fields of every request apart from its messages, under the names the model's server has for them.

    Raises:
        ConfigError: structured answers are asked of a family that has no pattern for them.
    """
    if setup.model is None:
        return {}
    sampling = setup.model.sampling
    fields: dict[str, Any] = {
        "model": setup.model.asked_as,
        "temperature": sampling.temperature,
        "max_tokens": sampling.max_tokens,
        "seed": setup.seed,
    }
    fields |= {"stop": list(sampling.stop)} if sampling.stop else {}
    fields |= {"structured_outputs": {"regex": _pattern(setup, adapter)}} if setup.structured else {}
    names = {name: setup.model.fields.get(name, name) for name in fields}
    return {names[name]: value for name, value in fields.items() if names[name]} | setup.model.request


def _pattern(setup: AgentSetup, adapter: Adapter) -> str:
    if pattern := adapter.pattern(setup.prompt):
        return pattern
    raise ConfigError("structured answers are only there for the general prompt (adapters standard and qwen3)")


def _timeout(setup: AgentSetup) -> float:
    text = setup.options.get("timeout_seconds", str(TIMEOUT_S))
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ConfigError(f"timeout_seconds is '{text}'. Wanted: a number of seconds above 0")
    return seconds
