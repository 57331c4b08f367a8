"""What a user installs holds more than modules: prompts, page templates, the games' side of the runtime, suites."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = (".md", ".toml", ".jinja", ".css", ".js", ".typed")


def test_the_wheel_holds_every_module_and_every_data_file(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=100)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    for top in (ROOT / "src", ROOT / "suites"):
        wanted = {str(path.relative_to(top)) for path in top.rglob("*") if path.suffix in (".py", *DATA)}
        assert wanted - packed == set()
    assert {Path(name).suffix for name in packed} >= set(DATA)
