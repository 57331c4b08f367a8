"""A model as a row of a table: what shapes its answers, and what it takes to serve it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from playsuite.core.points import Space


class Sampling(Struct, frozen=True, forbid_unknown_fields=True):
    """How a model's answer is drawn (paper: temperature 0.5, at most 512 new tokens)."""

    temperature: float = 0.5
    max_tokens: int = 512
    stop: tuple[str, ...] = ()


class PictureRule(Struct, frozen=True, forbid_unknown_fields=True):
    """How a frame is resized before it is sent, so that pixels in the answer are pixels we know."""

    factor: int = 1
    """Width and height are made multiples of this, as the model's own processor would: patch times merge size."""
    min_pixels: int = 0
    max_pixels: int = 0
    """Bounds of width times height; 0 is no bound."""


class Model(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about a model that can change an answer, and where its key is: part of a run's spec."""

    name: str
    """What one calls it: `--model NAME`."""
    checkpoint: str = ""
    """Hub id or folder of the weights; empty for a hosted model."""
    revision: str = ""
    """Commit of the checkpoint; empty is whatever the server has."""
    served_name: str = ""
    """What the server calls it; empty is `checkpoint`, else `name`."""
    adapter: str = "standard"
    """Name of an adapter plug-in: how the model is told and how it answers."""
    space: Space | None = None
    """What its coordinates are counted in; None is what the adapter says."""
    y_first: bool = False
    """It names y before x."""
    picture: PictureRule = PictureRule()
    sampling: Sampling = Sampling()
    request: dict[str, Any] = {}
    """Further fields of every request, `chat_template_kwargs` for example."""
    fields: dict[str, str] = {}
    """Other names its server has for fields of a request; a field with an empty name is left out."""
    key_variable: str = "OPENAI_API_KEY"
    """Environment variable that holds the key, where the server wants one."""
    flags: dict[str, Any] = {}
    """Flags of the engine that shape answers: `dtype`, `max-model-len`, `chat-template`."""

    @property
    def asked_as(self) -> str:
        """The name its server knows it by."""
        return self.served_name or self.checkpoint or self.name


class Serving(Struct, frozen=True, forbid_unknown_fields=True):
    """What it takes to serve a model with vLLM; changes no answer."""

    min_vllm: str = ""
    """First version of vLLM that knows the architecture."""
    trust_remote_code: bool = False
    """The checkpoint brings Python code that has to run."""
    gpus: int = 1
    """GPUs one copy of the model takes."""
    max_num_seqs: int = 32
    """Answers that are worked out at the same time."""
    flags: dict[str, Any] = {}
    """Further flags, without their dashes."""


class Preset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of a table of models."""

    model: Model
    title: str = ""
    """As papers call it."""
    family: str = ""
    """ "VLM", "CUA" or "VLA"."""
    base_url: str = ""
    """Where somebody else serves it; empty is to be given by --base-url, or served here."""
    serving: Serving = Serving()
    notes: str = ""
    """What is known of its formats and what is not."""
