"""A spec as a TOML file, written by a run or by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from playsuite.core.errors import ConfigError
from playsuite.core.lines import refuse_newer
from playsuite.core.plugins import did_you_mean
from playsuite.core.records import SCHEMA, RunSpec

if TYPE_CHECKING:
    from pathlib import Path


def encode_spec(spec: RunSpec) -> bytes:
    """Write a spec as TOML, headed by the schema it is written in."""
    return msgspec.toml.encode({"schema": SCHEMA, **msgspec.to_builtins(spec)})


def read_spec(path: Path) -> RunSpec:
    """Read a spec from a TOML file, written by a run or by hand.

    Raises:
        ConfigError: there is no such file, a field is unknown or has a wrong value.
        StoreError: a newer PlaySuite wrote it.
    """
    try:
        table = msgspec.toml.decode(path.read_bytes())
        refuse_newer(table.pop("schema", SCHEMA), where=str(path))
        for name in table.keys() - set(RunSpec.__struct_fields__):
            raise ConfigError(f"{path}: a spec has no '{name}'.{did_you_mean(name, list(RunSpec.__struct_fields__))}")
        return msgspec.convert(table, RunSpec)
    except (OSError, msgspec.MsgspecError) as error:
        raise ConfigError(f"{path} cannot be read as a spec: {error}") from error
