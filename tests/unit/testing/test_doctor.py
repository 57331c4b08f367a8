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


def test_a_missing_model_engine_is_no_reason_to_fail_and_one_that_is_there_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("PLAYSUITE_ENGINE_PYTHON", raising=False)
    python = tmp_path / "engines" / "vllm" / "bin" / "python"
    assert not engine_finding(tmp_path).required
    assert str(python) in engine_finding(tmp_path).found
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho vllm 0.32.0\n")
    python.chmod(0o755)
    assert engine_finding(tmp_path).ok
    assert f"0.32.0, {python}; " in engine_finding(tmp_path).found


def engine_finding(root):
    (found,) = [finding for finding in examine(Home(root)) if finding.name == "model engine (vLLM)"]
    return found


def test_an_act_that_is_refused_says_why_and_one_that_succeeds_says_nothing(tmp_path):
    assert attack.outcome(lambda: (tmp_path / "none").read_bytes()) == "No such file or directory"
    assert attack.outcome(lambda: None) == ""
