"""What the cpu judge claims, and above all what it does not: clocks are no scores, defeats are no victories."""

from __future__ import annotations

import numpy as np
import pytest

from playsuite.core.actions import Press, Wait
from playsuite.core.records import Step, Turn, Twin
from playsuite.judge.cpu.conclude import Watched, conclude, count_deaths
from playsuite.judge.cpu.control import Control, control
from playsuite.judge.cpu.counters import counts, level_rise, lives_lost, score_rise
from playsuite.judge.cpu.look import Look
from playsuite.judge.cpu.phrases import Meaning, meanings, together
from playsuite.judge.cpu.scenes import new_screens
from playsuite.judge.cpu.text import Box, Line


def line(t: float, text: str, *, until: float | None = None, place: int = 0, box: Box | None = None) -> Line:
    return Line(t, t if until is None else until, place, box or Box(0, 0, 100, 20), text, confirmed=True)


def readings(*texts: str, every: float = 1.0) -> list[Line]:
    return [line(every * index, text) for index, text in enumerate(texts)]


def rises(*texts: str, every: float = 1.0) -> bool:
    return score_rise(counts(readings(*texts, every=every))) is not None


@pytest.mark.parametrize(
    "texts",
    [
        ("Score: 0", "Score: 10"),
        ("SCORE 0", "SCORE 0", "SCORE 1"),
        ("Coins x 3", "Coins x 4"),
        ("12 points", "20 points"),
        ("Pears: 1", "Pears: 2", "Pears: 5"),
        ("0", "10", "10", "10", "200", "210"),
    ],
)
def test_a_score_that_rises(texts):
    assert rises(*texts)


@pytest.mark.parametrize(
    "texts",
    [
        tuple(f"Time: {t}" for t in range(20)),
        tuple(f"0:{t:02d}" for t in range(20)),
        tuple(str(t) for t in range(20)),
        ("FPS: 58", "FPS: 59", "FPS: 60", "FPS: 61"),
        ("High score: 0", "High score: 10"),
        ("Best: 5", "Best: 9", "Best: 12"),
        ("Lives: 2", "Lives: 3", "Lives: 4"),
        ("Health: 50", "Health: 80", "Health: 100"),
        ("Enemy score: 1", "Enemy score: 2", "Enemy score: 3"),
        ("Moves: 1", "Moves: 2", "Moves: 5"),
        ("Level 1", "Level 2"),
        ("< Coins 1 >", "< Coins 2 >"),
        ("Score: 10", "Score: 0"),
        ("7", "9"),
    ],
)
def test_what_is_no_score(texts):
    assert not rises(*texts)


def test_a_level_that_goes_up_is_a_new_area():
    assert level_rise(counts(readings("Level 1", "Level 2"))) is not None


@pytest.mark.parametrize("texts", [("Level 1", "Level 7"), ("Level 2", "Level 1"), ("<Level 1>", "<Level 2>")])
def test_a_level_that_is_only_misread_or_chosen(texts):
    assert level_rise(counts(readings(*texts))) is None


def test_a_lost_life():
    assert [lost.t for lost in lives_lost(counts(readings("Lives: 3", "Lives: 2", "Lives: 2")))] == [1.0]


def test_a_number_is_named_by_the_text_beside_it():
    label = line(0, "Coins", until=2, place=1, box=Box(0, 0, 50, 20))
    numbers = [line(t, str(t), place=2, box=Box(60, 0, 80, 20)) for t in range(2)]
    assert {count.label for count in counts([label, *numbers])} == {"COINS"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You win!", Meaning.WIN),
        ("VICTORY", Meaning.WIN),
        ("YOUWIN", Meaning.WIN),
        ("Game Over", Meaning.GAME_OVER),
        ("GAME 0VER", Meaning.GAME_OVER),
        ("You lose", Meaning.GAME_OVER),
        ("LEVEL 3 COMPLETE", Meaning.OBJECTIVE),
        ("You won the level", Meaning.OBJECTIVE),
        ("Press SPACE to start", Meaning.MENU),
        ("New Game", Meaning.MENU),
    ],
)
def test_what_a_line_says(text, expected):
    assert meanings(text) == {expected}


@pytest.mark.parametrize(
    "text",
    [
        "You win if you collect all gems",
        "When you win",
        "A victory for science",
        "Score 100",
        "You won't",
        "Winners drive",
    ],
)
def test_what_a_line_does_not_say(text):
    assert not meanings(text) & {Meaning.WIN, Meaning.OBJECTIVE}


def test_a_title_is_no_news():
    assert meanings("Game Over!", title="Game Over! The Game") == frozenset()


def test_game_over_is_never_a_win():
    assert Meaning.WIN not in together([meanings("GAME OVER"), meanings("Player 1 score 500")])


def test_one_entry_is_no_menu_but_two_are():
    assert together([meanings("Options")]) == frozenset()
    assert together([meanings("Options"), meanings("Quit")]) == {Meaning.MENU}


def test_congratulations_on_a_level_complete_the_level_only():
    assert together([meanings("Congratulations"), meanings("Level complete")]) == {Meaning.OBJECTIVE}


def test_one_death_is_counted_once():
    assert count_deaths([10.0, 11.0, 14.0, 60.0]) == [10.0, 60.0]


# --- control ----------------------------------------------------------------------------------------------------------

ACTED = (Step(0, 0.0, 0, Turn((Press(("left",)),))),)


def twin(label: str, *, changed: float, comparable: bool = True) -> Twin:
    return Twin(0, (Press(("left",)),), label, 1.0, comparable, changed > 0, changed)


def test_two_answered_inputs_are_control():
    seen = control(ACTED, [twin("press:left", changed=0.01), twin("press:up", changed=0.2)])
    assert (seen.evident, seen.interactions, seen.known) == (True, 2, True)


def test_the_same_input_twice_is_one_interaction():
    assert control(ACTED, [twin("press:left", changed=0.01)] * 2).interactions == 1


def test_inputs_that_change_nothing_are_no_control():
    assert not control(ACTED, [twin("press:left", changed=0.0)] * 4).evident


def test_without_comparable_twins_control_is_unknown_and_false():
    seen = control(ACTED, [twin("press:left", changed=0.5, comparable=False)] * 4)
    assert (seen.evident, seen.known) == (False, False)


def test_who_does_nothing_is_known_to_have_no_control():
    assert control((Step(0, 0.0, 0, Turn((Wait(),))),), ()) == Control()


# --- screens ----------------------------------------------------------------------------------------------------------


def screen(t: float, seed: int, *, changed: float = 0.1) -> Look:
    draw = np.random.default_rng(seed)
    grey = draw.uniform(0, 255, (90, 160)).astype(np.float32)
    return Look(t, draw.uniform(0, 255, (12, 16, 3)).astype(np.float32), grey, changed)


def film(*seeds: int, seconds: int = 6, changed: float = 0.1) -> list[Look]:
    return [
        screen(number * seconds + t, seed, changed=changed) for number, seed in enumerate(seeds) for t in range(seconds)
    ]


def found(looks: list[Look], *, menu_seen: float | None = 0.0) -> list[float]:
    return new_screens(looks, in_play=lambda _: True, menu_seen=menu_seen)


def test_a_cut_from_play_to_a_screen_never_seen_is_a_new_area():
    assert found(film(1, 2, 3)) == [6, 12]


def test_going_back_is_no_new_area():
    assert found(film(1, 2, 1)) == [6]


def test_the_first_cut_of_a_film_without_a_menu_may_be_the_end_of_one():
    assert found(film(1, 2, 3), menu_seen=None) == [12]


def test_screens_that_stand_still_are_not_play():
    assert found(film(1, 2, 3, changed=0.0)) == []


def test_a_flash_is_no_new_area():
    looks = [*film(1), screen(6, 9), *[screen(7 + t, 1) for t in range(5)]]
    assert found(looks) == []


# --- all together -----------------------------------------------------------------------------------------------------


def concluded(*lines: Line, looks: list[Look] | None = None, title: str = "") -> tuple[set[str], int]:
    seen = conclude(Watched(tuple(looks or film(1, seconds=20)), lines, title), Control())
    fields = {name for name in seen.__struct_fields__ if getattr(seen, name) is True}
    assert {claim.field for claim in seen.milestones} - {"death_or_game_over_count"} == fields
    return fields, seen.death_or_game_over_count


def test_a_win_after_play():
    assert concluded(line(15, "YOU WIN!", until=19))[0] == {"gameplay_happened", "win_or_completion_screen"}


def test_a_win_before_any_play_is_a_demo_or_a_title():
    assert "win_or_completion_screen" not in concluded(line(0, "YOU WIN!", until=19))[0]


def test_a_defeat_is_a_death_and_no_win():
    assert concluded(line(15, "GAME OVER", until=19)) == ({"gameplay_happened"}, 1)


def test_what_was_read_only_once_and_not_again_does_not_count():
    unsure = Line(15, 19, 0, Box(0, 0, 9, 9), "YOU WIN!", confirmed=False)
    assert "win_or_completion_screen" not in concluded(unsure)[0]


def test_leaving_a_menu():
    fields, _ = concluded(line(0, "Press any key to start", until=5))
    assert fields == {"menu_or_title_seen", "left_menu_into_gameplay", "gameplay_happened"}


def test_a_number_in_a_menu_is_a_setting():
    menu = line(0, "New game", until=19, place=1)
    assert "score_or_resource_increased" not in concluded(menu, line(2, "Coins: 1"), line(5, "Coins: 3"))[0]


def test_a_film_that_stands_still_is_stuck():
    assert concluded(looks=film(1, seconds=20, changed=0.0))[0] == {"stuck_or_looping"}
