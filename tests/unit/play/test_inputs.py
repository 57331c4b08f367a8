from hashlib import sha256

import pytest

from playsuite.core.errors import ConfigError
from playsuite.core.home import Home, Installed
from playsuite.core.records import RunSpec
from playsuite.core.store import Run, encode_spec
from playsuite.play.episode import order_of, play_episode
from playsuite.play.inputs import inputs_of, pin
from playsuite.play.prepare import prepare

from .conftest import coins  # noqa: TID252 tests are in no package that has a name

TEXT = "space\nleft x 3\n"
DIGEST = sha256(TEXT.encode()).hexdigest()


@pytest.fixture
def scripted(tmp_path):
    """Write the same script somewhere, and ask for a run that plays it."""

    def write(place="here", text=TEXT):
        path = tmp_path / place / "moves.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return RunSpec(suite="test", agent="scripted", agent_options={"file": str(path)}, rate_hz=1.0, seconds=5.0)

    return write


@pytest.fixture
def run(tmp_path, scripted):
    spec, found = pin(scripted())
    return prepare(tmp_path / "run", spec, [coins()], found=found)


def test_the_same_script_elsewhere_is_the_same_condition(scripted):
    here, there, other = (pin(spec)[0] for spec in (scripted(), scripted("there"), scripted("other", "right\n")))
    assert here.agent_options == there.agent_options == {"file": DIGEST}
    assert here.digest() == there.digest() != other.digest()


def test_nothing_a_run_writes_names_a_place_on_this_machine(run, tmp_path):
    for name in ("spec.toml", "plan.jsonl"):
        assert str(tmp_path) not in (run.folder / name).read_text()


def test_a_run_plays_its_own_copy_of_a_script(run, tmp_path, holder):
    (tmp_path / "here" / "moves.txt").unlink()
    home = Home(tmp_path / "home")
    home.game_folder("test/coins0").mkdir(parents=True)
    home.record(Installed(coins(), home.files("test/coins0")))
    order = order_of(run, run.plan[0].key, home, inputs=inputs_of(run))
    with run.draft(order.item.key, holder) as draft:
        assert run.publish(draft, play_episode(order, draft))
    steps = run.load_episode(order.item.key).steps
    assert [step.turn.raw for step in steps[:5]] == ["space", "left", "left", "left", "wait"]


def test_a_copy_that_was_changed_is_refused_by_both_digests(run):
    path = run.folder / "inputs" / DIGEST
    path.write_text("right\n")
    with pytest.raises(
        ConfigError, match=rf"wanted the SHA-256 {DIGEST}, came {sha256(path.read_bytes()).hexdigest()}"
    ):
        inputs_of(run)
    path.unlink()
    with pytest.raises(ConfigError, match="came nothing"):
        inputs_of(run)


def test_the_spec_of_a_run_can_be_played_again_under_another_name(run, tmp_path):
    spec, found = pin(run.spec, beside=run.folder)
    again = prepare(tmp_path / "again", spec, [coins()], found=found)
    assert again.plan == run.plan
    assert again.input(DIGEST).read_text() == TEXT


def test_a_run_goes_on_with_what_it_keeps_itself(run):
    spec, found = pin(run.spec)
    assert prepare(run.folder, spec, [coins()], found=found) == run


def test_a_spec_whose_file_is_nowhere_says_how_to_name_it(run, tmp_path):
    (tmp_path / "spec.toml").write_bytes(encode_spec(run.spec))
    spec, found = pin(run.spec, beside=tmp_path)
    with pytest.raises(ConfigError, match="--option file=PATH"):
        prepare(tmp_path / "again", spec, [coins()], found=found)
    assert not (tmp_path / "again").exists()


def test_an_episode_to_repeat_is_kept_by_its_steps(tmp_path):
    (tmp_path / "steps.jsonl").write_bytes(b"steps")
    spec, found = pin(RunSpec(suite="test", agent="replay", agent_options={"path": str(tmp_path)}))
    assert found == {spec.agent_options["path"]: tmp_path / "steps.jsonl"}


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        pin(RunSpec(suite="test", agent_options={"file": str(tmp_path / "absent.txt")}))


def test_a_run_is_whole_or_not_there(run):
    assert Run.open(run.folder) == run
    assert [path.name for path in run.folder.parent.glob(".*")] == []
