"""Writing whole files and folders, and reading what many holders wrote."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, TypeVar

import msgspec

from playsuite.core.errors import StoreError, boundary
from playsuite.core.lines import read_lines
from playsuite.core.records import Episode, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from msgspec import Struct

T = TypeVar("T", Episode, Verdict)


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    with boundary(StoreError, f"writing {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)


def write_lines(path: Path, records: Iterable[Struct]) -> None:
    """Write records, one a line, all or none."""
    write(path, msgspec.json.Encoder().encode_lines(list(records)))


def sync(folder: Path) -> None:
    """Put a folder and its files on the disk, so that its renaming never outruns its contents."""
    for path in (*(path for path in folder.rglob("*") if path.is_file()), folder):
        file = os.open(path, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def rename_if_free(source: Path, target: Path) -> bool:
    """Rename a folder; return False if there is one of that name already."""
    try:
        source.rename(target)
    except OSError as error:
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
        return False
    return True


def read_all(folder: Path, kind: type[T]) -> list[T]:
    """Read what all holders wrote, in the order in which they began."""
    return [record for path in sorted(folder.glob("*.jsonl")) for record in read_lines(path, kind)]


def best(records: Iterable[T], *, faulted: Callable[[T], bool]) -> dict[str, T]:
    """Return one record for each key: the first without a fault, else the last fault, in the order given."""
    chosen: dict[str, T] = {}
    for record in records:
        known = chosen.get(record.key)
        if known is None or faulted(known):
            chosen[record.key] = record
    return chosen
