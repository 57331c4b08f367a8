"""Kill workers, games and whole runs at random moments: every episode is there in the end, once, as if undisturbed."""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from playsuite.catalog.environments import ensure_environment
from playsuite.core.home import Home, Installed
from playsuite.core.records import Controls, Episode, Game
from playsuite.core.store import Run

PLAYSUITE = Path(sys.executable).with_name("playsuite")
TICK = Path(__file__).resolve().parents[1] / "fixtures" / "games" / "tick"
REQUIREMENTS = ("pygame-ce==2.5.8",)
LONGEST_RUN_S = 600


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("PLAYSUITE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return Home(tmp_path / "home")


def fakes(home: Home, count: int) -> list[Game]:
    """Install fake games that differ a little from one another."""
    controls = Controls(keys=("left", "right"))
    manifests = [{"width": 320 + 2 * number} for number in range(count)]
    games = [
        Game(id=f"test/coins{number}", title="Coins", runtime="fake", manifest=manifest, controls=controls)
        for number, manifest in enumerate(manifests)
    ]
    for game in games:
        home.game_folder(game.id).mkdir(parents=True)
        home.record(Installed(game, home.files(game.id)))
    return games


def pygames(home: Home, games_home: Path, count: int) -> list[Game]:
    """Install copies of a pygame program, each played in a sandbox of its own."""
    python = ensure_environment(Home(games_home), REQUIREMENTS)
    manifest = {"entry": {"kind": "path", "target": "main.py"}}
    games = [
        Game(id=f"test/tick{number}", title="Tick", runtime="pygame", requirements=REQUIREMENTS, manifest=manifest)
        for number in range(count)
    ]
    for game in games:
        shutil.copytree(TICK, home.files(game.id))
        home.record(Installed(game, home.files(game.id), python))
    return games


def command(name: str, seconds: float) -> list[str]:
    options = ["--agent", "random", "--rate", "1", "--workers", "2", "--seconds", str(seconds), "--name", name]
    return [str(PLAYSUITE), "run", "--suite", "suite.jsonl", *options]


def children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def descendants(pid: int) -> list[int]:
    return [pid, *(one for child in children(pid) for one in descendants(child))]


def victim_of(run: subprocess.Popen[bytes], what: str, chance: random.Random) -> int | None:
    """Return the process to kill, if there is one of that kind now."""
    players = children(run.pid)
    match what:
        case "run":
            return run.pid
        case "worker":
            return chance.choice(players) if players else None
        case _:
            deepest = [descendants(player)[-1] for player in players if children(player)]
            return chance.choice(deepest) if deepest else None


def disturbed(name: str, seconds: float, kills: int, kinds: tuple[str, ...], chance: random.Random) -> Counter[str]:
    """Play a run and kill so many processes of it on the way; return how often each kind was hit."""
    hits: Counter[str] = Counter()
    while hits.total() < kills:
        with subprocess.Popen(command(name, seconds), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as run:
            while hits.total() < kills and not ended_within(run, chance.uniform(0.2, 2.5)):
                what = chance.choice(kinds)
                victim = victim_of(run, what, chance)
                if victim is not None:
                    os.kill(victim, signal.SIGKILL)
                    hits[what] += 1
            if hits.total() >= kills:
                run.kill()
        if run.returncode in (0, 1):
            break  # everything is played; there is nothing left to kill
    return hits


def ended_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def resumed(name: str, seconds: float) -> Run:
    """Play what is missing, and leave it alone."""
    done = subprocess.run(command(name, seconds), capture_output=True, timeout=LONGEST_RUN_S, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return Run.open(Path("runs") / name)


def faulted(episode: Episode) -> bool:
    return episode.fault is not None


def assert_whole(run: Run, model: Run) -> None:
    """Check that every episode is there, once, readable, and as in a run that was left alone."""
    keys = {item.key for item in run.plan}
    results, wanted = run.results(), model.results()
    assert run.finished() == keys == set(results)
    assert run.drafts() == set()
    good = Counter(attempt.key for attempt in run.every_attempt() if attempt.fault is None)
    assert set(good.values()) == {1}
    for key in keys:
        files = run.load_episode(key)
        assert files.episode == results[key]
        assert len(files.steps) == files.episode.steps
        if key in good:
            assert files.episode.digest == wanted[key].digest
            assert files.film.stat().st_size > 0
        else:  # it was hit so often that giving up on it is right
            assert len(run.attempts(key)) >= 2


def test_a_run_survives_kills(home: Home) -> None:
    games = fakes(home, 10)
    Path("suite.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(games))
    disturbed("disturbed", 30, 3, ("run", "worker"), random.Random(3))
    assert_whole(resumed("disturbed", 30), resumed("alone", 30))


@pytest.mark.slow
@pytest.mark.games
@pytest.mark.timeout(3 * LONGEST_RUN_S)
@pytest.mark.parametrize("seed", [1, 2])
def test_sixty_episodes_survive_twenty_kills(home: Home, games_home: Path, seed: int) -> None:
    games = [*pygames(home, games_home, 12), *fakes(home, 48)]
    Path("suite.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(games))
    hits = disturbed("disturbed", 60, 20, ("run", "worker", "game"), random.Random(seed))
    assert hits.total() == 20
    run = resumed("disturbed", 60)
    lost = sum(map(faulted, run.results().values()))
    print(f"killed {dict(hits)}; {len(run.every_attempt())} attempts noted; {lost} given up")
    assert_whole(run, resumed("alone", 60))
