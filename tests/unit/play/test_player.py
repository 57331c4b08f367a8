import pytest
from msgspec.structs import replace

from playsuite.core.errors import AgentError
from playsuite.core.plugins import version
from playsuite.core.records import RunSpec
from playsuite.play.episode import play_episode
from playsuite.play.player import player
from playsuite.play.prepare import plan_of

from .conftest import coins  # noqa: TID252 tests are in no package that has a name

SPEC = RunSpec(suite="test", agent="tidy", rate_hz=1, seconds=5)
AGENTS = """
from pathlib import Path
from playsuite.core.records import Turn

class Tidy:
    def __init__(self, setup):
        self.diary = Path(setup.options["diary"])
        self.breaks = setup.options.get("breaks") == "yes"

    def act(self, game, observation, history):
        if self.breaks:
            raise ZeroDivisionError
        return Turn()

    def close(self):
        with self.diary.open("a") as diary:
            diary.write("closed;")
"""


@pytest.fixture
def agents(tmp_path, monkeypatch):
    """Install an agent of another package that writes down when it is closed; return a spec for it and its diary."""
    package, diary = tmp_path / "site", tmp_path / "diary.txt"
    information = package / "tidy-7.2.dist-info"
    information.mkdir(parents=True)
    (package / "tidy_agent.py").write_text(AGENTS)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: tidy\nVersion: 7.2\n")
    (information / "entry_points.txt").write_text("[playsuite.agents]\ntidy = tidy_agent:Tidy\n")
    monkeypatch.syspath_prepend(package)
    return replace(SPEC, agent_options={"diary": str(diary)}), diary


@pytest.mark.parametrize("manifest", [{}, {"crash_at": 2.0}, {"never_draws": True}])
def test_an_agent_is_closed_once_however_the_game_ends(agents, prepared, holder, manifest):
    spec, diary = agents
    run, order = prepared(spec, **manifest)
    with run.draft(order.item.key, holder) as draft:
        play_episode(order, draft)
    assert diary.read_text() == "closed;"


def test_an_agent_that_breaks_is_closed_too(agents, prepared, holder):
    spec, diary = agents
    run, order = prepared(replace(spec, agent_options=spec.agent_options | {"breaks": "yes"}))
    with run.draft(order.item.key, holder) as draft:
        assert play_episode(order, draft).fault.boundary == "agent"
    assert diary.read_text() == "closed;"


def test_an_agent_that_cannot_be_closed_is_the_agents_fault(agents):
    spec, diary = agents
    diary.mkdir()
    with pytest.raises(AgentError, match="closing the agent 'tidy'"), player(spec, seed=0):
        pass


def test_an_agent_without_anything_open_needs_no_close():
    with player(RunSpec(suite="test", agent="idle"), seed=0) as agent:
        assert agent is not None


def test_a_plugin_that_says_no_version_has_that_of_its_package(agents):
    assert version("agents", "tidy") == "package 7.2"
    assert version("agents", "idle") == version("runtimes", "fake") == "1"


def test_another_version_of_the_agent_is_another_key(agents, tmp_path):
    spec, _ = agents
    before = plan_of(spec, [coins()])
    information = tmp_path / "site" / "tidy-7.2.dist-info" / "METADATA"
    information.write_text(information.read_text().replace("7.2", "7.3"))
    assert plan_of(spec, [coins()]) != before
