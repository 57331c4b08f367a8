"""Start the game the way Python would: a script, a module or a function."""

from __future__ import annotations

import importlib
import io
import os
import runpy
import sys
from pathlib import Path
from typing import Any

LARGEST_COPIED = 1 << 20
"""Bytes. Larger files are media that no game writes to; they become links."""


def move_to_copy(folder: str, copy: str) -> None:
    """Copy the game's folder, for games that write beside themselves, and go to the same place in the copy."""
    import shutil

    def duplicate(source: str, target: str) -> None:
        if Path(source).stat().st_size > LARGEST_COPIED:
            Path(target).symlink_to(source)
        else:
            shutil.copyfile(source, target)

    here = Path.cwd().relative_to(folder)
    shutil.copytree(folder, copy, copy_function=duplicate)
    for place, _, _ in os.walk(copy):
        Path(place).chmod(0o755)
    os.chdir(Path(copy) / here)


def search_path(config: dict[str, Any]) -> list[str]:
    """Return the folders the game's imports look into first, as Python itself would put them."""
    first = str(Path(config["target"]).absolute().parent) if config["kind"] == "path" else str(Path.cwd())
    return [first, *config["path"]]


def furnish_home(home: Path) -> None:
    """Make the folders that every used home has, since games write into them without asking."""
    for folder in (".cache", ".config", ".local/share"):
        (home / folder).mkdir(parents=True, exist_ok=True)


def prepare(config: dict[str, Any], folders: list[str]) -> None:
    """Set what a program finds on its start: arguments, search path and standard input."""
    target = config["target"]
    sys.argv = [str(Path(target).absolute()) if config["kind"] == "path" else target, *config["argv"]]
    sys.path[:0] = folders
    sys.stdin = io.StringIO(config["stdin"])


def run(kind: str, target: str) -> None:
    """Run the game to its end."""
    if kind == "path":
        runpy.run_path(str(Path(target).absolute()), run_name="__main__")
    elif kind == "module":
        runpy.run_module(target, run_name="__main__", alter_sys=True)
    else:
        module, _, function = target.partition(":")
        getattr(importlib.import_module(module), function)()
