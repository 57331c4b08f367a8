import pytest

from playsuite.cli.show_prompt import show_prompt
from playsuite.core.errors import ConfigError
from playsuite.core.home import Home, Installed
from playsuite.core.records import Game


@pytest.fixture
def installed(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYSUITE_HOME", str(tmp_path))
    game = Game(id="made-up/garden", title="The Garden", runtime="fake", manifest={}, description="Move the pots.")
    Home.here().game_folder(game.id).mkdir(parents=True)
    Home.here().record(Installed(game, tmp_path))
    return game


def test_the_whole_prompt_is_shown(installed, capsys):
    show_prompt(installed.id, prompt="strategy", history=2)
    shown = capsys.readouterr().out
    assert [line for line in shown.splitlines() if line.startswith("--- ")] == [
        "--- system",
        "--- user",
        "--- request",
        "--- digest",
    ]
    assert "Move the pots." in shown
    assert "JPEG, 1280x720 pixels" in shown
    assert shown.count("- step ") == 2
    assert "Strategy:" in shown


def test_each_model_is_shown_what_it_would_be_sent(installed, capsys):
    show_prompt(installed.id, model="qwen2.5-vl-7b", history=1, history_images=True)
    shown = capsys.readouterr().out
    assert "[picture of step 0: JPEG, 1288x728 pixels]" in shown
    assert "[picture: JPEG, 1288x728 pixels]" in shown
    assert "model = Qwen/Qwen2.5-VL-7B-Instruct" in shown


def test_a_game_that_is_not_installed_cannot_be_shown(installed):
    with pytest.raises(ConfigError, match="not installed"):
        show_prompt("made-up/desert")
