import pytest
from msgspec.structs import replace

from playsuite.core.claims import Holder
from playsuite.core.records import Ending, Fault, RunSpec
from playsuite.play.attempts import recover, settle, withdraw_faults, worth_another
from playsuite.play.episode import blank_header

SPEC = RunSpec(suite="test", agent="idle")


@pytest.mark.parametrize(
    ("boundary", "attempts"), [("game", 2), ("agent", 3), ("runtime", 3), ("harness", 3), ("sandbox", 1), ("config", 1)]
)
def test_faults_are_tried_again_as_often_as_it_may_help(prepared, boundary, attempts):
    _, order = prepared(SPEC)
    failed = blank_header(order, Fault(boundary, "again"))
    assert [worth_another([failed] * count) for count in range(1, 4)] == [count < attempts for count in range(1, 4)]


def test_a_fault_is_published_only_when_it_is_the_result(prepared, holder):
    run, order = prepared(SPEC)
    failed = blank_header(order, Fault("game", "broke"))
    with run.results_writer(holder) as results:
        for last in (False, True):
            with run.draft(order.item.key, holder) as draft:
                assert settle(run, results, draft, failed) is last
                assert run.is_finished(order.item.key) is last
    assert len(run.attempts(order.item.key)) == 2


def test_a_result_that_was_published_but_not_noted_is_recovered_once(prepared, holder):
    run, order = prepared(SPEC)
    with run.draft(order.item.key, holder) as draft:
        run.publish(draft, replace(blank_header(order), ending=Ending.TIME_UP))
    with run.results_writer(holder) as results:
        recover(run, results, holder)
        recover(run, results, holder)
    assert len(run.attempts(order.item.key)) == 1


def test_a_result_whose_player_is_about_to_note_it_is_left_to_that_player(prepared, holder):
    run, order = prepared(SPEC)
    with run.claim(order.item.key, holder), run.draft(order.item.key, holder) as draft:
        run.publish(draft, replace(blank_header(order), ending=Ending.TIME_UP))
        with run.results_writer(Holder.here()) as results:
            recover(run, results, Holder.here())
        assert run.attempts(order.item.key) == []


def test_an_attempt_tells_which_versions_it_was_made_with(prepared):
    _, order = prepared(SPEC)
    pinned = replace(order.installed, game=replace(order.game, requirements=("some-engine==1.2",)))
    versions = blank_header(replace(order, installed=pinned)).versions
    assert versions["some-engine"] == "1.2"
    assert {"playsuite", "python", "av", "runtime fake", "agent idle"} < set(versions)


@pytest.mark.parametrize(("fault", "left"), [(Fault("game", "broke"), False), (None, True)])
def test_only_results_that_are_faults_are_taken_back_and_their_attempts_are_remembered(prepared, holder, fault, left):
    run, order = prepared(SPEC)
    header = replace(blank_header(order, fault), ending=Ending.FAULT if fault else Ending.TIME_UP)
    with run.results_writer(holder) as results, run.draft(order.item.key, holder) as draft:
        run.publish(draft, header)
        results.add(header)
    assert withdraw_faults(run, holder) == (not left)
    assert run.is_finished(order.item.key) is left
    assert run.drafts() == set()
    assert run.attempts(order.item.key) == [header]
