"""A spec as a TOML file, written by a run or by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from playsuite.core.errors import ConfigError
from playsuite.core.lines import refuse_newer
from playsuite.core.plugins import did_you_mean
from playsuite.core.records import SCHEMA, RunSpec

if TYPE_CHECKING:
    from pathlib import Path


def encode_spec(spec: RunSpec) -> bytes:
    """Write a spec as TOML, headed by the schema it is written in."""
    return msgspec.toml.encode({"schema": SCHEMA, **without_nothing(msgspec.to_builtins(spec))})


def without_nothing(table: dict[str, Any]) -> dict[str, Any]:
    """Leave out of a table what is None, for which TOML has no word."""
    return {
        name: without_nothing(value) if isinstance(value, dict) else value
        for name, value in table.items()
        if value is not None
    }


def read_table(path: Path) -> dict[str, Any]:
    """Read the fields of a spec from a TOML file; each is checked only for its name.

    Raises:
        ConfigError: there is no such file, or a field is unknown.
        StoreError: a newer PlaySuite wrote it.
    """
    try:
        table: dict[str, Any] = msgspec.toml.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError) as error:
        raise ConfigError(f"{path} cannot be read as a spec: {error}") from error
    refuse_newer(table.pop("schema", SCHEMA), where=str(path))
    for name in table.keys() - set(RunSpec.__struct_fields__):
        raise ConfigError(f"{path}: a spec has no '{name}'.{did_you_mean(name, list(RunSpec.__struct_fields__))}")
    return table


def read_spec(path: Path) -> RunSpec:
    """Read a spec as a run wrote it.

    Raises:
        ConfigError: there is no such file, a field is unknown or has a wrong value.
        StoreError: a newer PlaySuite wrote it.
    """
    try:
        return msgspec.convert(read_table(path), RunSpec)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path} cannot be read as a spec: {error}") from error
