"""Write a report: `table.md`, `results.jsonl`, `index.html` and a picture of every film."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from playsuite.core.errors import StoreError, boundary
from playsuite.media.sample import seconds
from playsuite.media.still import poster
from playsuite.report.cards import Card, Files, card
from playsuite.report.conditions import shared
from playsuite.report.page import render
from playsuite.report.results import State, join, judges, under
from playsuite.report.text import markdown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from playsuite.core.store import Run
    from playsuite.report.results import Result


def write_report(runs: Sequence[Run], out: Path) -> list[Result]:
    """Write the report of some runs into the folder `out` and return what it is made of.

    Raises:
        StoreError: a run cannot be read, or the report not written.
    """
    results = join(runs)
    cards = _cards(runs, results, out)
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    settings = tuple(shared([run.spec for run in runs]).values())
    _write(out / "results.jsonl", msgspec.json.Encoder().encode_lines(results))
    _write(out / "table.md", markdown(results).encode())
    _write(out / "index.html", render(results, cards, settings=settings, made=made).encode())
    return results


def _cards(runs: Sequence[Run], results: Sequence[Result], out: Path) -> list[Card]:
    rows = [under(results, judge) for judge in judges(results)]
    played = [same for same in zip(*rows, strict=True) if same[0].state is not State.UNPLAYED]
    # The films of one game side by side, in the order of the tables' columns, which a stable sort keeps.
    played.sort(key=lambda same: (same[0].title.lower(), same[0].game))
    return [_card(_run_of(same[0], runs), same, out) for same in played]


def _run_of(result: Result, runs: Sequence[Run]) -> Run:
    return next(run for run in runs if run.folder.name == result.run and run.is_finished(result.key))


def _card(run: Run, same: Sequence[Result], out: Path) -> Card:
    """Return the card of one episode, given its row under each judge."""
    key = same[0].key
    folder, steps = run.episode_folder(key), run.load_episode(key).steps
    files = Files(
        film=_link(folder.video, out),
        poster=_link(_poster(folder.video, out / "posters" / f"{key}.jpg"), out),
        log=_link(folder.log, out),
    )
    return card(same, files, steps)


def _poster(film: Path, target: Path) -> Path:
    """Make a picture of the middle of a film, if there is a film and not yet a picture; a film never changes."""
    if not film.exists() or target.exists():
        return target
    try:
        _write(target, poster(film, seconds(film) / 2))
    except StoreError:  # a broken film is shown without a picture; the judge has called it a fault
        return target
    return target


def _link(path: Path, out: Path) -> str:
    """Return the address of a file relative to the page, so that both can be moved together."""
    return quote(os.path.relpath(path.absolute(), out.absolute())) if path.exists() else ""


def _write(path: Path, data: bytes) -> None:
    with boundary(StoreError, f"writing {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.tmp")
        draft.write_bytes(data)
        draft.replace(path)
