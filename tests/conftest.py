"""What all tests share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def games_home() -> Path:
    """Where tests install third-party games; kept between runs, since downloads are pinned by checksum."""
    home = Path(os.environ.get("PLAYSUITE_TEST_HOME", Path(__file__).resolve().parents[1] / "build" / "test-home"))
    home.mkdir(parents=True, exist_ok=True)
    return home
