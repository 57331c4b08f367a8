"""Records as lines of JSON. A file has one writer, a line is there whole or not at all, and a torn tail is forgiven."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct

from playsuite.core.errors import StoreError, boundary
from playsuite.core.records import SCHEMA

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

T = TypeVar("T")


class LineWriter:
    """Append records to a file that nobody else writes."""

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        """Open `path` for appending, after its last whole line; `durable` syncs every line to the disk.

        Raises:
            StoreError: the file cannot be opened.
        """
        self._path = path
        self._durable = durable
        with boundary(StoreError, f"opening {path}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
            self._end = path.read_bytes().rfind(b"\n") + 1
            self._forget_torn_tail()

    def add(self, record: Struct) -> None:
        """Append one record; it can be read when this returns.

        Raises:
            StoreError: it could not be written whole (a full disk); the file is then as it was before.
        """
        line = msgspec.json.encode(record) + b"\n"
        with boundary(StoreError, f"appending to {self._path}"):
            try:
                self._write(line)
            except OSError:
                self._forget_torn_tail()
                raise
        self._end += len(line)

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> LineWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:  # a nearly full disk takes a part of a line first and refuses the rest afterwards
            rest = rest[os.write(self._file, rest) :]
        if self._durable:
            os.fsync(self._file)

    def _forget_torn_tail(self) -> None:
        os.ftruncate(self._file, self._end)
        os.lseek(self._file, self._end, os.SEEK_SET)


def read_lines(path: Path, kind: type[T]) -> list[T]:
    """Read all whole lines of a file; a last line without its newline was never finished and does not count.

    Raises:
        StoreError: the file cannot be read, a line is not a `kind`, or a newer PlaySuite wrote it.
    """
    with boundary(StoreError, f"reading {path}"):
        *lines, _torn = path.read_bytes().split(b"\n")
    return [decode(line, kind, where=f"{path}, line {number}") for number, line in enumerate(lines, start=1)]


def decode(data: bytes, kind: type[T], *, where: str) -> T:
    """Decode one JSON record.

    Raises:
        StoreError: it is not a `kind`, or a newer PlaySuite wrote it; the message begins with `where`.
    """
    try:
        refuse_newer(msgspec.json.decode(data, type=_Versioned).schema, where=where)
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise StoreError(f"{where}: no {kind.__name__}: {error}") from error


def refuse_newer(schema: Any, *, where: str) -> None:
    """Raise StoreError if `schema` is beyond what this PlaySuite reads."""
    if not isinstance(schema, int) or schema > SCHEMA:
        raise StoreError(f"{where}: written as schema {schema}, this PlaySuite reads up to {SCHEMA}. Update PlaySuite")


class _Versioned(Struct):
    schema: int = SCHEMA
