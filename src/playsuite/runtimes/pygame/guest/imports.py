"""Change a module of others right after it was imported, and let the game's own modules go first."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from importlib.machinery import ModuleSpec
    from pathlib import Path
    from types import ModuleType


class AfterImport:
    """A finder that finds nothing by itself, but applies a change to what the others find."""

    def __init__(self) -> None:
        self._changes: dict[str, Callable[[Any], None]] = {}
        sys.meta_path.insert(0, self)

    def __call__(self, name: str, change: Callable[[Any], None]) -> None:
        """Call `change(module)` once the module is imported, at once if it is already."""
        if name in sys.modules:
            change(sys.modules[name])
        else:
            self._changes[name] = change

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module the usual way, if there is a change to make to it."""
        change = self._changes.pop(name, None)
        if change is None:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            load(module)
            change(module)

        setattr(spec.loader, "exec_module", exec_module)  # noqa: B010 it is a method, and this one instance is ours
        return spec


def forget_shadowed(folders: Iterable[Path], keep: frozenset[str]) -> None:
    """Drop modules imported by the hooks whose names the game uses for its own; `keep` are those Python starts with.

    A game with its own `queue.py` would otherwise be given the standard one, which Python alone would not have loaded.
    """
    own = {entry.stem for folder in folders if folder.is_dir() for entry in folder.iterdir() if _importable(entry)}
    for name in own - keep - {"pygame", "playsuite"}:
        sys.modules.pop(name, None)


def _importable(entry: Path) -> bool:
    return entry.suffix == ".py" or (entry / "__init__.py").is_file()
