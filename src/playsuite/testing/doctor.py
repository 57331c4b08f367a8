"""Examine this machine: what of PlaySuite works here, and what to do about the rest."""

from __future__ import annotations

import importlib
import platform
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from playsuite.agents.serving.engine import describe_engine
from playsuite.core.errors import PlaySuiteError, SandboxError
from playsuite.runtimes.sandbox.syscalls import compiled_filter
from playsuite.runtimes.sandbox.ways import find_way
from playsuite.testing.siege import siege

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playsuite.core.home import Home

OLDEST_PYTHON = (3, 11)
FREE_GB = 2.0
"""Enough for the starter suite, its environments and a run."""
FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
GB = 1 << 30


class Finding(Struct, frozen=True):
    """One thing that was examined."""

    name: str
    ok: bool
    found: str
    fix: str = ""
    """What to do about it, if it is not ok."""
    required: bool = True
    """Without it no untrusted game can be played; otherwise one capability is missing."""


def examine(home: Home) -> list[Finding]:
    """Examine everything; takes a few seconds, as the sandbox is attacked and a film encoded."""
    findings = [
        _python(),
        _uv(),
        _tried("sandbox", lambda: f"bubblewrap, by {find_way().value}", fix="see what was found"),
        _tried(
            "system call filter",
            lambda: f"{len(compiled_filter()) // 8} instructions",
            fix="pip install playsuite[pygame]; apt-get install libseccomp2",
        ),
        *_sandbox_holds(),
        _fonts(),
        _tried("film (H.264)", _encode, fix="pip install playsuite[pygame]: PyAV with libx264"),
        _tried("text recognition", _ocr, fix="pip install playsuite[judge], for the cpu judge", required=False),
        _tried(
            "model client", _client, fix="pip install playsuite[models], for agents that ask a model", required=False
        ),
        _tried(
            "model engine (vLLM)",
            lambda: describe_engine(home),
            fix="make serve-env, to serve models on this machine",
            required=False,
        ),
        _space(home),
        _games(home),
    ]
    return [replace(finding, fix="") if finding.ok else finding for finding in findings]


def _python() -> Finding:
    fix = "use Python 3.11 or newer"
    return Finding("python", sys.version_info >= OLDEST_PYTHON, f"{platform.python_version()}, {sys.executable}", fix)


def _uv() -> Finding:
    where = shutil.which("uv", path=f"{Path(sys.executable).parent}") or shutil.which("uv")
    return Finding("uv", where is not None, where or "not found", "pip install uv: it makes the games' environments")


def _sandbox_holds() -> Iterator[Finding]:
    try:
        refusals = siege()
    except SandboxError as error:
        yield Finding("sandbox attacked", ok=False, found=str(error), fix="no untrusted game is played until it holds")
        return
    for act, refusal in refusals.items():
        found = f"refused: {refusal}" if refusal else "SUCCEEDED"
        yield Finding(f"sandbox: {act}", bool(refusal), found, "do not play untrusted games here; report this")


def _fonts() -> Finding:
    count = sum(1 for folder in FONT_FOLDERS for _ in folder.glob("**/*.[ot]tf"))
    fix = "apt-get install fonts-dejavu-core, for games that name a system font"
    return Finding("fonts", count > 0, f"{count} in {FONT_FOLDERS[0]}", fix, required=False)


def _encode() -> str:
    import av

    codec = av.codec.Codec("libx264", "w")
    return f"{codec.name}, PyAV {av.__version__}"


def _ocr() -> str:
    versions = [importlib.import_module(name) for name in ("onnxruntime", "rapidocr_onnxruntime")]
    return f"rapidocr on onnxruntime {versions[0].__version__}"


def _client() -> str:
    if find_spec("httpx") is None or find_spec("PIL") is None:
        raise ImportError("httpx or pillow is not installed")
    return "httpx, pillow"


def _space(home: Home) -> Finding:
    there = next(folder for folder in (home.root, *home.root.parents) if folder.exists())
    free_gb = shutil.disk_usage(there).free / GB
    fix = f"free {FREE_GB:g} GB, or set PLAYSUITE_HOME to a larger disk"
    return Finding("space", free_gb >= FREE_GB, f"{free_gb:.1f} GB free at {home.root}", fix)


def _games(home: Home) -> Finding:
    count = len(home.all_installed())
    return Finding("games", count > 0, f"{count} installed", "playsuite games install starter", required=False)


def _tried(name: str, attempt: Callable[[], str], *, fix: str, required: bool = True) -> Finding:
    """Make a finding of what an attempt returned, or of why it failed."""
    try:
        return Finding(name, ok=True, found=attempt(), required=required)
    except (PlaySuiteError, ImportError, ValueError, OSError) as error:
        return Finding(name, ok=False, found=str(error) or type(error).__name__, fix=fix, required=required)
