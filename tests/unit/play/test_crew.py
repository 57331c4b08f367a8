"""Workers are shared out evenly among a model's servers, also when one of them has been replaced."""

from collections import Counter

from playsuite.core.protocols import Endpoint
from playsuite.core.wait import until
from playsuite.play.crew import Crew

ONE, OTHER = Endpoint("unix:///one"), Endpoint("unix:///other")


def asked(crew):
    return Counter(worker.endpoint for worker in crew.workers)


def test_each_new_worker_asks_the_server_that_has_the_fewest(tmp_path):
    with Crew(str(tmp_path), endpoints=[ONE, OTHER]) as crew:
        for _ in range(5):
            crew.hire()
        assert asked(crew) == {ONE: 3, OTHER: 2}


def test_a_worker_that_is_gone_is_replaced_where_it_was(tmp_path):
    with Crew(str(tmp_path), endpoints=[ONE, OTHER]) as crew:
        for _ in range(4):
            crew.hire()
        victim = crew.workers[1]
        victim.process.kill()
        until(
            lambda: victim not in crew.workers or crew.listen(0.01) is None,
            timeout=20,
            waiting_for="a killed worker to be missed",
        )
        crew.hire()
        assert max(asked(crew).values()) - min(asked(crew).values()) <= 1


def test_without_a_model_there_is_nobody_to_ask(tmp_path):
    with Crew(str(tmp_path)) as crew:
        crew.hire()
        assert asked(crew) == {Endpoint(): 1}
