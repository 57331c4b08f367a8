from __future__ import annotations

from playsuite.core.home import Home
from playsuite.testing import attack
from playsuite.testing.doctor import examine


def test_whatever_is_not_well_comes_with_a_fix_and_nothing_raises(tmp_path):
    findings = examine(Home(tmp_path / "not-made-yet"))
    assert {"python", "uv", "sandbox", "fonts", "space", "games"} <= {finding.name for finding in findings}
    assert all(finding.fix for finding in findings if not finding.ok)


def test_missing_games_are_no_reason_to_fail(tmp_path):
    (games,) = [finding for finding in examine(Home(tmp_path)) if finding.name == "games"]
    assert not games.ok
    assert not games.required


def test_an_act_that_is_refused_says_why_and_one_that_succeeds_says_nothing(tmp_path):
    assert attack.outcome(lambda: (tmp_path / "none").read_bytes()) == "No such file or directory"
    assert attack.outcome(lambda: None) == ""
