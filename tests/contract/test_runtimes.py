"""What both runtimes promise, and what the pygame runtime does about every trap that real games have shown."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from playsuite.core.actions import Button, EventKind, InputEvent
from playsuite.core.errors import ConfigError, GameError
from playsuite.core.protocols import Launch, Limits
from playsuite.core.records import FramePolicy, Game
from playsuite.runtimes import fake, pygame
from playsuite.testing.runtime import check_runtime

GAMES = Path(__file__).parents[1] / "fixtures" / "games"
LIMITS = Limits(first_frame_seconds=60, step_seconds=20)
IMPATIENT = Limits(first_frame_seconds=3, step_seconds=2)
GREEN = (0, 255, 0)


def setup(name, python, *, seed=0, limits=LIMITS, policy=FramePolicy.NATIVE, log=None, folder=None, **manifest):
    entry = manifest.pop("entry", {"kind": "path", "target": "main.py"})
    game = Game(id=f"test/{name}", title=name, runtime="pygame", manifest={"entry": entry, **manifest})
    folder = folder or GAMES / name
    return Launch(game=game, folder=folder, python=python, seed=seed, limits=limits, frame_policy=policy, log=log)


def down(key, at=0.0):
    return InputEvent(at, EventKind.KEY_DOWN, key=key)


def up(key, at):
    return InputEvent(at, EventKind.KEY_UP, key=key)


def tap(key, at=0.0):
    return (down(key, at), up(key, at + 0.1))


def click(x, y, button=Button.LEFT):
    return (
        InputEvent(0.0, EventKind.POINTER_TO, x=x, y=y),
        InputEvent(0.0, EventKind.BUTTON_DOWN, button=button),
        InputEvent(0.1, EventKind.BUTTON_UP, button=button),
    )


def chain(launch, seconds=0.5, steps=10):
    """Play and return a digest over every frame seen."""
    told = hashlib.sha256()
    with pygame.launch(launch) as session:
        for number in range(steps):
            told.update(session.step(tap(("right", "space", "a")[number % 3]), seconds).frame.tobytes())
        assert session.clock.deterministic
    return told.hexdigest()


def after(launch, events=(), seconds=0.5):
    """Return what there is to see after one step."""
    with pygame.launch(launch) as session:
        return session.step(events, seconds)


def failure(launch, *steps):
    """Return the message a game fails with."""
    with pytest.raises(GameError) as caught:
        play(launch, steps)
    return str(caught.value)


def play(launch, steps):
    with pygame.launch(launch) as session:
        for events, seconds in steps:
            session.step(events, seconds)


def complaints(results):
    return [f"{result.name}: {result.detail}" for result in results if not result.ok]


def test_the_fake_runtime_keeps_all_promises():
    game = Game(id="test/fake", title="Fake", runtime="fake", manifest={})
    assert complaints(check_runtime(fake.launch, Launch(game=game, folder=Path()))) == []


def test_a_leaking_clock_and_a_restless_picture_are_noticed():
    game = Game(id="test/fake", title="Fake", runtime="fake", manifest={"leaks": True, "menu": False})
    found = complaints(check_runtime(fake.launch, Launch(game=game, folder=Path())))
    assert any("changed during thinking" in complaint for complaint in found)


@pytest.mark.parametrize("name", ["tick", "uncapped", "timer", "loader", "mouse", "sound", "busy"])
def test_the_pygame_runtime_keeps_all_promises(name, python):
    assert complaints(check_runtime(pygame.launch, setup(name, python))) == []


@pytest.mark.parametrize("name", ["tick", "timer", "menu", "dice"])
def test_the_older_pygame_keeps_the_most_important_ones_too(name, each_python):
    launch = setup(name, each_python, stdin="Ann\n")
    assert chain(launch) == chain(launch)


@pytest.mark.parametrize(
    ("name", "rate_hz"), [("tick", 60), ("uncapped", 60), ("timer", 25), ("loader", 30), ("menu", 20), ("busy", 1)]
)
def test_each_kind_of_loop_draws_as_many_frames_as_a_person_would_see(name, rate_hz, python):
    seen = after(setup(name, python, stdin="Ann\n"), seconds=4.0)
    assert seen.frames == pytest.approx(4 * rate_hz, abs=2)


@pytest.mark.parametrize(("name", "rate_hz"), [("tick", 30), ("uncapped", 30)])
def test_with_the_fixed_policy_every_frame_lasts_a_thirtieth(name, rate_hz, python):
    seen = after(setup(name, python, policy=FramePolicy.FIXED30), seconds=4.0)
    assert seen.frames == pytest.approx(4 * rate_hz, abs=2)


def test_everything_random_follows_the_seed(python):
    assert chain(setup("dice", python, seed=1)) == chain(setup("dice", python, seed=1))
    assert chain(setup("dice", python, seed=1)) != chain(setup("dice", python, seed=2))


def test_frames_do_not_depend_on_the_folder_a_game_is_in(python, tmp_path):
    for name in ("dice", "loader"):
        here = tmp_path / "some" / "other" / name
        here.mkdir(parents=True)
        (here / "main.py").write_bytes((GAMES / name / "main.py").read_bytes())
        assert chain(setup(name, python)) == chain(setup(name, python, folder=here))


def test_a_held_key_moves_the_player_for_as_long_as_it_is_held(python):
    still = after(setup("loader", python), (), 1.0).frame
    moved = after(setup("loader", python), (down("right"), up("right", 0.5)), 1.0).frame

    def place(frame):
        return np.argwhere((frame == GREEN).all(axis=2))[:, 1].mean()

    assert place(moved) - place(still) == pytest.approx(2 * 15, abs=2)


def test_clicks_wheel_and_pointer_arrive_where_they_should(python):
    with pygame.launch(setup("mouse", python)) as session:
        clicked = session.step(click(100, 50), 0.5).frame
        assert tuple(clicked[55, 105]) == (255, 0, 0)
        session.step((InputEvent(0.0, EventKind.WHEEL, notches=20),), 0.5)
        larger = session.step(click(300, 200), 0.5).frame
        assert tuple(larger[200, 325]) == (255, 0, 0)
        assert tuple(session.step(click(300, 200, Button.RIGHT), 0.5).frame[55, 105]) == (0, 0, 0)


def test_a_jingle_lasts_as_long_as_it_sounds_and_tells_when_it_ends(python):
    with pygame.launch(setup("sound", python)) as session:
        scenes = [int(session.step((), 1.0).frame[0, 0, 0]) for _ in range(4)]
    assert scenes[0] in {0, 60}
    assert len({*scenes}) == 4


def test_typed_text_key_repeat_the_console_and_full_screen_work(python):
    launch = setup("menu", python, stdin="Ann\n", desktop=[800, 600])

    def typed(seconds):
        seen = after(launch, (down("x"), up("x", seconds)), 1.0)
        assert seen.frame.shape == (600, 800, 3)
        return int((seen.frame[110] == (200, 0, 0)).all(axis=1).sum()) // 10

    assert typed(0.15) == 1
    assert typed(0.5) == 1 + 1 + 5


def test_a_game_that_asks_the_console_in_vain_fails_clearly(python):
    assert "EOFError" in failure(setup("menu", python))


def test_own_modules_may_have_the_names_of_standard_ones(python):
    assert tuple(after(setup("shadow", python)).frame[0, 0]) == (1, 2, 3)


def test_a_game_that_writes_beside_itself_needs_a_private_copy(python):
    assert "writable" in failure(setup("scribbler", python))
    after(setup("scribbler", python, writable=True))
    assert not (GAMES / "scribbler" / "scores.txt").exists()


def test_a_game_may_end_by_its_own_rules(python):
    with pygame.launch(setup("ending", python)) as session:
        seen = session.step((), 5.0)
        assert seen.over
        assert seen.t == pytest.approx(1.0, abs=0.02)
        assert seen.frame[0, 0, 0] == 4 * 59
        assert session.step((), 5.0).t == seen.t


def test_a_game_that_is_quit_shows_its_last_picture(python):
    seen = after(setup("ending", python), tap("escape", at=0.3))
    assert seen.over
    assert seen.frame[0, 0, 1] == 100


def test_an_exception_is_quoted(python):
    message = failure(setup("ending", python), (tap("c"), 0.5))
    assert "ValueError: the score overflowed" in message


def test_an_exit_code_is_told(python):
    assert "exit code 3" in failure(setup("ending", python), (tap("x"), 0.5))


def test_a_hang_ends_at_the_deadline_and_says_what_was_waited_for(python):
    message = failure(setup("hang", python, limits=IMPATIENT), ((), 0.5))
    assert "waited 2 s for the end of a step of 0.5 game seconds" in message


def test_a_game_that_never_draws_ends_at_the_deadline(python):
    assert "waited 3 s for its first frame" in failure(setup("never_draws", python, limits=IMPATIENT))


def test_opengl_is_refused_with_the_reason(python):
    assert "needs another runtime" in failure(setup("opengl", python))


def test_a_game_that_prints_without_end_neither_blocks_nor_fills_the_disk(python, tmp_path):
    log = tmp_path / "game.log"
    seen = after(setup("chatter", python, limits=Limits(log_mb=1), log=log), seconds=3.0)
    assert seen.t == 3.0
    assert log.stat().st_size < 1_200_000


def test_a_game_that_forges_messages_is_a_fault_of_the_game(python):
    assert "film frame" in failure(setup("hostile", python), ((), 0.5))


def test_a_killed_game_is_a_fault_that_names_the_signal(python):
    message = failure(setup("suicide", python), ((), 1.0))
    # pygame catches the first signal and aborts.
    assert "killed by SIGABRT" in message
    assert "Segmentation Fault" in message


def test_a_missing_entry_is_told(python):
    entry = {"kind": "path", "target": "start.py"}
    assert "start.py" in failure(setup("tick", python, entry=entry))


@pytest.mark.parametrize(
    "manifest",
    [{"entry": {"kind": "path", "target": "../x.py"}}, {"path": ["/etc"]}, {"kind": "x"}, {"mounts": {"/x": "../y"}}],
)
def test_a_wrong_manifest_is_a_configuration_error(manifest, python):
    with pytest.raises(ConfigError, match="manifest"):
        pygame.launch(setup("tick", python, **manifest))


@pytest.mark.parametrize("entry", [{"kind": "module", "target": "main"}, {"kind": "function", "target": "main:main"}])
def test_games_start_as_modules_and_functions_too(entry, python):
    assert after(setup("tick", python, entry=entry)).frames > 0


def test_no_descriptor_is_left_open(python):
    def opened():
        return len(list(Path("/proc/self/fd").iterdir()))

    after(setup("tick", python))
    before = opened()
    for _ in range(3):
        after(setup("tick", python))
    assert opened() == before
