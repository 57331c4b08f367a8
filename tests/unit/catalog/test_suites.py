"""Suite files: rows are checked, and every complaint names the row and the field."""

import msgspec
import pytest

from playsuite.catalog.suites import GENRES, check_rows, load_suite, read_suite, select
from playsuite.core.errors import ConfigError

ROW = {"id": "pypi/a-game", "title": "A Game", "runtime": "pygame", "manifest": {}}


def test_a_toml_file_and_a_jsonl_file_hold_the_same_games(tmp_path):
    toml, jsonl = tmp_path / "suite.toml", tmp_path / "suite.jsonl"
    toml.write_bytes(msgspec.toml.encode({"game": [ROW]}))
    jsonl.write_bytes(msgspec.json.encode(ROW) + b"\n\n")
    assert read_suite(toml) == read_suite(jsonl)
    assert read_suite(toml)[0].title == "A Game"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"title": 3}, r"row 1 \('pypi/a-game'\).*`str`.*`\$\.title`"),
        ({"id": "no-source"}, "field 'id' should look like source/name"),
        ({"genre": "Racin"}, "field 'genre' is 'Racin'. Did you mean 'Racing'"),
        ({"controls": {"keys": ["spce"]}}, "'spce', which is no key. Did you mean 'space'"),
        ({"requirements": ["numpy>=1"]}, "Write exact pins"),
        ({"licens": "MIT"}, "no field 'licens'. Did you mean 'licence'"),
        ({"artefacts": [{"kind": "pypi", "name": "x", "version": "1", "sha256": "ab"}]}, "64 hexadecimal digits"),
    ],
)
def test_a_wrong_row_is_refused_in_one_line_that_names_row_and_field(change, said):
    with pytest.raises(ConfigError, match=said) as caught:
        check_rows([{**ROW, **change}], source="mine.toml")
    assert "\n" not in str(caught.value)


def test_two_rows_may_not_share_an_id():
    with pytest.raises(ConfigError, match="stands in 2 rows"):
        check_rows([ROW, ROW], source="mine.toml")


def test_a_wrong_name_is_answered_with_the_nearest_right_one():
    with pytest.raises(ConfigError, match="Did you mean 'starter'"):
        load_suite("startr")
    with pytest.raises(ConfigError, match=r"no suite or game called 'startr'\. Did you mean 'starter'"):
        select(["startr"])


def test_a_game_is_found_by_its_id_and_chosen_once():
    first = load_suite("starter")[0]
    assert select([first.id, first.id]) == (first,)


def test_a_file_that_is_no_suite_is_refused(tmp_path):
    broken = tmp_path / "broken.toml"
    broken.write_text("[[game]\n")
    with pytest.raises(ConfigError, match="reading the suite"):
        read_suite(broken)
    with pytest.raises(ConfigError, match=r"ends in \.toml or \.jsonl"):
        read_suite(tmp_path / "suite.yaml")


def test_the_starter_suite_is_what_it_promises():
    games = load_suite("starter")
    assert len(games) >= 20
    assert sum("pyweek" in game.tags for game in games) >= 6
    assert len({game.genre for game in games}) >= 5
    for game in games:
        assert game.title
        assert game.genre in GENRES
        assert game.description
        assert game.controls.text
        assert game.controls.keys or game.controls.mouse
        assert game.artefacts
        assert any(pin.startswith("pygame") for pin in game.requirements)


def test_a_file_without_games_is_refused(tmp_path):
    (tmp_path / "suite.toml").write_text('[[games]]\nid = "test/one"\n')
    with pytest.raises(ConfigError, match=r"has no games. A .toml file has a \[\[game\]\] table"):
        read_suite(tmp_path / "suite.toml")
