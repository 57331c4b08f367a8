"""The rules of the house that no tool checks."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
LARGEST_FILE = 300
LONGEST_FUNCTION = 40


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= LARGEST_FILE
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = [node.name for node in functions if (node.end_lineno or 0) - node.lineno + 1 > LONGEST_FUNCTION]
    assert long == []


def test_every_module_says_what_it_is() -> None:
    silent = [str(path) for path in SOURCES if ast.get_docstring(ast.parse(path.read_text())) is None]
    assert silent == []


def test_no_game_is_named_in_the_source() -> None:
    slugs = re.findall(
        r'^id = "[^/"]+/([^"]+)"', (ROOT / "suites/playsuite_suites/starter.toml").read_text(), re.MULTILINE
    )
    assert len(slugs) >= 20
    named = [
        (slug, path.name)
        for path in SOURCES
        for slug in slugs
        if re.search(rf"\b{re.escape(slug)}\b", path.read_text())
    ]
    assert named == []
