"""The command line as a shell sees it."""

import subprocess
import sys
from pathlib import Path

import pytest

from playsuite.cli import VERBS

PLAYSUITE = Path(sys.executable).with_name("playsuite")


def shell(line, tmp_path):
    environment = {"PATH": f"{PLAYSUITE.parent}:/usr/bin:/bin", "PLAYSUITE_HOME": str(tmp_path / "home")}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_a_reader_that_has_enough_is_no_error(tmp_path):
    done = shell("playsuite games list | head -1", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


def test_a_wrong_name_is_one_line_that_says_what_is_known(tmp_path):
    done = shell("playsuite run --suite startr", tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [line for line in done.stderr.splitlines() if "Did you mean 'starter'?" in line]


def test_a_game_that_the_suite_has_not_is_one_line_that_names_the_nearest(tmp_path):
    done = shell("playsuite run --suite starter --games debian/funyboat", tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "Did you mean 'debian/funnyboat'?" in done.stderr


def test_a_missing_run_is_one_line(tmp_path):
    done = shell("playsuite judge nowhere", tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "no run in" in done.stderr


@pytest.mark.parametrize("command", ["playsuite models list", "playsuite models list --json"])
def test_a_full_disk_is_one_line(command, tmp_path):
    done = shell(f"{command} > /dev/full", tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


def test_every_verb_says_what_it_is_for_and_leads_somewhere(tmp_path):
    for verb, line in VERBS.items():
        done = shell(f"playsuite {verb} --help", tmp_path)
        assert line in " ".join(done.stdout.split()), verb
