import pytest
from hypothesis import given
from hypothesis import strategies as st

from playsuite.core.actions import Click, Move, Press
from playsuite.core.points import Point, Space, View, distance, place, told

WIDE = View((1280, 720), (1288, 728))
SPACES = st.sampled_from(list(Space))
SIZES = st.tuples(st.integers(1, 4000), st.integers(1, 4000))


@pytest.mark.parametrize(
    ("point", "at"),
    [
        (Point(640, 360, Space.FRAME), (640, 360)),
        (Point(644, 364, Space.PICTURE), (640, 360)),
        (Point(500, 500, Space.REL1000), (640, 360)),
        (Point(499.5, 499.5, Space.REL999), (640, 360)),
        (Point(0.5, 0.5, Space.UNIT), (640, 360)),
        (Point(250, 500, Space.REL1000, y_first=True), (640, 180)),
        (Point(1000, 1000, Space.REL1000), (1279, 719)),
        (Point(0, 0, Space.UNIT), (0, 0)),
    ],
)
def test_a_point_of_any_space_becomes_pixels_of_the_frame(point, at):
    placed = place(point, WIDE)
    assert placed.at == at
    assert placed.note == ""


def test_the_axes_are_scaled_apart():
    squeezed = View((800, 600), (812, 588))
    assert place(squeezed.point(406, 294), squeezed).at == (400, 300)


def test_a_near_miss_is_moved_to_the_edge_and_noted():
    placed = place(Point(1040, -20, Space.REL1000), WIDE)
    assert placed.at == (1279, 0)
    assert "moved to the edge of the picture of 1000x1000 thousandths" in placed.note


@pytest.mark.parametrize("x", [1051, -51, 1e300, float("nan"), float("inf")])
def test_anything_farther_out_has_no_place(x):
    placed = place(Point(x, 500, Space.REL1000), WIDE)
    assert placed.at is None
    assert "outside the picture" in placed.note


def test_what_looks_like_shares_is_noted_and_not_rescaled():
    placed = place(Point(0.5, 0.5, Space.REL1000), WIDE)
    assert placed.at == (0.64, 0.36)
    assert "looks like shares" in placed.note


def test_a_move_by_so_much_is_scaled_like_a_point():
    assert distance(100, -50, View((1280, 720), (1280, 720), Space.REL1000)) == (128, -36)


@given(SIZES, SIZES, SPACES, st.booleans(), st.floats(0, 1), st.floats(0, 1))
def test_what_a_model_is_told_leads_back_to_the_same_place(frame, picture, space, y_first, across, down):
    view = View(frame, picture, space, y_first)
    click = Click(across * (frame[0] - 1), down * (frame[1] - 1))
    said = told(click, view)
    placed = place(view.point(said.x, said.y), view)
    assert placed.at is not None
    coarse = {Space.FRAME: (1, 1), Space.UNIT: (frame[0] / 1000, frame[1] / 1000)}
    picture_px = frame[0] / picture[0], frame[1] / picture[1]
    step = coarse.get(space, picture_px if space is Space.PICTURE else (frame[0] / 999, frame[1] / 999))
    assert abs(placed.at[0] - click.x) <= step[0] / 2 + 0.51
    assert abs(placed.at[1] - click.y) <= step[1] / 2 + 0.51


def test_moves_are_told_too_and_keys_are_left_alone():
    assert told(Move(640, 360), View((1280, 720), (1280, 720), Space.REL1000)) == Move(500, 500)
    assert told(Press(("a",)), WIDE) == Press(("a",))
