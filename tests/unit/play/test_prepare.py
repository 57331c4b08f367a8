import pytest
from msgspec.structs import replace

from playsuite.core.errors import ConfigError
from playsuite.core.records import Sampling
from playsuite.core.store import encode_spec, read_spec
from playsuite.play.prepare import compose_spec, plan_of

from .conftest import coins  # noqa: TID252 tests are in no package that has a name


def test_whoever_names_a_model_wants_it_to_play():
    spec = compose_spec(None, {"model": "qwen3-vl-8b"})
    assert spec.agent == "model"
    assert (spec.player, spec.model.adapter, spec.model.sampling) == ("qwen3-vl-8b", "qwen3", Sampling(0.5, 512))


def test_what_is_given_by_hand_stands_above_the_models_row():
    changes = {"adapter": "standard", "revision": "abc", "temperature": 0.0, "max_tokens": None}
    model = compose_spec(None, {"model": "qwen3-vl-8b"}, changes).model
    assert (model.adapter, model.revision, model.sampling) == ("standard", "abc", Sampling(0.0, 512))


def test_a_spec_by_hand_names_its_model_and_one_of_a_run_holds_its_row(tmp_path):
    by_hand = tmp_path / "hand.toml"
    by_hand.write_text('suite = "test"\nmodel = "showui-2b"\nhistory = 3\n')
    spec = compose_spec(by_hand, {})
    assert (spec.model.checkpoint, spec.history) == ("showlab/ShowUI-2B", 3)
    (tmp_path / "run.toml").write_bytes(encode_spec(spec))
    assert read_spec(tmp_path / "run.toml") == compose_spec(tmp_path / "run.toml", {}) == spec


@pytest.mark.parametrize(
    ("given", "of_model", "message"),
    [
        ({"model": "qwen3-vl"}, {}, "Did you mean 'qwen3-vl-8b'"),
        ({}, {"adapter": "standard"}, "--model NAME"),
        ({"model": "showui-2b"}, {"temperature": "hot"}, "temperature"),
    ],
)
def test_a_model_that_cannot_be_is_refused(given, of_model, message):
    with pytest.raises(ConfigError, match=message):
        compose_spec(None, given, of_model)


def test_a_spec_says_what_its_model_is_told_with_now(tmp_path):
    """An old spec that is played anew is told what is told today, and so is another condition."""
    spec = compose_spec(None, {"suite": "test", "model": "qwen3-vl-8b"})
    assert len(spec.told) == 64
    (tmp_path / "old.toml").write_bytes(encode_spec(replace(spec, told="of an older version")))
    assert compose_spec(tmp_path / "old.toml", {}) == spec
    assert compose_spec(None, {"suite": "test", "agent": "idle"}).told == ""


def test_another_prompt_is_another_episode():
    """The texts a model is told are part of an episode's key, as are the adapter and all of the model's row."""
    specs = [
        compose_spec(None, {"suite": "test", "model": name, "prompt": prompt}, changes)
        for name, prompt, changes in (
            ("qwen3-vl-8b", "general", {}),
            ("qwen3-vl-8b", "strategy", {}),
            ("qwen3-vl-8b", "general", {"adapter": "standard"}),
            ("qwen3-vl-8b", "general", {"revision": "abc"}),
            ("gemma-4-e4b", "general", {}),
        )
    ]
    assert len({plan_of(spec, [coins()])[0].key for spec in specs}) == len(specs)
