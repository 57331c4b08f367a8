"""Where a model is: at an address that is given or known, else served here."""

import pytest

from playsuite.agents.presets import find
from playsuite.core.errors import AgentError
from playsuite.play.reach import OWN_PATIENCE_S, PATIENCE_S, Reach, Reached, reached


def test_an_address_that_is_given_comes_first():
    reach = Reach(find("openrouter:some/model"), "http://127.0.0.1:1/v1")
    assert (reach.endpoint.base_url, reach.serves) == ("http://127.0.0.1:1/v1", False)
    assert Reach(find("qwen3-vl-8b"), "unix:///m.sock").endpoint.base_url == "unix:///m.sock"


def test_a_hosted_model_is_where_its_provider_is():
    reach = Reach(find("openrouter:some/model"))
    assert reach.endpoint.base_url.endswith("/api/v1")
    assert (reach.endpoint.patience_seconds, reach.serves) == (PATIENCE_S, False)


def test_weights_without_an_address_are_served_here():
    assert Reach(find("qwen3-vl-8b")).serves
    assert not Reach(find("server:mine")).serves
    assert not Reach().serves


def test_ones_own_server_is_given_the_time_to_load_its_model_again():
    assert OWN_PATIENCE_S > 10 * PATIENCE_S
    assert Reach(find("server:mine"), "unix:///m.sock", patience_seconds=5).endpoint.patience_seconds == 5


def test_nothing_is_started_for_who_needs_no_server(tmp_path):
    with reached(Reach(), logs=tmp_path / "engines", log=print) as model:
        assert (len(model.endpoints), model.places) == (1, 0)
    assert not (tmp_path / "engines").exists()


def test_an_address_where_nobody_answers_is_told_at_once(tmp_path):
    told = []
    with reached(Reach(find("server:mine"), f"unix://{tmp_path}/nobody"), logs=tmp_path, log=told.append) as model:
        assert model.places == 32
    assert "does not answer" in told[0]
    assert "60 s" in told[0]


def test_a_server_that_is_given_up_ends_the_run_and_its_workers_first():
    left = []

    def steps():
        try:
            yield "first"
            yield "second"
        finally:
            left.append("workers")

    def check():
        raise AgentError("it died again and again")

    with pytest.raises(AgentError, match="again and again"):
        list(Reached((), 0, check).watched(steps()))
    assert left == ["workers"]
