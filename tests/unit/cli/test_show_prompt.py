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
        "--- image",
        "--- digest",
    ]
    assert "Move the pots." in shown
    assert "JPEG, 1280x720 pixels" in shown
    assert shown.count("- step ") == 2
    assert "Strategy:" in shown


def test_a_game_that_is_not_installed_cannot_be_shown(installed):
    with pytest.raises(ConfigError, match="not installed"):
        show_prompt("made-up/desert")
