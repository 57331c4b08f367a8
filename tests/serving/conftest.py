"""The real engine with tiny models of random weights: each is made, and served, once a session."""

import subprocess
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from playsuite.agents.serving.engine import find_engine
from playsuite.agents.serving.serve import groups_for, serving
from playsuite.agents.serving.server import Patience
from playsuite.core.errors import PlaySuiteError
from playsuite.core.home import Home
from playsuite.core.records import Model, Preset, Serving

MAKE_TINY_MODEL = Path(__file__).resolve().parents[2] / "scripts" / "make_tiny_model.py"
MAKING_S = 200
READY_S = 400
LAST_LINES = 40
QUIET = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "2"}
"""Nothing is looked up on a network, and a model this small only waits for more threads."""


@pytest.fixture(scope="session")
def engine_python() -> Path:
    """The Python of the environment that `make serve-env` makes."""
    return find_engine(Home.here()).python


@pytest.fixture(scope="session")
def tiny_model(engine_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny Qwen3-VL."""
    return make_model(engine_python, "qwen3-vl", tmp_path_factory.mktemp("qwen3-vl"))


@pytest.fixture(scope="session")
def tiny_judge(engine_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny Qwen3.5."""
    return make_model(engine_python, "qwen3.5", tmp_path_factory.mktemp("qwen3.5"))


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The only folder whose files the judge's engine reads."""
    return tmp_path_factory.mktemp("films")


@pytest.fixture(scope="session")
def engine_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with what the engines write."""
    return tmp_path_factory.mktemp("engines")


@pytest.fixture(scope="session")
def player_url(tiny_model: Path, engine_logs: Path) -> Iterator[str]:
    """The address of a server with a tiny Qwen3-VL, called 'tiny'."""
    with engine(tiny_model, engine_logs / "player", flags={}) as url:
        yield url


@pytest.fixture(scope="session")
def judge_url(tiny_judge: Path, films: Path, engine_logs: Path) -> Iterator[str]:
    """The address of a server with a tiny Qwen3.5, called 'tiny', that watches films."""
    flags = {"limit-mm-per-prompt": {"image": 1, "video": 1}, "allowed-local-media-path": str(films)}
    with engine(tiny_judge, engine_logs / "judge", flags=flags) as url:
        yield url


def make_model(python: Path, architecture: str, folder: Path) -> Path:
    command = [python, MAKE_TINY_MODEL, architecture, folder]
    subprocess.run(command, check=True, timeout=MAKING_S)
    return folder


@contextmanager
def engine(model: Path, logs: Path, *, flags: dict[str, object]) -> Generator[str]:
    """Serve a model on one GPU, or on the CPU if there is none."""
    preset = Preset(
        model=Model(name="tiny", checkpoint=str(model), served_name="tiny", flags={"max-model-len": 16384}),
        serving=Serving(max_num_seqs=16, flags=flags),
    )
    groups = groups_for(preset, find_engine(Home.here()))[:1]
    patience = Patience(ready_seconds=READY_S)
    logs.mkdir()
    with pytest.MonkeyPatch.context() as environment:
        for name, value in QUIET.items():
            environment.setenv(name, value)
        try:
            with serving(preset, gpus=groups, folder=logs, log=print, patience=patience) as served:
                yield served.urls[0]
        except PlaySuiteError as error:
            error.add_note(tail(logs))
            raise


def tail(logs: Path) -> str:
    """Return the last lines of every log, without the list of addresses that every server writes."""
    shown = []
    for log in logs.rglob("*.log"):
        lines = [line for line in log.read_text(errors="replace").splitlines() if "] Route: /" not in line]
        shown += [f"{log}:", *lines[-LAST_LINES:]]
    return "\n".join(shown)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what the engine said where a test with it failed."""
    report = yield
    logs = getattr(item, "funcargs", {}).get("engine_logs")
    if report.failed and logs:
        report.sections.append(("the end of the engines' logs", tail(logs)))
    return report
