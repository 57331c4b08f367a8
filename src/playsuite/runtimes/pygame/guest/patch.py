"""Replace functions of a module that was written by others."""

from __future__ import annotations

from typing import Any


def patch(owner: Any, **replacements: Any) -> None:
    """Set attributes of a module or class, but only those it has: versions of pygame differ in what they offer."""
    for name, replacement in replacements.items():
        if hasattr(owner, name):
            setattr(owner, name, replacement)
