"""Figures are over valid episodes only; faults are counted, never scored; baselines stand first; judges stay apart."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from playsuite.report.results import State, join, judges, under
from playsuite.report.tables import answers_table, conditions_of, game_table, genre_table, main_table, summarise
from playsuite.report.text import NOT_JUDGED, markdown


def test_a_fault_is_counted_and_never_a_zero(made, game):
    run = made("random", a=game("A", 3), b=game("B", 1), c=game("C", fault="it crashed"))
    (row,) = main_table(join([run]))
    assert (row.summary.mean, row.summary.at_least_partial) == (2.0, 0.5)
    assert (row.summary.valid, row.summary.faulted, row.summary.total) == (2, 1, 3)
    assert row.summary.levels == (0, 1, 0, 1, 0)


def test_a_fault_of_the_judge_counts_as_a_fault(made, game):
    results = join([made("random", a=game("A", judge_fault="it fell asleep"), b=game("B", 0))])
    (row,) = main_table(results)
    assert (row.summary.mean, row.summary.valid, row.summary.faulted) == (0.0, 1, 1)


def test_what_is_not_played_or_not_judged_is_neither_valid_nor_faulted(made, game):
    results = join([made("random", a=game("A", 2), b=game("B"), c=None)])
    assert [result.state for result in results] == [State.VALID, State.UNJUDGED, State.UNPLAYED]
    (row,) = main_table(results)
    assert (row.summary.valid, row.summary.faulted, row.summary.total) == (1, 0, 3)


def test_a_zero_that_the_judge_was_unsure_of_is_counted_apart(made, game):
    sure, one, *_ = join([made("random", a=game("A", 0), b=game("B", 1))])
    unknown = ("player_control_evident",)
    results = [sure, replace(sure, unknown=unknown), replace(one, unknown=unknown)]
    assert summarise(results).unsure == 1


def test_no_valid_episode_no_mean(made, game):
    (row,) = main_table(join([made("random", a=game("A", fault="it crashed"))]))
    assert row.summary.mean is None


def test_baselines_stand_first_and_models_by_their_mean(made, game):
    runs = [
        made("model", model="weak", a=game("A", 1)),
        made("model", model="strong", a=game("A", 4)),
        made("explorer", a=game("A", 2)),
        made("idle", a=game("A", 0)),
    ]
    rows = main_table(join(runs))
    assert [row.condition for row in rows] == ["idle", "explorer", "strong", "weak"]
    assert [row.baseline for row in rows] == [True, True, False, False]


def test_conditions_of_one_model_are_told_apart_by_what_differs(made, game):
    runs = [made("model", model="m", history=k, a=game("A", k)) for k in (0, 3)]
    assert conditions_of(join(runs)) == ["m · k=0", "m · k=3"]


def test_the_parse_rate_is_that_of_models(made, game):
    answers = {"ok": 6, "repaired": 1, "partial": 1, "invalid": 2}
    runs = [made("model", model="m", a=game("A", 0, parse=answers)), made("idle", a=game("A", 0, parse={"ok": 10}))]
    assert {row.condition: row.parse_rate for row in main_table(join(runs))} == {"m": 0.8, "idle": None}


def test_every_way_an_answer_was_read_is_counted_for_each_model(made, game):
    answers = {"ok": 6, "repaired": 1, "truncated": 3}
    faulted = game("B", fault="the server died", parse={"ok": 2})
    results = join([made("model", model="m", a=game("A", 0, parse=answers), b=faulted), made("idle", a=game("A", 0))])
    (row,) = answers_table(results)
    assert (row.condition, row.total) == ("m", 12)
    assert row.counts == {"ok": 8, "repaired": 1, "partial": 0, "no_action": 0, "invalid": 0, "truncated": 3}
    assert "| m | 12 | 8 (66.7%) | 1 (8.3%) | 0 | 0 | 0 | 3 (25.0%) |" in markdown(results)


def test_conditions_of_one_model_name_the_field_of_it_that_differs(made, game):
    runs = [made("model", model="m", temperature=t, a=game("A", 1)) for t in (0.0, 1.0)]
    assert conditions_of(join(runs)) == ["m · temperature 0.0", "m · temperature 1.0"]


def test_judges_are_never_mixed(made, game):
    runs = [made("idle", "cpu/1", a=game("A", 0)), made("random", "vlm/1", a=game("A", 4))]
    results = join(runs)
    assert judges(results) == ["cpu/1", "vlm/1"]
    by_judge = {
        judge: {row.condition: row.summary.mean for row in main_table(under(results, judge))}
        for judge in judges(results)
    }
    assert by_judge == {"cpu/1": {"idle": 0.0, "random": None}, "vlm/1": {"idle": None, "random": 4.0}}


def test_an_episode_that_two_runs_share_counts_once(made, game):
    run = made("idle", a=game("A", 0))
    assert len(join([run, run])) == 1


def test_an_unjudged_run_is_reported_as_such(made, game):
    text = markdown(join([made("idle", None, a=game("A"), b=game("B", fault="it crashed"))]))
    assert NOT_JUDGED in text
    assert "| idle (baseline) | – | – | – | 0/1/2 |" in text


def test_games_and_genres_against_conditions(made, game):
    results = join([made("idle", a=game("A", 0), b=game("B", 0)), made("random", a=game("A", 1), b=game("B", 2))])
    assert [cell.summary.mean for cell in genre_table(results)[0].cells] == [0.0, 1.5]
    assert [[cell.summary.mean for cell in row.cells] for row in game_table(results)] == [[0.0, 1.0], [0.0, 2.0]]


@pytest.mark.parametrize("title", ["a | b", "<script>alert(1)</script>"])
def test_titles_cannot_break_the_markdown(made, game, title):
    text = markdown(join([made("idle", a=game(title, 0))]))
    assert "<script>" not in text
    assert "| a | b" not in text
