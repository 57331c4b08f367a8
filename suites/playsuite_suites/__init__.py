"""Suites that come with PlaySuite: rows of data, no code but the functions that find them."""

from pathlib import Path

HERE = Path(__file__).parent


def starter() -> Path:
    """Return the suite to begin with: varied games that are known to play well."""
    return HERE / "starter.toml"


def tried() -> Path:
    """Return the other games that were tried, those that do not run included."""
    return HERE / "tried.toml"
