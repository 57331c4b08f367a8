"""The page shows every episode, trusts no text, and can be moved together with the films."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

import msgspec

from playsuite.core.actions import Press, Wait
from playsuite.core.records import Step, Turn
from playsuite.report.cards import moments
from playsuite.report.write import write_report

if TYPE_CHECKING:
    from pathlib import Path

EVIL = "<img src=x onerror=alert(1)>\"'&"


def page(folder: Path) -> str:
    return (folder / "index.html").read_text()


def test_the_report_is_a_table_a_page_and_a_line_for_each_episode(made, game):
    run = made("idle", a=game("A", 0), b=game("B", fault="it crashed"), c=None)
    write_report([run], run.report)
    lines = [msgspec.json.decode(line) for line in (run.report / "results.jsonl").read_bytes().splitlines()]
    assert [(line["title"], line["state"], line["level"]) for line in lines] == [
        ("A", "valid", 0),
        ("B", "faulted", None),
        ("c", "unplayed", None),
    ]
    assert "## Judged by cpu/1" in (run.report / "table.md").read_text()
    assert page(run.report).count('<article class="card"') == 2


def test_films_and_pictures_are_found_from_where_the_page_is(made, game):
    run = made("idle", a=game("A", 2))
    write_report([run], run.folder.parent / "compared" / "all")
    moved = run.folder.parent.rename(run.folder.parent.with_name("else where"))
    out = moved / "compared" / "all"
    links = re.findall(r'(?:src|poster)="([^"]+\.(?:mp4|jpg))"', page(out))
    assert len(links) == 2
    assert all((out / unquote(link)).exists() for link in links)


def test_nothing_a_game_or_a_model_says_becomes_markup(made, game):
    run = made("idle", a=game(EVIL, 1, said=EVIL), b=game("B", fault=EVIL))
    write_report([run], run.report)
    assert "<img" not in page(run.report)
    assert html.escape(EVIL, quote=False)[:12] in page(run.report)


def test_evidence_leads_into_the_film(made, game):
    run = made("idle", a=game("A", 2))
    write_report([run], run.report)
    assert 'data-t="1.5"' in page(run.report)
    assert "score 0 -&gt; 5" in page(run.report)


def test_an_episode_without_a_film_has_a_card_with_its_fault(made, game):
    run = made("idle", a=game("A", fault="it never drew", filmed=False))
    write_report([run], run.report)
    assert "<video controls" not in page(run.report)
    assert "game: it never drew" in page(run.report)


def test_the_page_needs_nothing_from_elsewhere(made, game):
    run = made("idle", a=game("A", 2))
    write_report([run], run.report)
    assert not re.search(r'(?:src|href|poster)="(?:https?:)?//', page(run.report))


def test_an_unjudged_run_has_a_page_that_says_so(made, game):
    run = made("idle", None, a=game("A"))
    write_report([run], run.report)
    assert "No judge has watched these episodes yet" in page(run.report)
    assert "Not judged" in page(run.report)


def test_writing_twice_gives_the_same_figures(made, game):
    run = made("idle", a=game("A", 2))
    assert write_report([run], run.report) == write_report([run], run.report)


def test_the_same_step_again_is_folded():
    turns = [Turn(), Turn(), Turn((Press(("left",)),)), Turn((Wait(),))]
    steps = [Step(index, float(index), index, turn) for index, turn in enumerate(turns)]
    assert [(moment.t, moment.count, moment.actions) for moment in moments(steps)] == [
        (0.0, 2, "wait"),
        (2.0, 1, "left"),
        (3.0, 1, "wait"),
    ]
