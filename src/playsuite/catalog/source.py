"""Read a Python game's source without running it: where it starts, what it imports, whether it is Python 3."""

from __future__ import annotations

import ast
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

STARTER_NAMES = ("run_game", "__main__", "main", "run", "game", "start", "launcher", "play", "app")
"""File names games start from, best first."""
TOOL_WORDS = ("setup", "upload", "editor", "edit", "test", "server", "build", "pack", "make", "convert", "tool")
SKIPPED_FOLDERS = frozenset(("venv", ".venv", "env", "site-packages", "tests", "test", "docs", "dist", "build", ".git"))
PER_LEVEL = 18
"""Points a file loses for every folder it lies deeper."""


class Reading(Struct, frozen=True):
    """What the files reachable by import from an entry say."""

    imports: tuple[str, ...] = ()
    """Top-level modules that are neither the game's own nor the standard library's."""
    unreadable: str = ""
    """The first file that is no Python 3, where and why; empty if all are."""


def python_files(root: Path) -> list[Path]:
    """List the Python files below `root`, relative to it, without tests, environments and build products."""
    found = (path.relative_to(root) for path in root.rglob("*.py"))
    return sorted(path for path in found if not SKIPPED_FOLDERS & {part.lower() for part in path.parts[:-1]})


def entries(root: Path) -> list[Path]:
    """Rank the files a game may start from, likeliest first, relative to `root`."""
    scored = [(_score(path, (root / path).read_text(errors="replace"), root.name), path) for path in python_files(root)]
    return [path for score, path in sorted(scored, key=lambda pair: (-pair[0], pair[1])) if score > 0]


def read(root: Path, entry: Path) -> Reading:
    """Follow the imports of `entry` (relative to `root`) through the game's own files."""
    waiting, seen = [root / entry], set[Path]()
    imports = set[str]()
    # Many games put folders on sys.path as they start, so any folder with code may be one to import from.
    folders = [(root / entry).parent, root, *sorted({(root / path).parent for path in python_files(root)})]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        try:
            tree = _parse(path)
        except SyntaxError as error:
            where = f"{path.relative_to(root)} line {error.lineno}"
            return Reading(unreadable=f"{where}: {error.msg}. It is Python 2, or broken")
        for name in _imported(tree):
            own = _own_files(name, path.parent, folders)
            waiting.extend(own)
            top = name.partition(".")[0]
            if top and not own and not any((folder / top).is_dir() for folder in folders):
                imports.add(top)
    return Reading(imports=tuple(sorted(imports - sys.stdlib_module_names)))


def _score(path: Path, text: str, folder_name: str) -> int:
    stem = path.stem.lower()
    score = 100 - 8 * STARTER_NAMES.index(stem) if stem in STARTER_NAMES else 0
    score += 35 * (stem == folder_name.lower())
    score += 20 * ("__name__" in text and "__main__" in text)
    score += 10 * ("set_mode(" in text)
    score += 10 * ("display.flip(" in text or "display.update(" in text or "pgzrun.go(" in text)
    score += 12 * any(line.startswith(("main()", "run()", "game()")) for line in text.splitlines()[-5:])
    score -= 60 * any(word in stem for word in TOOL_WORDS)
    return score - PER_LEVEL * (len(path.parts) - 1)


def _parse(path: Path) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a game's invalid escapes are no news
        return ast.parse(path.read_bytes(), filename=str(path))


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield dotted names of imported modules; relative ones keep their leading dots."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = "." * level + (module or "")
                yield base
                joint = "" if base.endswith(".") else "."
                yield from (f"{base}{joint}{alias.name}" for alias in names if level or module)
            case _:
                pass


def _own_files(name: str, here: Path, roots: list[Path]) -> list[Path]:
    """Return the game's own files that importing `name` runs."""
    bare = name.lstrip(".")
    if level := len(name) - len(bare):
        roots = [[here, *here.parents][level - 1]]
    parts = bare.split(".") if bare else []
    for root in [*roots, here]:
        found = [file for depth in range(len(parts) + 1) for file in _files_of(root.joinpath(*parts[:depth]), depth)]
        if found:
            return found
    return []


def _files_of(module: Path, depth: int) -> list[Path]:
    if depth == 0:
        return []
    return [file for file in (module.with_name(f"{module.name}.py"), module / "__init__.py") if file.is_file()]
