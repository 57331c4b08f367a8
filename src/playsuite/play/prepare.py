"""From what a user asks for to a run on disk: a spec, the games, the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from playsuite.agents.presets import find
from playsuite.core.errors import ConfigError
from playsuite.core.plugins import load, version
from playsuite.core.records import Game, PlanItem, RunSpec, Sampling, digest
from playsuite.core.store import Run, read_table
from playsuite.play.inputs import read_all, resolve
from playsuite.play.plan import make_plan
from playsuite.play.player import player

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from playsuite.core.protocols import Endpoint


def compose_spec(file: Path | None, given: Mapping[str, Any], of_model: Mapping[str, Any] | None = None) -> RunSpec:
    """Return the spec in `file`, or the defaults, with what was `given` by hand on top; None was not given.

    A model given by name becomes its row, with the fields `of_model` that were given by hand on top. Whoever names a
    model and no agent wants the model to play.

    Raises:
        ConfigError: a value is wrong, or there is no such model.
    """
    base = read_table(file) if file is not None else {"suite": ""}
    table = base | _given(given)
    if isinstance(table.get("model"), str):
        table["model"] = msgspec.to_builtins(find(table["model"]).model)
    if changes := _given(of_model or {}):
        table["model"] = _changed(table.get("model"), changes)
    if "model" in table and "agent" not in table:
        table["agent"] = "model"
    try:
        spec = msgspec.convert(table, RunSpec)
    except msgspec.ValidationError as error:
        raise ConfigError(f"the spec is wrong: {error}") from error
    _refuse_nonsense(spec)
    return with_told(spec)


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _changed(model: Any, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a model with some of them, and of its sampling, changed."""
    if not isinstance(model, dict):
        raise ConfigError(f"{', '.join(changes)}: given without a model. Name one: --model NAME")
    sampling = {name: value for name, value in changes.items() if name in Sampling.__struct_fields__}
    others = {name: value for name, value in changes.items() if name not in sampling}
    return model | others | {"sampling": model.get("sampling", {}) | sampling}


def read_options(pairs: Iterable[str]) -> dict[str, str]:
    """Return agent options from `name=value` texts.

    Raises:
        ConfigError: a pair has no `=`.
    """
    options: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ConfigError(f"an option looks like name=value, but '{pair}' has no '='")
        options[name] = value
    return options


def prepare(
    folder: Path,
    spec: RunSpec,
    games: Sequence[Game],
    *,
    endpoint: Endpoint | None = None,
    found: Mapping[str, Path] | None = None,
) -> Run:
    """Create the run in `folder`, or open it if it is there already; `spec` and `found` are as `pin` returns them.

    Raises:
        ConfigError: `folder` holds another run, there is no game, or what plays or runs them lacks something.
    """
    if not games:
        raise ConfigError(f"suite '{spec.suite}' has no games to play")
    for runtime in sorted({game.runtime for game in games}):
        load("runtimes", runtime)
    inputs = resolve(spec, found or {}, folder)
    with player(spec, seed=spec.seed, endpoint=endpoint, inputs=inputs):
        pass  # what it lacks is better said before anything is written
    return Run.create(folder, spec, games, plan_of(spec, games), read_all(found or {}))


def plan_of(spec: RunSpec, games: Sequence[Game]) -> tuple[PlanItem, ...]:
    """Return the episodes of a spec; the versions of what plays and runs them are part of their keys."""
    runtimes = {runtime: version("runtimes", runtime) for runtime in {game.runtime for game in games}}
    return make_plan(with_told(spec), games, agent=version("agents", spec.agent), runtimes=runtimes)


def with_told(spec: RunSpec) -> RunSpec:
    """Return a spec with the digest of what its model is told and read with now, whatever it was when it was written.

    Raises:
        ConfigError: there is no such adapter, or it has no such prompt.
    """
    if spec.model is None:
        return replace(spec, told="")
    adapter = load("adapters", spec.model.adapter)
    return replace(spec, told=digest([adapter.digest(spec.prompt), version("adapters", spec.model.adapter)]))


def _refuse_nonsense(spec: RunSpec) -> None:
    for name in ("rate_hz", "seconds", "max_frames", "repeats", "film_fps", "frame_width", "frame_height"):
        if not getattr(spec, name) > 0:
            raise ConfigError(f"{name} must be more than 0, but is {getattr(spec, name)}")
    if spec.model is not None:
        sampling = spec.model.sampling
        if not (sampling.max_tokens > 0 and 0 <= sampling.temperature < float("inf")):
            raise ConfigError(f"max_tokens must be more than 0 and temperature not negative, but they are {sampling}")
    for name in ("history", "twins", "seed"):
        if getattr(spec, name) < 0:
            raise ConfigError(f"{name} must not be negative, but is {getattr(spec, name)}")
