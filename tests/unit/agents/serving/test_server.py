"""The lives of an engine: it starts, dies, hangs, is given up; and whatever happens, nothing of it is left."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from playsuite.agents.client import Client
from playsuite.agents.serving.command import Command
from playsuite.agents.serving.health import Health
from playsuite.agents.serving.serve import serve_at, serving
from playsuite.agents.serving.server import Patience, Place
from playsuite.core.errors import AgentError, ConfigError
from playsuite.core.records import Model, Preset
from playsuite.core.wait import until

DOUBLE = Path(__file__).with_name("double.py")
KEEPER = "playsuite.agents.serving.keeper"
QUICK = Patience(ready_seconds=30, silent_seconds=20, grace_seconds=1)
PRESET = Preset(model=Model(name="m", checkpoint="maker/m"))


def double(*words):
    """Start the engine in miniature with these words."""
    return lambda socket, gpus: Command((sys.executable, str(DOUBLE), "--uds", str(socket), *map(str, words)))


def served(launch, *places, patience=QUICK, log=print):
    return serve_at(launch, places, log=log, patience=patience)


def healthy(place):
    with Health(place.socket) as health:
        return health.good()


def engine_of(found):
    """Return the engine's own first process."""
    (pid,) = [pid for pid, words in found.items() if words[1] == str(DOUBLE)]
    return pid


def eventually(condition, what, *, timeout=30):
    return until(condition, timeout=timeout, waiting_for=what)


def reborn(place, processes, before):
    """Wait until the processes of `before` are gone, and then for a new engine."""
    eventually(lambda: not before.keys() & processes().keys(), "the engine to die")
    eventually(lambda: healthy(place), "a new engine")


def killed(processes):
    """Kill the engine's first process, and wait for the next one."""
    old = engine_of(processes())
    os.kill(old, signal.SIGKILL)
    eventually(lambda: old not in processes(), "the engine to die")


def test_it_is_ready_when_it_says_so_and_not_before(place):
    assert not healthy(place)
    with served(double(), place) as model:
        assert healthy(place)
        assert model.urls == (f"unix://{place.socket}",)


def test_the_fake_server_is_waited_for_until_its_model_is_loaded_and_then_answers(tmp_path):
    def launch(socket, gpus):
        server = (sys.executable, "-m", "playsuite.testing.server")
        return Command((*server, "--uds", str(socket), "--load-seconds", "1", "--reply", "Action: wait"))

    with serving(PRESET, folder=tmp_path, log=print, launch=launch, patience=QUICK) as model:
        client = Client(model.urls[0])
        assert client.complete([{"role": "user", "content": "?"}], model="m").text == "Action: wait"
        client.close()
    assert "loading the model" in (tmp_path / "engine-0.log").read_text()


def test_there_is_one_server_for_every_group_of_gpus(tmp_path):
    seen = []

    def launch(socket, gpus):
        seen.append(gpus)
        return double()(socket, gpus)

    with serving(PRESET, gpus=[(0,), (1,)], folder=tmp_path, log=print, launch=launch, patience=QUICK) as model:
        assert len(set(model.urls)) == 2
    assert sorted(seen) == [(0,), (1,)]


def test_sockets_are_where_only_we_reach_them_and_are_gone_afterwards(tmp_path):
    with serving(PRESET, folder=tmp_path, log=print, launch=double(), patience=QUICK) as model:
        folder = Path(model.urls[0].removeprefix("unix://")).parent
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not folder.exists()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "(EngineCore pid=7) torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB",
            "CUDA out of memory",
        ),
        ("OSError: x is not a local folder and is not a valid model identifier", "not a valid model identifier"),
        ("api_server.py: error: unrecognized arguments: --nonsense", "unrecognized arguments: --nonsense"),
    ],
)
def test_an_engine_that_cannot_start_is_not_tried_again_and_its_reason_is_told(place, processes, line, told):
    starts = []

    def launch(socket, gpus):
        starts.append(socket)
        return double("--say", line, "--exit", 1)(socket, gpus)

    with pytest.raises(ConfigError) as refused, served(launch, place):
        pass
    assert told in str(refused.value)
    assert f"ended with exit code 1: {line.rpartition(') ')[2]} (log: {place.log})" in str(refused.value)
    assert len(starts) == 1
    assert not processes()


def test_an_engine_that_is_not_there_is_told(place):
    with (
        pytest.raises(ConfigError, match="No such file or directory: '/no/python'"),
        served(lambda socket, gpus: Command(("/no/python",)), place),
    ):
        pass


def test_a_socket_in_use_is_told_and_its_server_left_alone(place):
    with served(double(), place):
        with pytest.raises(ConfigError, match="another server listens on"), served(double(), place):
            pass
        assert healthy(place)


def test_a_path_too_long_for_a_socket_is_told_at_once(tmp_path):
    long = Place(tmp_path / ("x" * 107), tmp_path / "log")
    with pytest.raises(ConfigError, match="at most 107 bytes"), served(double(), long):
        pass


def test_an_engine_that_does_not_get_ready_is_ended_and_its_last_word_told(place, processes):
    short = replace(QUICK, ready_seconds=1)
    with (
        pytest.raises(ConfigError, match=r"not ready after 1 s; .* Loading 40%"),
        served(double("--never-ready", "--say", "Loading 40%"), place, patience=short),
    ):
        pass
    assert not processes()


def test_a_dead_engine_is_started_again_and_what_it_left_is_gone(place, processes):
    said = []
    with served(double("--family"), place, log=said.append) as model:
        eventually(lambda: len(processes()) == 4, "keeper, engine, child and grandchild")
        family = processes()
        os.kill(engine_of(family), signal.SIGKILL)
        reborn(place, processes, family)
        model.check()
    assert "was killed, by somebody or because memory ran out" in said[0]
    assert said[1:] == ["stopping the model's servers"]
    assert not processes()


def test_an_engine_whose_keeper_is_killed_is_started_again(place, processes):
    with served(double(), place):
        before = processes()
        (keeper,) = [pid for pid, words in before.items() if KEEPER in words]
        os.kill(keeper, signal.SIGKILL)
        reborn(place, processes, before)
    assert not processes()


def test_a_hung_engine_is_killed_and_started_again(place, processes):
    deaf, said = place.socket.with_name("deaf"), []
    launch = double("--deaf-when", deaf, "--stubborn")
    with served(launch, place, log=said.append, patience=replace(QUICK, silent_seconds=1)):
        old = engine_of(processes())
        deaf.touch()
        eventually(lambda: said, "the engine to be found hung")
        deaf.unlink()
        eventually(lambda: healthy(place), "a new engine")
        assert old not in processes()
    assert "did not answer for 1 s and was killed" in said[0]


def test_an_engine_that_never_gets_ready_again_is_given_up(place, processes):
    broken = place.socket.with_name("broken")
    with served(double("--fail-when", broken), place) as model:
        broken.touch()
        killed(processes)
        with pytest.raises(AgentError, match=r"given up after 4 deaths.*broken for good"):
            model.join()
    assert not processes()


def test_an_engine_that_dies_again_and_again_is_given_up(place, processes):
    with served(double(), place, patience=replace(QUICK, restarts=1)) as model:
        killed(processes)
        eventually(lambda: healthy(place), "a new engine")
        killed(processes)
        with pytest.raises(
            AgentError, match="given up after 2 deaths; at last it was killed, by somebody or because memory ran out"
        ):
            model.join()


def test_who_has_lived_long_may_die_again(place, processes):
    with served(double(), place, patience=replace(QUICK, restarts=1, steady_seconds=0)) as model:
        for _ in range(3):
            killed(processes)
            eventually(lambda: healthy(place), "a new engine")
        model.check()


@pytest.mark.parametrize("words", [("--family",), ("--family", "--stubborn")])
def test_nothing_is_left_when_it_is_stopped(place, processes, words):
    with served(double(*words), place):
        eventually(lambda: len(processes()) == 4, "keeper, engine, child and grandchild")
    assert not processes()
    assert not place.socket.exists()


@pytest.mark.parametrize("victim", ["engine", "keeper"])
def test_the_files_of_an_engine_are_removed_whoever_is_killed(place, processes, victim):
    litter = place.socket.with_name("litter")
    with served(double("--litter", litter), place):
        folder, memory = map(Path, litter.read_text().splitlines())
        assert folder.exists()
        assert memory.exists()
        before = processes()
        (keeper,) = [pid for pid, words in before.items() if KEEPER in words]
        os.kill(engine_of(before) if victim == "engine" else keeper, signal.SIGKILL)
        reborn(place, processes, before)
        assert not folder.exists()
        # Nobody is left to remove the memory where the keeper is killed too.
        assert victim == "keeper" or not memory.exists()
    memory.unlink(missing_ok=True)


OWNER = f"""
import sys
from pathlib import Path
from playsuite.agents.serving.command import Command
from playsuite.agents.serving.serve import serve_at
from playsuite.agents.serving.server import Patience, Place

def launch(socket, gpus):
    return Command((sys.executable, {str(DOUBLE)!r}, "--uds", str(socket), "--family", *sys.argv[3:]))

place = Place(Path(sys.argv[1]), Path(sys.argv[2]))
with serve_at(launch, [place], log=print, patience=Patience(grace_seconds=1)) as model:
    model.join()
"""


@pytest.mark.parametrize("vice", ["--stubborn", "--never-ready"])
def test_nothing_is_left_when_its_owner_is_killed(place, processes, vice):
    owner = subprocess.Popen([sys.executable, "-c", OWNER, place.socket, place.log, vice])
    try:
        eventually(lambda: len(processes()) == 5, "owner, keeper, engine, child and grandchild")
    finally:
        owner.kill()
        owner.wait(30)
    eventually(lambda: not processes(), "everything to be gone")
