"""A game as a row of a catalog."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from playsuite.core.records.content import digest


class Artefact(Struct, frozen=True):
    """One downloadable file a game is made of, pinned by content."""

    kind: str
    """Which package client fetches it: "pypi", "debian", "local"."""
    name: str
    version: str
    sha256: str
    """Of the downloaded file, hexadecimal."""


class Controls(Struct, frozen=True):
    """How a game is played, as its own documentation tells."""

    text: str = ""
    keys: tuple[str, ...] = ()
    """Canonical key names the documentation mentions."""
    mouse: bool = False


class Game(Struct, frozen=True, kw_only=True):
    """One row of a catalog: what a game is, where it comes from and how it starts."""

    id: str
    """`source/slug`, for example `pypi/some-game`."""
    title: str
    runtime: str
    """Name of a runtime plug-in."""
    manifest: dict[str, Any]
    """What that runtime needs to start the game; the runtime checks it."""
    artefacts: tuple[Artefact, ...] = ()
    requirements: tuple[str, ...] = ()
    """Exact Python requirements of the game's own environment, `name==version`."""
    author: str = ""
    genre: str = ""
    """One of the nine canonical genres, or empty."""
    engine: str = ""
    description: str = ""
    controls: Controls = Controls()
    rating: float | None = None
    licence: str = ""
    """SPDX expression, or what the source says."""
    url: str = ""
    tags: tuple[str, ...] = ()
    trusted: bool = False
    """May run without a sandbox where none is possible."""
    notes: str = ""

    @property
    def sha256(self) -> str:
        """Digest of everything that decides how the game behaves: files, environment and start-up."""
        return digest([self.artefacts, self.requirements, self.runtime, self.manifest])
