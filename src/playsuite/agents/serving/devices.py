"""The GPUs of this machine: which there are, which are ours, and how copies of a model share them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from itertools import takewhile
from typing import TYPE_CHECKING

from playsuite.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VISIBLE = "CUDA_VISIBLE_DEVICES"
NONE = ("-1", "NoDevFiles")
"""What hides a device and all that follow it in that variable."""
ASKING_S = 20.0


def gpu_names() -> list[str]:
    """Name the GPUs that this machine's driver knows of."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return []
    try:
        said = subprocess.run([tool, "-L"], capture_output=True, text=True, timeout=ASKING_S, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return []  # a driver that does not answer runs no model
    return re.findall(r"^GPU \d+: (.*?)(?: \(UUID|$)", said, re.MULTILINE)


def visible(environment: Mapping[str, str]) -> list[str] | None:
    """Return what the devices are called that an environment makes visible, by number or by name; None is all."""
    if VISIBLE not in environment:
        return None
    names = (name.strip() for name in environment[VISIBLE].split(","))
    return [name for name in takewhile(lambda name: name not in NONE, names) if name]


def gpus_here() -> tuple[int, ...]:
    """Return the numbers of the GPUs we may use, counted from 0 among those visible to us."""
    ours = visible(os.environ)
    return tuple(range(len(gpu_names() if ours is None else ours)))


def device(gpu: int, environment: Mapping[str, str]) -> str:
    """Return what the `gpu`-th visible device is called: a cluster grants some of a node's.

    Raises:
        ConfigError: there are not so many.
    """
    ours = visible(environment)
    if ours is None:
        return str(gpu)
    if not 0 <= gpu < len(ours):
        raise ConfigError(f"there is no GPU {gpu}: {len(ours)} are visible here, counted from 0")
    return ours[gpu]


def share_out(gpus: Sequence[int], each: int) -> tuple[tuple[int, ...], ...]:
    """Give every copy of a model as many GPUs as it takes; without any GPU there is one copy, on the CPU.

    Raises:
        ConfigError: there are GPUs, but fewer than one copy takes.
    """
    if not gpus:
        return ((),)
    if len(gpus) < each:
        raise ConfigError(f"one copy of the model takes {each} GPUs; here it may use {len(gpus)}")
    return tuple(tuple(gpus[first : first + each]) for first in range(0, len(gpus) - each + 1, each))
