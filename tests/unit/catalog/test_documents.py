"""Controls and licences from the documents beside a game."""

import pytest

from playsuite.catalog.documents import controls, controls_text, keys_in_code, keys_in_words, licence

README = """My Game
=======
A game about space and time.

Controls
--------
Arrow keys   move
Z: jump
[x] - shoot

## License
MIT
"""


def test_the_controls_section_is_the_controls_text():
    text = controls_text(README)
    assert "Arrow keys" in text
    assert "License" not in text


def test_without_a_section_the_telling_sentences_are_taken():
    text = controls_text("A nice game. Use the arrow keys to move. It took a week. Click on a piece to take it.")
    assert text == "Use the arrow keys to move.\nClick on a piece to take it."


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Arrow keys: move, Spacebar: jump", {"left", "right", "up", "down", "space"}),
        ("WASD to walk, Esc to quit", {"w", "a", "s", "d", "escape"}),
        ("Press Z or [x]; Return starts", {"z", "x", "enter"}),
        ("I am a dwarf", set()),
    ],
)
def test_keys_are_read_from_words(text, keys):
    assert set(keys_in_words(text)) == keys


def test_keys_are_read_from_code_where_no_word_tells_them():
    code = "if event.key == pygame.K_RETURN or keys[K_LCTRL] or keys[K_q]: pygame.mouse.get_pos()"
    assert keys_in_code(code) == ("ctrl", "enter", "q")
    found = controls("No word about it.", [code])
    assert found.keys == ("ctrl", "enter", "q")
    assert found.mouse


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007", "GPL-3.0"),
        ("Permission is hereby granted, free of charge, to any person", "MIT"),
        ("All rights reserved", ""),
    ],
)
def test_common_licences_are_named(text, name):
    assert licence(text) == name
