"""Fetch the files a game is made of through the package clients, and refuse any file that is not the one pinned."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playsuite.catalog.clients import run, uv
from playsuite.core.errors import ConfigError

if TYPE_CHECKING:
    from playsuite.core.home import Home
    from playsuite.core.records import Artefact

COMPUTED = re.compile(r"Computed:\s*sha256:([0-9a-f]{64})")


def fetch(artefact: Artefact, home: Home, into: Path) -> None:
    """Unpack one artefact into the folder `into`, after its checksum was found right.

    Raises:
        ConfigError: it cannot be had here, or what came is another file than the one pinned.
    """
    match artefact.kind:
        case "pypi":
            _fetch_wheel(artefact, into)
        case "debian":
            _unpack_debian(_debian_file(artefact, home), into)
        case other:
            raise ConfigError(f"artefact '{artefact.name}' is of kind '{other}'. Known: debian, pypi")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fetch_wheel(artefact: Artefact, into: Path) -> None:
    name = f"{artefact.name}=={artefact.version}"
    # uv checks the hash before it unpacks, keeps its own cache, and unpacks no path outside the target.
    command = [uv(), "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes"]
    try:
        run(
            [*command, "--target", str(into), "-r", "-"],
            doing=f"fetching {name}",
            given=f"{name} --hash=sha256:{artefact.sha256}\n",
        )
    except ConfigError as error:
        if came := COMPUTED.search(str(error)):
            raise _wrong_file(artefact, came[1]) from None
        raise


def _debian_file(artefact: Artefact, home: Home) -> Path:
    kept = home.downloads / f"{artefact.sha256}.deb"
    if kept.exists():
        return kept
    home.downloads.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=home.downloads) as temporary:
        fetched = _download_debian(artefact, Path(temporary))
        if (came := sha256_of(fetched)) != artefact.sha256:
            raise _wrong_file(artefact, came)
        fetched.rename(kept)
    return kept


def _download_debian(artefact: Artefact, folder: Path) -> Path:
    if not shutil.which("apt-get"):
        raise ConfigError(f"'{artefact.name}' is a Debian package and needs apt: use Debian 12, or leave this game out")
    wanted = f"{artefact.name}={artefact.version}"
    try:
        run(["apt-get", "--quiet", "download", wanted], doing=f"fetching {wanted}", cwd=folder)
    except ConfigError as error:
        raise ConfigError(
            f"{error}. The suite pins Debian 12's version; run 'apt-get update' once, or leave this game out"
        ) from None
    return next(folder.glob("*.deb"))


def _unpack_debian(package: Path, into: Path) -> None:
    run(["dpkg-deb", "--extract", str(package), str(into)], doing=f"unpacking {package.name}")


def _wrong_file(artefact: Artefact, came: str) -> ConfigError:
    return ConfigError(
        f"{artefact.kind} artefact {artefact.name} {artefact.version} should have sha256 {artefact.sha256}, "
        f"but the one fetched has {came}. Do not play it; tell the suite's keeper"
    )
