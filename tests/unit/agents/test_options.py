import pytest

from playsuite.core.errors import ConfigError
from playsuite.core.plugins import load
from playsuite.core.protocols import AgentSetup, Endpoint
from playsuite.core.records import Model

MODEL = Model(name="any")


@pytest.mark.parametrize("name", ["idle", "random", "explorer", "scripted", "replay", "model"])
def test_an_option_nobody_knows_is_refused_and_not_ignored(name):
    setup = AgentSetup(options={"tiemout_seconds": "3"}, model=MODEL, endpoint=Endpoint("unix:///none"))
    with pytest.raises(ConfigError, match=f"the agent '{name}' has no option 'tiemout_seconds'"):
        load("agents", name)(setup)


def test_the_nearest_option_is_named():
    setup = AgentSetup(options={"tiemout_seconds": "3"}, model=MODEL, endpoint=Endpoint("unix:///none"))
    with pytest.raises(ConfigError, match="Did you mean 'timeout_seconds'"):
        load("agents", "model")(setup)


@pytest.mark.parametrize("name", ["idle", "random", "explorer", "scripted", "replay"])
def test_who_asks_no_model_does_not_play_under_the_name_of_one(name):
    with pytest.raises(ConfigError, match=f"the agent '{name}' asks no model, but 'any' is named"):
        load("agents", name)(AgentSetup(model=MODEL))
