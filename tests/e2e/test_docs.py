"""Every shell block of the documentation, run as a reader would: in order, in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```bash\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(page: Path) -> list[str]:
    lines = "\n".join(BLOCK.findall(page.read_text())).splitlines()
    return [line.split(" #")[0].strip() for line in lines if line.strip() and not line.startswith("#")]


@pytest.mark.games
@pytest.mark.timeout(900)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_on_this_page_work(page: Path, tmp_path: Path, games_home: Path) -> None:
    tools = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PLAYSUITE_HOME": str(games_home),
    }
    for command in commands(page):
        # Running make from a test that make runs would never end; that its target exists is what can be checked here.
        line = f"make -C {ROOT} --dry-run {command.removeprefix('make')}" if command.startswith("make") else command
        done = subprocess.run(
            line,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, **tools},
            capture_output=True,
            text=True,
            timeout=800,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def test_the_pages_link_only_to_what_exists() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
