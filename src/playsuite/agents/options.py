"""What an agent is given by hand: the options it knows and no others, and a model only if it asks one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playsuite.core.errors import ConfigError
from playsuite.core.plugins import did_you_mean

if TYPE_CHECKING:
    from playsuite.core.protocols import AgentSetup


def refuse_unknown_options(setup: AgentSetup, agent: str, *known: str) -> None:
    """Refuse an option that would be ignored in silence, though it made another run of it.

    Raises:
        ConfigError: there is one that is not `known`.
    """
    for name in setup.options:
        if name not in known:
            raise ConfigError(f"the agent '{agent}' has no option '{name}'.{did_you_mean(name, list(known))}")


def refuse_model(setup: AgentSetup, agent: str) -> None:
    """Refuse a model that would not be asked: its name would stand over what somebody else has played.

    Raises:
        ConfigError: there is one.
    """
    if setup.model is not None:
        raise ConfigError(
            f"the agent '{agent}' asks no model, but '{setup.model.name}' is named. Leave one of them out: without "
            "--agent the model plays"
        )
