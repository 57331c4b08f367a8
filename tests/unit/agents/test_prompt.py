"""Prompts are compared with files: a changed word changes results. Renew them with PLAYSUITE_RENEW_GOLDEN=1."""

import os
from itertools import takewhile
from pathlib import Path

import pytest
from msgspec.structs import replace

from playsuite.agents.prompt import VARIANTS, prompt_digest, render
from playsuite.core.actions import Click, ParseStatus, Wait
from playsuite.core.errors import ConfigError
from playsuite.core.records import Controls, Step, Turn

GOLDEN = Path(__file__).parents[2] / "golden" / "prompts"
HISTORY = (
    Step(3, 9.09, 45, Turn((Click(40, 50),), observation="A title screen.")),
    Step(4, 12.12, 60, Turn((Wait(),), status=ParseStatus.INVALID, notes=("no key or action called 'jump'",))),
)


def told(game, variant="general", history=()):
    return render(game, history, variant=variant, width=640, height=480)


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_a_prompt_says_word_for_word_what_was_published(variant, game):
    prompt = told(game, variant, HISTORY)
    text = f"{prompt.system}\n\n----\n\n{prompt.user}\n"
    golden = GOLDEN / f"{variant}.txt"
    if os.environ.get("PLAYSUITE_RENEW_GOLDEN"):
        golden.write_text(text)
    assert text == golden.read_text()


def test_each_variant_asks_for_its_fields(game):
    assert "Strategy:" not in told(game).user
    assert "Strategy:" in told(game, "strategy").user
    assert told(game, "few_shot").user.count("Action: ") >= 3 + told(game).user.count("Action: ")


def test_nothing_that_changes_comes_before_anything_that_does_not(game):
    """A server keeps the common beginning of requests, so a game is one block and its past comes after it."""
    another = replace(game, title="Another", description="Other words.")
    fresh, played, other = told(game).user, told(game, history=HISTORY).user, told(another).user
    assert common_beginning(fresh, played).endswith("# What you did before\n")
    assert common_beginning(fresh, other).endswith("# The game\nTitle: ")


def common_beginning(one, other):
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(character for character, _ in same)


def test_an_undocumented_game_says_so(game):
    bare = told(replace(game, description="", controls=Controls())).user
    assert "There is no description." in bare
    assert "Controls: None are documented." in bare


def test_keys_stand_in_for_missing_instructions(game):
    assert "Controls: z, the mouse" in told(replace(game, controls=Controls(keys=("z",), mouse=True))).user


def test_an_endless_description_is_cut(game):
    assert len(told(replace(game, description="word " * 100_000)).user) < 12_000


def test_variants_differ_by_digest():
    assert len({prompt_digest(variant) for variant in VARIANTS}) == len(VARIANTS)


def test_an_unknown_variant_is_answered_with_the_known_ones(game):
    with pytest.raises(ConfigError, match="Did you mean 'strategy'"):
        told(game, "stratgy")
