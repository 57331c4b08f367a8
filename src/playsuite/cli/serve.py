"""`playsuite serve`: serve a model on a Unix socket, until told to stop."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import msgspec
from cyclopts import Parameter
from msgspec.structs import replace

from playsuite.cli import DONE, log
from playsuite.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playsuite.core.records import Preset

ENGINE_LOG = Path("engine.log")


def serve(
    model: str,
    *,
    uds: Path,
    gpu: tuple[int, ...] = (),
    engine_log: Path = ENGINE_LOG,
    flag: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    ready_seconds: float = 900.0,
) -> None:
    """Serve a model with vLLM; say its address on stdout when it is ready, and start it again when it dies.

    Args:
        model: Name of a model, as for `playsuite run --model`.
        uds: Path of the socket; with several copies each has its number added: PATH-0, PATH-1.
        gpu: Number of a GPU to use; may be given several times. As many copies are served as these are good for.
            Default: all, or the CPU.
        engine_log: File to which everything is added that the engine writes; numbered like the sockets.
        flag: NAME=VALUE, a further flag of the engine; may be given several times.
        ready_seconds: How long loading the model may take; the first time it may have to be fetched.
    """
    from playsuite.agents.presets import find
    from playsuite.agents.serving.devices import share_out
    from playsuite.agents.serving.engine import find_engine
    from playsuite.agents.serving.serve import groups_for, launcher, serve_at
    from playsuite.agents.serving.server import Patience, Place
    from playsuite.core.home import Home

    signal.signal(signal.SIGTERM, _leave)
    preset = _with_flags(find(model), flag)
    engine = find_engine(Home.here(), at_least=preset.serving.min_vllm)
    groups = share_out(gpu, preset.serving.gpus) if gpu else groups_for(preset, engine)
    sockets, logs = _numbered(uds.absolute(), len(groups)), _numbered(engine_log.absolute(), len(groups))
    places = [Place(*place) for place in zip(sockets, logs, groups, strict=True)]
    launch = launcher(preset, engine, log=log)
    log(f"serving {preset.model.name} with vLLM {engine.version}; its log: {', '.join(map(str, logs))}")
    with serve_at(launch, places, log=log, patience=Patience(ready_seconds=ready_seconds)) as served:
        print(*served.urls, sep="\n", flush=True)  # noqa: T201 data go to stdout
        served.join()


def _with_flags(preset: Preset, flags: Sequence[str]) -> Preset:
    given = dict(_flag(flag) for flag in flags)
    return replace(preset, serving=replace(preset.serving, flags=preset.serving.flags | given))


def _flag(text: str) -> tuple[str, Any]:
    """Read NAME=VALUE, the value as JSON if it is that; a name alone is a switch."""
    name, equals, value = text.partition("=")
    if not name.strip("-"):
        raise ConfigError(f"--flag {text}: wanted NAME=VALUE, as in --flag max-model-len=8192")
    if not equals:
        return name, True
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _numbered(path: Path, count: int) -> list[Path]:
    return [path] if count == 1 else [path.with_name(f"{path.name}-{index}") for index in range(count)]


def _leave(signum: int, frame: object) -> NoReturn:
    """Unwind, so that the engine is ended; being told to stop is no error."""
    raise SystemExit(DONE)
