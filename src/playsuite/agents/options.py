"""The options an agent is given by hand: those it knows, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playsuite.core.errors import ConfigError
from playsuite.core.plugins import did_you_mean

if TYPE_CHECKING:
    from playsuite.core.protocols import AgentSetup


def refuse_unknown(setup: AgentSetup, agent: str, *known: str) -> None:
    """Refuse an option that would be ignored in silence, though it made another run of it.

    Raises:
        ConfigError: there is one that is not `known`.
    """
    for name in setup.options:
        if name not in known:
            raise ConfigError(f"the agent '{agent}' has no option '{name}'.{did_you_mean(name, list(known))}")
