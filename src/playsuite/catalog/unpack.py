"""Copy a game from a folder or a zip, never outside its new place and never more than allowed."""

from __future__ import annotations

import shutil
import stat
import zipfile
from pathlib import Path, PurePosixPath

from playsuite.core.errors import ConfigError

MOST_BYTES = 2 * 1024**3
MOST_FILES = 20_000
CHUNK = 1024 * 1024


def unpack_zip(archive: Path, into: Path) -> None:
    """Unpack a zip into the folder `into`.

    Raises:
        ConfigError: it is no zip, or it holds links, paths that lead out of it, too many files or too many bytes.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            _unpack(opened, archive.name, into)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise ConfigError(f"'{archive.name}' cannot be unpacked: {error}. Give a folder or a plain zip file") from error


def copy_folder(folder: Path, into: Path) -> None:
    """Copy a folder's files into the folder `into`.

    Raises:
        ConfigError: it holds too many files or too many bytes.
    """
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    _check_budget(folder.name, len(files), sum(path.stat().st_size for path in files))
    for path in files:
        target = into / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def single_folder(place: Path) -> Path:
    """Return the folder a game's files are in: archives often hold one folder with all the rest."""
    inside = [path for path in place.iterdir() if path.name != "__MACOSX"]
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else place


def _unpack(opened: zipfile.ZipFile, name: str, into: Path) -> None:
    entries = [entry for entry in opened.infolist() if not entry.is_dir()]
    _check_budget(name, len(entries), sum(entry.file_size for entry in entries))
    left = MOST_BYTES
    for entry in entries:
        target = _target(entry, name, into)
        target.parent.mkdir(parents=True, exist_ok=True)
        with opened.open(entry) as source, target.open("wb") as file:
            while chunk := source.read(CHUNK):
                left -= len(chunk)  # counted as well as declared: a zip may lie about its sizes
                _check_budget(name, 0, MOST_BYTES - left)
                file.write(chunk)


def _target(entry: zipfile.ZipInfo, archive: str, into: Path) -> Path:
    path = PurePosixPath(entry.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        raise ConfigError(f"'{archive}' holds '{entry.filename}', which leads out of the archive. It was not unpacked")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise ConfigError(f"'{archive}' holds the link '{entry.filename}'. Pack the file itself")
    return into / path


def _check_budget(name: str, files: int, size: int) -> None:
    if files > MOST_FILES or size > MOST_BYTES:
        raise ConfigError(
            f"'{name}' is too large: {files} files, {size} bytes; at most {MOST_FILES} files and {MOST_BYTES} bytes"
        )
