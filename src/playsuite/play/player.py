"""Make the player a spec asks for, and close it when it is no longer needed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from playsuite.core.errors import AgentError, boundary
from playsuite.core.plugins import load
from playsuite.core.protocols import AgentSetup, Endpoint

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path

    from playsuite.core.protocols import Agent
    from playsuite.core.records import RunSpec


@contextmanager
def player(
    spec: RunSpec,
    *,
    seed: int,
    endpoint: Endpoint | None = None,
    images: Path | None = None,
    inputs: Mapping[str, str] | None = None,
) -> Generator[Agent]:
    """Make an agent and close it in the end, however that comes; `inputs` says where the files among its options are.

    Raises:
        ConfigError: there is no such agent, or it lacks an option.
    """
    setup = AgentSetup(
        seed=seed,
        rate_hz=spec.rate_hz,
        model=spec.model,
        prompt=spec.prompt,
        structured=spec.structured,
        history_images=spec.history_images,
        frame_width=spec.frame_width,
        frame_height=spec.frame_height,
        options=spec.agent_options | dict(inputs or {}),
        endpoint=endpoint or Endpoint(),
        images=images if spec.keep_images else None,
    )
    plugin = load("agents", spec.agent)
    with boundary(AgentError, f"making the agent '{spec.agent}'"):
        agent: Agent = plugin(setup)
    try:
        yield agent
    finally:
        with boundary(AgentError, f"closing the agent '{spec.agent}'"):
            getattr(agent, "close", _nothing)()


def _nothing() -> None:
    """Close an agent that has nothing open."""
