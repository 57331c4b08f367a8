"""Every episode gets one verdict; a fault is never a level, and a judge that fails is asked again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from playsuite.core.claims import Holder
from playsuite.core.errors import ConfigError, JudgeError
from playsuite.core.records import Fault, Level
from playsuite.judge.campaign import carry_out, prepare
from playsuite.judge.cpu import CpuJudge

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playsuite.core.records import Verdict
    from playsuite.core.store import Run

CRASHED = Fault("game", "the game crashed")

JUDGES = '''
import os, threading
from pathlib import Path
from playsuite.core.errors import ConfigError, JudgeError
from playsuite.core.records import Level, Milestones, Verdict

class Moody:
    """Does what a file beside the run tells for an episode; without one, gives level 2."""
    name = "moody/1"

    def watch(self, game, episode):
        key = episode.episode.key
        mood = episode.folder.parents[2] / f"{key}.mood"
        match mood.read_text() if mood.exists() else "":
            case "refuses": raise JudgeError("cannot see a thing")
            case "breaks": raise ZeroDivisionError("division by zero")
            case "dies": os._exit(9)
            case "hangs": threading.Event().wait(100)
            case "lacks": raise ConfigError("the judge needs glasses. Install them: pip install glasses")
        return Verdict(key=key, game=game.id, judge=self.name, level=Level.PARTIAL, milestones=Milestones())
'''


@pytest.fixture
def moods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Install a judge of another package, and return what sets its mood for each episode."""
    package = tmp_path / "site"
    (package / "moody-1.dist-info").mkdir(parents=True)
    (package / "moody.py").write_text(JUDGES)
    (package / "moody-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: moody\nVersion: 1\n")
    (package / "moody-1.dist-info" / "entry_points.txt").write_text("[playsuite.judges]\nmoody = moody:Moody\n")
    monkeypatch.syspath_prepend(package)

    def set_moods(**moods: str) -> None:
        for key, mood in moods.items():
            (tmp_path / f"{key}.mood").write_text(mood)

    return set_moods


def judged(run: Run, *, workers: int = 1) -> dict[str, Verdict]:
    return {verdict.key: verdict for verdict in carry_out(prepare(run, "moody"), workers=workers)}


def test_every_played_episode_is_judged_once(played, moods):
    run = played(one=None, two=None, three=None)
    assert {key: verdict.level for key, verdict in judged(run, workers=2).items()} == dict.fromkeys(
        ("one", "two", "three"), Level.PARTIAL
    )
    assert judged(run) == {}
    assert run.verdicts("moody/1").keys() == {"one", "two", "three"}


def test_an_episode_with_a_fault_gets_that_fault_and_no_level(played, moods):
    run = played(one=CRASHED)
    verdict = judged(run)["one"]
    assert (verdict.level, verdict.milestones, verdict.fault) == (None, None, CRASHED)
    assert judged(run) == {}


@pytest.mark.parametrize(
    ("mood", "message"),
    [
        ("refuses", "cannot see a thing"),
        ("breaks", "judging episode one: ZeroDivisionError: division by zero"),
        ("dies", "the judge's process died (exit code 9); run the command again to try once more"),
    ],
)
def test_a_judge_that_fails_costs_one_verdict_and_is_asked_again(played, moods, mood, message):
    run = played(one=None, two=None)
    moods(one=mood)
    first = judged(run)
    assert first["one"].fault == Fault("judge", message)
    assert (first["one"].level, first["two"].level) == (None, Level.PARTIAL)
    moods(one="")
    assert judged(run)["one"].level is Level.PARTIAL
    assert run.verdicts("moody/1")["one"].level is Level.PARTIAL


def test_a_judge_that_hangs_costs_one_verdict(played, moods):
    run = played(one=None)
    moods(one="hangs")
    (verdict,) = carry_out(prepare(run, "moody"), workers=1, longest_s=2)
    assert verdict.level is None
    assert verdict.fault is not None
    assert "took more than 2 s" in verdict.fault.message


def test_an_interrupted_campaign_goes_on_where_it_was(played, moods):
    run = played(one=None, two=None, three=None)
    verdicts = carry_out(prepare(run, "moody"), workers=2)
    first = next(verdicts).key
    verdicts.close()
    assert run.verdicts("moody/1").keys() == {first}
    assert judged(run).keys() == {"one", "two", "three"} - {first}


def test_a_missing_film_is_a_fault(played):
    run = played(one=None)
    run.episode_folder("one").video.unlink()
    (verdict,) = carry_out(prepare(run, "cpu"), workers=1)
    assert verdict.level is None
    assert verdict.fault is not None
    assert "video.mp4" in verdict.fault.message


def test_a_judge_that_cannot_work_here_stops_the_campaign(played, moods):
    run = played(one=None, two=None)
    moods(one="lacks", two="lacks")
    with pytest.raises(ConfigError, match="pip install glasses"):
        judged(run)
    assert run.verdicts("moody/1") == {}
    assert run.holder_of("one", task="moody/1") is None


def test_what_another_machine_judges_is_left_to_it(played, moods):
    run = played(one=None, two=None)
    with run.claim("one", Holder.here(), task="moody/1"):
        assert judged(run).keys() == {"two"}
    assert judged(run).keys() == {"one"}


def test_an_unknown_judge_is_a_clear_mistake(played):
    with pytest.raises(ConfigError, match=r"no judge called 'cpus'\. Did you mean 'cpu'"):
        prepare(played(one=None), "cpus")


def test_the_judge_itself_says_that_it_cannot_watch_a_missing_film(played):
    run = played(one=None)
    run.episode_folder("one").video.unlink()
    with pytest.raises(JudgeError, match=r"video\.mp4"):
        CpuJudge().watch(run.games["test/one"], run.load_episode("one"))
