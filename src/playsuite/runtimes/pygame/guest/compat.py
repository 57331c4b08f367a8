"""Rungs for old games, only where the manifest asks for them: removed names of the standard library, repaired paths."""

from __future__ import annotations

import builtins
import collections
import collections.abc
import fractions
import inspect
import math
import os
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

NOT_CODE = frozenset(("venv", "env", "site-packages", "__pycache__", "build", "dist", "tests", "docs"))
DEEPEST_PACKAGE = 3
REMOVED_FROM_NUMPY = {"int": int, "float": float, "bool": bool, "object": object, "str": str, "complex": complex}


def install(after_import: Callable[[str, Callable[[Any], None]], None], listdir: Callable[[str], list[str]]) -> None:
    """Bring back what Python and numpy removed, and find files whose names are spelled for another system."""
    _install_names()
    after_import("numpy", _install_numpy)
    _install_paths(lambda path: repaired(path, listdir))


def install_pygame(pygame: Any, listdir: Callable[[str], list[str]]) -> None:
    """Repair paths given to pygame, and sizes given to fonts as fractions."""

    def fixed(real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda path, *rest, **named: real(repaired(path, listdir), *rest, **named)

    pygame.image.load = fixed(pygame.image.load)
    pygame.mixer.music.load = fixed(pygame.mixer.music.load)
    real_sound, real_font = pygame.mixer.Sound, pygame.font.Font

    class Sound(real_sound):  # type: ignore[misc,valid-type]
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*(repaired(argument, listdir) for argument in arguments), **named)

    class Font(real_font):  # type: ignore[misc,valid-type]
        def __init__(self, name: Any = None, size: float = 12, *_: Any, **__: Any) -> None:
            super().__init__(repaired(name, listdir), int(size))

    pygame.mixer.Sound, pygame.font.Font = Sound, Font


def package_folders(root: Path) -> list[str]:
    """Return every folder of the game that holds Python files: implicit relative imports looked there."""
    found = []
    for folder, below, files in os.walk(root):
        below[:] = sorted(name for name in below if name not in NOT_CODE and not name.startswith("."))
        depth = len(Path(folder).relative_to(root).parts)
        if depth <= DEEPEST_PACKAGE and any(name.endswith(".py") for name in files):
            found.append(folder)
    return found


def repaired(path: Any, listdir: Callable[[str], list[str]]) -> Any:
    """Return the path of an existing file whose name differs in case or in its slashes; else `path` itself."""
    if not isinstance(path, str) or not path or os.path.lexists(path):
        return path
    found = "/" if path.startswith("/") else "."
    for part in path.replace("\\", "/").split("/"):
        step = _entry(found, part, listdir)
        if step is None:
            return path
        found = step
    return found


def _entry(folder: str, part: str, listdir: Callable[[str], list[str]]) -> str | None:
    exact = f"{folder}/{part}"
    if part in {"", ".", ".."} or os.path.lexists(exact):
        return exact
    try:
        names = listdir(folder)
    except OSError:
        return None
    return next((f"{folder}/{name}" for name in sorted(names) if name.lower() == part.lower()), None)


def _install_names() -> None:
    _restore(time, clock=time.perf_counter)
    _restore(fractions, gcd=math.gcd)
    _restore(collections, **{name: getattr(collections.abc, name) for name in collections.abc.__all__})
    _restore(inspect, getargspec=lambda function: inspect.getfullargspec(function)[:4])
    _restore(builtins, unicode=str, xrange=range, raw_input=input, unichr=chr, long=int)
    _restore_sampling_of_sets()
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))


def _restore_sampling_of_sets() -> None:
    """Let `random.sample` take a set again, which Python 3.11 refuses."""
    real = random.Random.sample

    def sample(self: random.Random, population: Any, k: int, **named: Any) -> list[Any]:
        return real(self, tuple(population) if isinstance(population, collections.abc.Set) else population, k, **named)

    setattr(random.Random, "sample", sample)  # noqa: B010
    random.sample = random.random.__self__.sample  # type: ignore[attr-defined]


def _install_numpy(module: Any) -> None:
    for name, kind in REMOVED_FROM_NUMPY.items():
        if name not in vars(module):
            setattr(module, name, kind)


def _restore(module: Any, **names: Any) -> None:
    for name, value in names.items():
        if not hasattr(module, name):
            setattr(module, name, value)


def _install_paths(repair: Callable[[Any], Any]) -> None:
    real_open, real_listdir = builtins.open, os.listdir

    def open_(file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        reads_text = not set("bwax+") & set(mode)
        opened = real_open(repair(file) if "r" in mode else file, mode, *rest, **named)
        if not reads_text or rest or "encoding" in named or not opened.seekable():
            return opened
        try:
            opened.read()
        except UnicodeDecodeError:
            opened.close()
            return real_open(repair(file), mode, encoding="latin-1", **named)
        opened.seek(0)
        return opened

    setattr(builtins, "open", open_)  # noqa: B010 the type checker knows that it is final
    for name in ("exists", "isfile", "isdir"):
        real = getattr(os.path, name)
        setattr(os.path, name, lambda path, real=real: real(repair(path)))
    setattr(os, "listdir", lambda path=".": real_listdir(repair(path)))  # noqa: B010
