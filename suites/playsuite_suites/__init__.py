"""Suites that come with PlaySuite: rows of data, no code but the functions that find them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def starter() -> Path:
    """Return the suite to begin with: varied games that are known to play well."""
    return HERE / "starter.toml"


def demo() -> list[dict[str, Any]]:
    """Return a few games of the starter suite that are small and quick, so that a first look takes minutes."""
    rows: list[dict[str, Any]] = tomllib.loads(starter().read_text())["game"]
    return [row for row in rows if "demo" in row.get("tags", ())]
