"""Which models can be named, and what is known of them: rows of TOML files, ours and the user's."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from playsuite.core.errors import ConfigError
from playsuite.core.plugins import did_you_mean
from playsuite.core.records import Model, Preset


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of models."""

    preset: tuple[Preset, ...]


def all_presets() -> tuple[Preset, ...]:
    """Return the models that can be named just so."""
    return _shipped("models.toml")


def providers() -> tuple[Preset, ...]:
    """Return the servers that know models by names of their own."""
    return _shipped("providers.toml")


def find(name: str) -> Preset:
    """Return the model called `name`: a preset, its checkpoint, PROVIDER:NAME, or FILE.toml[:NAME] of one's own.

    Raises:
        ConfigError: there is none, or the file cannot be read; a model is never guessed.
    """
    file, colon, row = name.partition(".toml")
    if colon and (not row or row.startswith(":")):
        return _of_file(Path(f"{file}.toml").expanduser(), row.removeprefix(":"))
    known = {preset.model.name: preset for preset in all_presets()}
    if preset := known.get(name) or {preset.model.checkpoint: preset for preset in known.values()}.get(name):
        return preset
    provider, colon, served = name.partition(":")
    hosts = {preset.model.name: preset for preset in providers()}
    if provider in hosts and served:
        return _served_by(hosts[provider], name, served)
    choices = [*known, *(f"{host}:NAME" for host in hosts), "FILE.toml"]
    raise ConfigError(f"no model called '{name}'.{did_you_mean(name, choices)}")


def preset_of(model: Model) -> Preset:
    """Return the row a model of a spec comes from, with the model as the spec has it; a bare one if it is gone."""
    rows = {preset.model.name: preset for preset in all_presets()}
    hosts = {preset.model.name: preset for preset in providers()}
    row = rows.get(model.name) or hosts.get(model.name.partition(":")[0])
    return replace(row, model=model) if row is not None else Preset(model=model)


def _served_by(host: Preset, name: str, served: str) -> Preset:
    return replace(host, title=served, model=replace(host.model, name=name, served_name=served))


def _of_file(path: Path, row: str) -> Preset:
    try:
        presets = _read(path.read_bytes(), str(path))
    except OSError as error:
        raise ConfigError(f"'{path}' cannot be read as a table of models: {error}") from error
    names = [preset.model.name for preset in presets]
    if not row and len(presets) == 1:
        return presets[0]
    if row not in names:
        asked = f"has no model '{row}'.{did_you_mean(row, names)}" if row else "has several models"
        raise ConfigError(f"'{path}' {asked}. Name one as {path}:NAME, of {', '.join(names)}")
    return presets[names.index(row)]


def _shipped(name: str) -> tuple[Preset, ...]:
    return _read((files("playsuite.agents.presets") / name).read_bytes(), name)


def _read(data: bytes, where: str) -> tuple[Preset, ...]:
    try:
        presets = msgspec.toml.decode(data, type=Table).preset
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ConfigError(f"'{where}' is no table of models: {error}. See docs/models.md") from error
    for preset in presets:
        # Else an answer could be shaped by something that is not in the spec.
        if both := preset.model.flags.keys() & preset.serving.flags.keys():
            raise ConfigError(f"'{where}': '{min(both)}' is a flag of both the model and its serving. Keep the model's")
    if not presets:
        raise ConfigError(f"'{where}' holds no [[preset]]. See docs/models.md")
    return presets
