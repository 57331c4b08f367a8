"""Prompts are compared with files: a changed word changes results. Renew them with PLAYSUITE_RENEW_GOLDEN=1."""

import os
import re
from importlib.resources import files
from itertools import takewhile
from pathlib import Path

import pytest
from msgspec.structs import replace

from playsuite.agents.prompt import VARIABLES
from playsuite.core.actions import Click, ParseStatus, Wait
from playsuite.core.errors import ConfigError
from playsuite.core.plugins import known, load
from playsuite.core.points import Space, View
from playsuite.core.protocols import Question, Shown
from playsuite.core.records import Controls, Step, Turn

GOLDEN = Path(__file__).parents[2] / "golden" / "prompts"
HISTORY = (
    Step(3, 9.09, 45, Turn((Click(40, 50),), observation="A title screen.")),
    Step(4, 12.12, 60, Turn((Wait(),), status=ParseStatus.INVALID, notes=("no key or action called 'jump'",))),
)
EVERY = [(name, variant) for name in known("adapters") for variant in load("adapters", name).variants]


def asked(game, name="standard", variant="general", history=(), shown=()):
    adapter = load("adapters", name)
    view = View((640, 480), (644, 476), adapter.space)
    return adapter.render(Question(game, view, variant, history, shown))


def told(game, *args, **more):
    prompt = asked(game, *args, **more)
    return "".join(part for part in prompt.user if isinstance(part, str))


@pytest.mark.parametrize(("name", "variant"), EVERY)
def test_a_prompt_says_word_for_word_what_was_published(name, variant, game):
    prompt = asked(game, name, variant, HISTORY)
    text = f"{prompt.system}\n\n----\n\n{told(game, name, variant, HISTORY)}\n"
    golden = GOLDEN / f"{name}-{variant}.txt"
    if os.environ.get("PLAYSUITE_RENEW_GOLDEN"):
        golden.write_text(text)
    assert text == golden.read_text()


@pytest.mark.parametrize(("name", "variant"), EVERY)
def test_nothing_that_changes_comes_before_anything_that_does_not(name, variant, game):
    """A server keeps the common beginning of requests, so a game is one block and its past comes after it."""
    another = replace(game, title="Another", description="Other words.")
    fresh, played, other = (
        told(game, name, variant),
        told(game, name, variant, HISTORY),
        told(another, name, variant),
    )
    assert asked(game, name, variant).system == asked(another, name, variant, HISTORY).system
    assert game.controls.text in common_beginning(fresh, played)
    assert game.title not in common_beginning(fresh, other)
    assert len(common_beginning(fresh, other)) > len(common_beginning(other, fresh[::-1]))


@pytest.mark.parametrize(("name", "variant"), EVERY)
def test_every_prompt_tells_the_game_and_ends_with_the_picture(name, variant, game):
    prompt = asked(game, name, variant)
    text = told(game, name, variant)
    for piece in (game.title, game.description, game.controls.text):
        assert piece in text
    assert prompt.user[-1] == Shown()
    assert sum(isinstance(part, Shown) for part in prompt.user) == 1


def common_beginning(one, other):
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(character for character, _ in same)


def test_texts_use_the_documented_variables_and_no_others():
    folder = files("playsuite.agents") / "prompts" / "v2"
    texts = [path.read_text() for path in Path(str(folder)).rglob("*.md")]
    used = {name for text in texts for name in re.findall(r"\$\{?([a-z_]+)", text)}
    assert used == set(VARIABLES)


def test_the_documented_variables_are_those_there_are():
    page = (Path(__file__).parents[3] / "docs" / "models.md").read_text()
    table = page.split("<!-- variables -->")[1].split("<!-- end -->")[0]
    assert dict(re.findall(r"\| `\$(\w+)` \| (.*) \|", table)) == VARIABLES


def test_each_variant_asks_for_its_fields(game):
    assert "Strategy:" not in told(game)
    assert "Strategy:" in told(game, variant="strategy")
    assert told(game, variant="few_shot").count("Action: ") >= 3 + told(game).count("Action: ")


def test_coordinates_are_asked_for_in_the_space_they_are_read_in(game):
    assert "x and y are pixels of the picture" in told(game, "standard")
    assert "thousandths" in told(game, "qwen3")
    assert "Action: click:40,50" in told(game, "standard", history=HISTORY)
    assert "Action: click:62,104" in told(game, "qwen3", history=HISTORY)


def test_past_pictures_stand_before_what_was_done_about_them(game):
    parts = asked(game, history=HISTORY, shown=(3, 4)).user
    assert [part for part in parts if isinstance(part, Shown)] == [Shown(3), Shown(4), Shown()]
    assert parts[1] == Shown(3)
    assert parts[2].startswith("- step 3, 9.1 s.")
    assert parts[0].endswith("# What you did before\n")
    assert "# Now" in parts[-1]


@pytest.mark.parametrize("name", known("adapters"))
def test_a_prompt_with_pictures_begins_as_the_one_before_it_up_to_the_picture(name, game):
    """So a server has read all of it but the newest step."""
    before = asked(game, name, history=HISTORY[:1], shown=(3,)).user
    now = asked(game, name, history=HISTORY, shown=(3, 4)).user
    known_parts = before[: before.index(Shown())]
    assert now[: len(known_parts)] == known_parts
    assert now[len(known_parts)] == Shown(4)


def test_an_undocumented_game_says_so(game):
    bare = told(replace(game, description="", controls=Controls()))
    assert "There is no description." in bare
    assert "Controls: None are documented." in bare


def test_keys_stand_in_for_missing_instructions(game):
    assert "Controls: z, the mouse" in told(replace(game, controls=Controls(keys=("z",), mouse=True)))


def test_an_endless_description_is_cut(game):
    assert len(told(replace(game, description="word " * 100_000))) < 12_000


def test_a_game_cannot_speak_in_variables(game):
    assert "$title $history" in told(replace(game, description="$title $history"))


def test_variants_differ_by_digest():
    digests = [load("adapters", name).digest(variant) for name, variant in EVERY if name != "qwen3"]
    assert len(set(digests)) == len(digests)


def test_an_unknown_variant_is_answered_with_the_known_ones(game):
    with pytest.raises(ConfigError, match="Did you mean 'strategy'"):
        told(game, variant="stratgy")


def test_a_family_with_a_format_of_its_own_has_no_variants(game):
    with pytest.raises(ConfigError, match="Known: general"):
        told(game, "uitars", "few_shot")


def test_every_space_is_said_in_words(game):
    adapter = load("adapters", "standard")
    said = {
        adapter.render(Question(game, View((9, 9), (9, 9), space))).user[0].split("# Deciding")[0] for space in Space
    }
    assert len(said) == len(Space) - 1  # pixels of the frame and of the picture are said alike
