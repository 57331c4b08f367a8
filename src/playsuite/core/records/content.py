"""What names a record by its content."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

SCHEMA = 1
"""Version of everything written to disk; a reader refuses a newer one."""


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON of any record."""
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()
