import pytest
from hypothesis import given
from hypothesis import strategies as st

from playsuite.core.keys import FALLBACK, KEYS, SPOKEN, canonical, closest


@pytest.mark.parametrize(
    ("spelled", "key"),
    [
        ("ArrowLeft", "left"),
        ("ARROW_RIGHT", "right"),
        ("left arrow", "left"),
        ("right arrow key", "right"),
        ("KEY_UP", "up"),
        ("pygame.K_a", "a"),
        ("K_SPACE", "space"),
        ("KeyA", "a"),
        ("Digit1", "1"),
        ("Control_L", "ctrl"),
        ("ShiftRight", "rshift"),
        ("Numpad5", "kp5"),
        ("kp_enter", "kpenter"),
        ("NumpadAdd", "kpplus"),
        ("Return", "enter"),
        ("Esc", "escape"),
        ("space bar", "space"),
        (" ", "space"),
        ("←", "left"),
        ("A", "a"),
        ("minus", "-"),
        ("meta", "super"),
    ],
)
def test_a_key_is_known_by_all_its_names(spelled, key):
    assert canonical(spelled) == key


@pytest.mark.parametrize("word", ["", "jump", "monkey", "key", "a" * 1000, "~", "f13"])
def test_other_words_are_no_keys(word):
    assert canonical(word) is None


@given(st.sampled_from(sorted(KEYS)))
def test_every_canonical_name_names_itself(key):
    assert canonical(key) == key


@given(st.text())
def test_any_text_is_a_key_of_the_keyboard_or_none(text):
    assert canonical(text) in {None, *KEYS}


def test_punctuation_can_be_said_in_words():
    assert {canonical(word) for word in SPOKEN.values()} == set(SPOKEN)


def test_fallback_keys_exist():
    assert set(FALLBACK) <= KEYS


def test_a_misspelled_key_is_recognised_but_not_guessed():
    assert canonical("spcae") is None
    assert closest("spcae") == "space"
    assert closest("somersault") is None
