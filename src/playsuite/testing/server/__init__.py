"""A fake model server for tests and benchmarks: OpenAI's routes, scripted answers and faults, a simulated GPU."""

from playsuite.testing.server.behaviours import (
    ENDLESS_THOUGHT,
    GARBAGE,
    MEGABYTE,
    RANDOM_BYTES,
    Behaviour,
    Die,
    Drop,
    Hang,
    Reply,
    Say,
    Trickle,
)
from playsuite.testing.server.latency import H100_8B, LatencyModel
from playsuite.testing.server.running import FakeServer, fake_server

__all__ = [
    "ENDLESS_THOUGHT",
    "GARBAGE",
    "H100_8B",
    "MEGABYTE",
    "RANDOM_BYTES",
    "Behaviour",
    "Die",
    "Drop",
    "FakeServer",
    "Hang",
    "LatencyModel",
    "Reply",
    "Say",
    "Trickle",
    "fake_server",
]
