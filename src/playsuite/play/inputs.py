"""Files an agent is given: a run keeps copies of its own, and its spec names them by their content alone."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from playsuite.core.errors import ConfigError
from playsuite.core.store import EpisodeFolder, input_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playsuite.core.records import RunSpec
    from playsuite.core.store import Run

FILES = ("file", "path")
"""Options of agents that name a file; the folder of an episode stands for its steps."""

_DIGEST = re.compile(r"[0-9a-f]{64}")


def pin(spec: RunSpec, *, beside: Path | None = None) -> tuple[RunSpec, dict[str, Path]]:
    """Return `spec` with the digest of each file instead of its path, and where the file of each digest is.

    A digest that is there already is looked up in the run whose spec lies `beside`; what is not found there must be in
    the run that is to go on.

    Raises:
        ConfigError: a file cannot be read.
    """
    options = dict(spec.agent_options)
    found: dict[str, Path] = {}
    for name in FILES:
        value = options.get(name)
        if value is None:
            continue
        if _DIGEST.fullmatch(value):
            known = input_file(beside, value) if beside is not None else None
            found |= {value: known} if known is not None and known.exists() else {}
            continue
        file = _file(Path(value).expanduser())
        options[name] = sha256(_read(file)).hexdigest()
        found[options[name]] = file
    return replace(spec, agent_options=options), found


def read_all(found: Mapping[str, Path]) -> dict[str, bytes]:
    """Read the files a new run is to keep, by digest."""
    return {digest: _read(file) for digest, file in found.items()}


def resolve(spec: RunSpec, found: Mapping[str, Path], folder: Path) -> dict[str, str]:
    """Return the options that name files, with paths to what was `found`, else to what the run in `folder` keeps.

    Raises:
        ConfigError: the file of a digest is nowhere.
    """
    paths = {}
    for name in FILES:
        if (wanted := spec.agent_options.get(name)) is None:
            continue
        path = found.get(wanted, input_file(folder, wanted))
        if not path.exists():
            raise ConfigError(
                f"the spec's option '{name}' is the file with the SHA-256 {wanted}, which is not at hand. "
                f"Name it: --option {name}=PATH"
            )
        paths[name] = str(path)
    return paths


def inputs_of(run: Run) -> dict[str, str]:
    """Return the options that name files, with paths to the run's own copies.

    Raises:
        ConfigError: a copy is missing, or is not what the spec says.
    """
    return {name: str(run.input(run.spec.agent_options[name])) for name in FILES if name in run.spec.agent_options}


def _file(path: Path) -> Path:
    return EpisodeFolder(path).steps if path.is_dir() else path


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ConfigError(f"'{file}' cannot be read: {error}") from error
