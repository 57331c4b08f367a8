"""A model server to ask, on a port or a Unix socket, and something to show it."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from playsuite.core.protocols import Observation
from playsuite.core.records import Controls, Game
from playsuite.testing.server import Drop, Hang, Reply, Say, Trickle, fake_server


@pytest.fixture
def behave():
    """The behaviours a server can have."""
    return SimpleNamespace(
        say=lambda text, finish_reason="", headers=(), **usage: Say(
            text, finish_reason=finish_reason, usage=usage, headers=tuple(headers)
        ),
        reply=lambda status=200, body=b"", headers=(): Reply(
            status, body if isinstance(body, bytes) else json.dumps(body).encode(), tuple(headers)
        ),
        die=Drop(),
        hang=Hang(),
        trickle=Trickle(),
    )


@pytest.fixture(params=["tcp", "unix"])
def serve(request, tmp_path):
    """Serve behaviours, once over each kind of address."""
    path = tmp_path / "model.sock" if request.param == "unix" else None
    return lambda *behaviours, **more: fake_server(*behaviours, uds=path, **more)


@pytest.fixture
def game():
    return Game(
        id="made-up/garden",
        title="The Garden",
        genre="Puzzle",
        runtime="fake",
        manifest={},
        description="Move the pots until every flower stands in the light. Costs $0.",
        controls=Controls(text="Arrow keys move, Z takes back.", keys=("left", "right", "up", "down", "z"), mouse=True),
    )


@pytest.fixture
def seen():
    frame = np.zeros((120, 160, 3), np.uint8)
    frame[40:60, 100:140] = (250, 200, 30)
    return Observation(frame, t=0.0, index=0)
