import pytest

from playsuite.agents.presets import all_presets, find, providers
from playsuite.core.errors import ConfigError
from playsuite.core.plugins import known, load
from playsuite.core.points import Space

ROW = """
[[preset]]
title = "Mine"
[preset.model]
name = "mine"
checkpoint = "/weights/mine"
adapter = "uitars"
picture = { factor = 28 }
"""


def test_there_is_a_row_for_each_of_the_papers_models():
    """Names, checkpoints and parsers as in table 8."""
    told = {preset.title: (preset.model.checkpoint, preset.model.adapter) for preset in all_presets()}
    assert len(told) == 14
    assert told["Qwen3-VL-8B"] == ("Qwen/Qwen3-VL-8B-Instruct", "qwen3")
    assert told["Gemma-3-12B-it"] == ("google/gemma-3-12b-it", "standard")
    assert told["EvoCUA-8B"] == ("meituan/EvoCUA-8B-20260105", "computer_use")
    assert told["OpenCUA-7B"] == ("xlangai/OpenCUA-7B", "opencua")


@pytest.mark.parametrize("preset", [*all_presets(), *providers()], ids=lambda preset: preset.model.name)
def test_every_row_names_what_there_is(preset):
    assert preset.model.adapter in known("adapters")
    assert load("adapters", preset.model.adapter).digest("general")
    assert (preset.model.sampling.temperature, preset.model.sampling.max_tokens) == (0.5, 512)


def test_models_that_think_in_pixels_have_a_rule_for_the_size():
    for preset in all_presets():
        space = preset.model.space or load("adapters", preset.model.adapter).space
        if space is Space.PICTURE and preset.model.name != "gemma-3-12b":  # nobody documents how it counts
            assert preset.model.picture.factor == 28


def test_a_model_is_found_by_its_name_and_its_checkpoint():
    assert find("Qwen/Qwen3-VL-8B-Instruct") == find("qwen3-vl-8b")
    assert find("qwen3-vl-8b").model.asked_as == "Qwen/Qwen3-VL-8B-Instruct"


def test_a_hosted_model_is_named_by_its_provider():
    preset = find("openrouter:some/model:free")
    assert (preset.model.name, preset.model.asked_as) == ("openrouter:some/model:free", "some/model:free")
    assert preset.model.key_variable == "OPENROUTER_API_KEY"


def test_a_user_adds_a_model_by_one_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(ROW)
    assert find(str(file)).model.checkpoint == "/weights/mine"
    file.write_text(ROW + ROW.replace('"mine"', '"other"'))
    assert find(f"{file}:other").model.name == "other"
    with pytest.raises(ConfigError, match="several models"):
        find(str(file))
    with pytest.raises(ConfigError, match="Did you mean 'other'"):
        find(f"{file}:othr")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("qwen3-vl-8", "Did you mean 'qwen3-vl-8b'"),
        ("server:", "no model called"),
        ("absent.toml", "cannot be read"),
        ("", "no model called"),
    ],
)
def test_an_unknown_model_is_never_guessed(name, message):
    with pytest.raises(ConfigError, match=message):
        find(name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no table of models"),
        ("preset = []", r"holds no \[\[preset\]\]"),
        (ROW + 'adaptor = "x"', "adaptor"),
        (ROW.replace('"uitars"', "3"), "str"),
        ("\x00", "no table of models"),
    ],
)
def test_a_broken_row_is_refused_with_what_is_wrong(text, message, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=message):
        find(str(file))
