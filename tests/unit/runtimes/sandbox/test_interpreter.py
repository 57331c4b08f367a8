from __future__ import annotations

from pathlib import Path

import pytest

from playsuite.core.errors import SandboxError
from playsuite.runtimes.sandbox.box import Bind
from playsuite.runtimes.sandbox.interpreter import interpreter_binds


def executable(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


@pytest.fixture
def base(tmp_path):
    """Lay out an interpreter behind a linked folder, as version managers do."""
    executable(tmp_path / "cpython-3.11.7" / "bin" / "python3.11")
    (tmp_path / "cpython-3.11").symlink_to("cpython-3.11.7")
    return tmp_path / "cpython-3.11"


@pytest.fixture
def environment(base, tmp_path):
    python = tmp_path / "environment" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(base / "bin" / "python3.11")
    (tmp_path / "environment" / "pyvenv.cfg").write_text(f"home = {base}/bin\nversion = 3.11.7\n")
    return python


def test_an_environment_is_seen_with_its_base_under_both_names(environment, base, tmp_path):
    real = tmp_path / "cpython-3.11.7"
    assert set(interpreter_binds(environment)) == {
        Bind(tmp_path / "environment", str(tmp_path / "environment")),
        Bind(real, str(base)),
        Bind(real, str(real)),
    }


def test_an_interpreter_without_environment_is_its_own_base(base, tmp_path):
    real = tmp_path / "cpython-3.11.7"
    assert interpreter_binds(real / "bin" / "python3.11") == (Bind(real, str(real)),)


def test_the_systems_interpreter_is_seen_already():
    assert "/usr" not in [bind.target for bind in interpreter_binds(Path("/usr/bin/env"))]


def test_a_missing_interpreter_is_named():
    with pytest.raises(SandboxError, match="no Python interpreter at /nowhere/bin/python"):
        interpreter_binds(Path("/nowhere/bin/python"))


def test_an_environment_that_names_no_base_is_refused(environment):
    (environment.parent.parent / "pyvenv.cfg").write_text("version = 3.11\n")
    with pytest.raises(SandboxError, match="names no interpreter"):
        interpreter_binds(environment)
