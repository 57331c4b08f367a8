import errno
import resource
import signal
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from playsuite.core.claims import Holder
from playsuite.core.errors import ConfigError, StoreError
from playsuite.core.records import (
    Ending,
    Episode,
    Fault,
    Game,
    Level,
    Milestones,
    PlanItem,
    RunSpec,
    Step,
    Turn,
    Verdict,
)
from playsuite.core.store import Run, encode_spec, locate_episode, read_spec

GAME = Game(id="test/blocks", title="Blocks", runtime="fake", manifest={})
SPEC = RunSpec(suite="test", agent="idle")
PLAN = (PlanItem("a1" * 32, GAME.id, 0, 0), PlanItem("b2" * 32, GAME.id, 1, 1))
KEY = PLAN[0].key


def episode(key=KEY, fault=None, **changes):
    known = {
        "key": key,
        "game": GAME.id,
        "title": GAME.title,
        "spec": SPEC.digest(),
        "agent": "idle",
        "seed": 0,
        "repeat": 0,
        "ending": Ending.FAULT if fault else Ending.TIME_UP,
        "fault": Fault("game", fault) if fault else None,
        "steps": 1,
        "seconds": 3.0,
        "frames": 90,
        "film_frames": 15,
        "width": 320,
        "height": 240,
        "digest": "d",
    }
    return Episode(**known | changes)


def verdict(fault=None, key=KEY):
    return Verdict(
        key=key,
        game=GAME.id,
        judge="cpu 1",
        level=None if fault else Level.PARTIAL,
        milestones=None if fault else Milestones(),
        fault=Fault("judge", fault) if fault else None,
    )


@pytest.fixture
def run(tmp_path):
    return Run.create(tmp_path / "run", SPEC, [GAME], PLAN)


@pytest.fixture
def holder():
    return Holder.here()


def published(run, holder, header):
    with run.draft(header.key, holder) as draft:
        draft.steps.write_bytes(msgspec.json.encode(Step(0, 0.0, 0, Turn())) + b"\n")
        return run.publish(draft, header)


def test_creating_a_run_again_opens_it(run):
    again = Run.create(run.folder, SPEC, [GAME], PLAN)
    assert again == run == Run.open(run.folder)


def test_a_run_with_another_spec_is_refused_by_the_differing_field(run):
    with pytest.raises(ConfigError, match=r"rate_hz is 0\.33 there, 3\.0 here"):
        Run.create(run.folder, msgspec.structs.replace(SPEC, rate_hz=3.0), [GAME], PLAN)


def test_a_run_of_a_game_that_has_changed_is_refused_by_its_name(run):
    changed = (PlanItem("c3" * 32, GAME.id, 0, 0), PLAN[1])
    with pytest.raises(ConfigError, match="test/blocks"):
        Run.create(run.folder, SPEC, [GAME], changed)


def test_of_two_that_create_a_run_at_once_one_is_whole_and_the_other_is_refused(tmp_path):
    specs = [msgspec.structs.replace(SPEC, seed=seed) for seed in range(8)]

    def create(spec):
        try:
            plan = [PlanItem(f"{spec.seed}" * 64, GAME.id, spec.seed, 0)]
            return Run.create(tmp_path / "run", spec, [GAME], plan)
        except ConfigError as error:
            return str(error)

    with ThreadPoolExecutor(8) as pool:
        came = list(pool.map(create, specs))
    (winner,) = [run for run in came if isinstance(run, Run)]
    assert [item.seed for item in winner.plan] == [winner.spec.seed]
    assert all("another spec" in told for told in came if told != winner)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_folder_without_a_run_is_a_clear_error(tmp_path):
    with pytest.raises(ConfigError, match=r"spec\.toml"):
        Run.open(tmp_path)


def test_spec_survives_its_file(tmp_path):
    spec = msgspec.structs.replace(SPEC, games=("a/b", "c/d"), agent_options={"script": "x"})
    (tmp_path / "spec.toml").write_bytes(encode_spec(spec))
    assert read_spec(tmp_path / "spec.toml") == spec


def test_a_misspelt_field_of_a_spec_is_answered_with_the_right_one(tmp_path):
    (tmp_path / "spec.toml").write_text('suite = "starter"\nrate_herz = 3.0\n')
    with pytest.raises(ConfigError, match="Did you mean 'rate_hz'"):
        read_spec(tmp_path / "spec.toml")


def test_a_newer_run_is_refused(run):
    path = run.folder / "spec.toml"
    path.write_text(path.read_text().replace("schema = 1", "schema = 2"))
    with pytest.raises(StoreError, match="schema 2"):
        Run.open(run.folder)


def test_an_episode_is_invisible_until_it_is_published(run, holder):
    with run.draft(KEY, holder) as draft:
        assert run.finished() == set()
        assert run.drafts() == {KEY}
        assert run.publish(draft, episode())
        assert run.finished() == {KEY}
    assert run.drafts() == set()


def test_a_draft_that_is_not_published_vanishes(run, holder):
    with run.draft(KEY, holder) as draft:
        pass
    assert not draft.path.exists()
    assert not run.is_finished(KEY)


def test_a_published_episode_is_never_replaced(run, holder):
    assert published(run, holder, episode())
    assert not published(run, holder, episode(seconds=9.0))
    assert run.header(KEY).seconds == 3.0
    assert [path.name for path in (run.folder / "episodes").iterdir()] == [KEY]


def test_a_new_draft_clears_away_what_a_dead_holder_left(run, holder):
    left = run.folder / "episodes" / f".{KEY}.someone.tmp"
    left.mkdir(parents=True)
    with run.draft(KEY, holder):
        assert not left.exists()


def test_an_episode_is_read_whole(run, holder):
    published(run, holder, episode())
    files = run.load_episode(KEY)
    assert files.episode == episode()
    assert files.steps == (Step(0, 0.0, 0, Turn()),)
    assert files.twins == ()
    assert files.film.parent == files.folder


def test_first_result_without_a_fault_wins(run):
    for name, outcome in (("1", "broke"), ("2", None), ("3", None), ("4", "late")):
        with run.results_writer(Holder(name, "m", 1, "1")) as results:
            results.add(episode(fault=outcome, wall_seconds=float(name)))
    assert run.results()[KEY].wall_seconds == 2.0
    assert len(run.attempts(KEY)) == 4


def test_without_a_good_result_the_last_fault_stands(run, holder):
    with run.results_writer(holder) as results:
        results.add(episode(fault="first"))
        results.add(episode(fault="second"))
    assert run.results()[KEY].fault == Fault("game", "second")


def test_the_fault_that_came_last_stands_whoever_had_it(run):
    for name, began in (("1", "2026-01-02"), ("2", "2026-01-01")):
        with run.results_writer(Holder(name, "m", 1, "1")) as results:
            results.add(episode(fault=began, started=began))
    assert run.results()[KEY].fault == Fault("game", "2026-01-02")


def test_of_several_results_the_published_one_stands(run, holder):
    with run.results_writer(holder) as results:
        for seconds in (1.0, 2.0):
            results.add(episode(seconds=seconds))
    assert published(run, holder, episode(seconds=2.0))
    assert run.results()[KEY].seconds == 2.0


def test_verdicts_are_kept_by_judge(run, holder):
    for outcome in ("no answer", None):
        with run.verdict_writer("cpu: 1/x", holder) as verdicts:
            verdicts.add(verdict(outcome))
    (judge,) = run.judges()
    assert run.verdicts(judge) == run.verdicts("cpu: 1/x") == {KEY: verdict()}


def test_shortened_keys_find_an_episode(run, holder):
    published(run, holder, episode())
    assert locate_episode(run.folder / KEY[:6]) == (run, KEY)
    assert locate_episode(run.folder / "episodes" / KEY) == (run, KEY)
    with pytest.raises(ConfigError, match="no episodes"):
        locate_episode(run.folder / "ffff")


@pytest.fixture
def small_disk():
    """Files may not grow beyond 4 kB: what a full disk looks like to whoever writes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_loses_nothing_that_was_written(run, holder, small_disk):
    with run.results_writer(holder) as results:
        for _ in range(5):
            results.add(episode())
        with pytest.raises(StoreError, match=rf"Errno {errno.EFBIG}"):
            results.add(episode(title="x" * 4000))
        assert len(run.attempts(KEY)) == 5
        results.add(episode())
    assert len(run.attempts(KEY)) == 6


def test_a_full_disk_publishes_nothing(run, holder, small_disk):
    with run.draft(KEY, holder) as draft, pytest.raises(StoreError):
        run.publish(draft, episode(title="x" * 5000))
    assert run.finished() == set()
