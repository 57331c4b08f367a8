import msgspec
import pytest

from playsuite.agents.scripted import replay, scripted
from playsuite.core.actions import Click, Hold, ParseStatus, Press, Wait
from playsuite.core.errors import ConfigError
from playsuite.core.protocols import AgentSetup
from playsuite.core.records import Step, Turn


@pytest.fixture
def script(tmp_path):
    def write(text):
        path = tmp_path / "moves.txt"
        path.write_text(text)
        return path

    return write


def follow(path, game, seen, steps):
    agent = scripted(AgentSetup(options={"file": str(path)}))
    return [agent.act(game, seen, ()).actions for _ in range(steps)]


def test_a_script_is_followed_line_by_line_and_then_waits(script, game, seen):
    path = script("# start the game\nclick:5,6\n\nright x 2\nhold:left:9\nz; space\n")
    assert follow(path, game, seen, 7) == [
        (Click(5, 6),),
        (Press(("right",)),),
        (Press(("right",)),),
        (Hold(("left",), 9.0),),
        (Press(("z",)), Press(("space",))),
        (Wait(),),
        (Wait(),),
    ]


@pytest.mark.parametrize("line", ["jump", "hold:left", "space to jump", "click:1", "left, jumpp", "a x 999999"])
def test_a_wrong_line_is_named(script, line):
    with pytest.raises(ConfigError, match=r"moves\.txt:2: "):
        scripted(AgentSetup(options={"file": str(script(f"space\n{line}\n"))}))


def test_a_missing_script_is_a_configuration_error(tmp_path):
    with pytest.raises(ConfigError, match="needs the option 'file'"):
        scripted(AgentSetup())
    with pytest.raises(ConfigError, match="cannot be read"):
        scripted(AgentSetup(options={"file": str(tmp_path / "none.txt")}))


TURNS = [
    Turn((Press(("left",)), Click(3, 4)), raw="Action: left, click:3,4, jump", status=ParseStatus.PARTIAL),
    Turn((Wait(),), raw="hm", status=ParseStatus.NO_ACTION),
]


@pytest.fixture
def episode(tmp_path):
    lines = (msgspec.json.encode(Step(index, 0.0, 0, turn)) + b"\n" for index, turn in enumerate(TURNS))
    (tmp_path / "steps.jsonl").write_bytes(b"".join(lines))
    return tmp_path


@pytest.mark.parametrize("name", ["", "steps.jsonl"])
def test_an_episode_is_replayed_action_by_action(episode, name, game, seen):
    agent = replay(AgentSetup(options={"path": str(episode / name)}))
    assert [agent.act(game, seen, ()).actions for _ in range(3)] == [*(turn.actions for turn in TURNS), (Wait(),)]


def test_something_else_is_no_episode(tmp_path):
    (tmp_path / "steps.jsonl").write_text('{"index": "x"}\n')
    with pytest.raises(ConfigError, match="not the steps of an episode"):
        replay(AgentSetup(options={"path": str(tmp_path)}))
    (tmp_path / "steps.jsonl").write_text("")
    with pytest.raises(ConfigError, match="holds no steps"):
        replay(AgentSetup(options={"path": str(tmp_path)}))
