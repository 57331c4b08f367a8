"""`playsuite run`: let an agent play the games of a suite."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from playsuite.cli import DONE, WITH_FAULTS, log
from playsuite.cli.asked import Asked, Here
from playsuite.core.claims import Holder
from playsuite.core.errors import ConfigError
from playsuite.core.home import Home
from playsuite.core.plugins import did_you_mean, known
from playsuite.core.records import Clock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from playsuite.core.records import Game, RunSpec
    from playsuite.core.store import Run
    from playsuite.play.reach import Reach
    from playsuite.play.run import Progress

DEFAULT_SUITE = "starter"


def run(*, asked: Asked | None = None, here: Here | None = None) -> int:
    """Play. A run is a folder; the same command again continues it."""
    from playsuite.cli.progress import show
    from playsuite.play.machine import Meter
    from playsuite.play.pace import automatic, fixed
    from playsuite.play.prepare import prepare
    from playsuite.play.reach import reached
    from playsuite.play.run import play_run

    asked, here = asked or Asked(), here or Here()
    _refuse_nonsense(here)
    spec, found, games = _resolve(asked, install=here.install)
    _refuse_unsteady(here, spec)
    name = here.name or f"{spec.suite or 'games'}-{spec.player}-{spec.digest()[:8]}".replace("/", "_")
    reach = _reach(asked, here, spec)
    prepared = prepare(here.runs_folder / name, spec, games, endpoint=reach.endpoint, found=found)
    if here.retry_faults:
        log(f"{_withdraw(prepared)} episodes that ended with a fault are played once more")
    if len(prepared.finished()) < len(prepared.plan):
        with reached(reach, logs=prepared.engine_logs(Holder.here()), log=log) as model:
            pace = automatic(Meter().cores, places=model.places) if here.workers == "auto" else fixed(here.workers)
            steps = play_run(prepared, pace=pace, endpoints=model.endpoints, trust=here.trust)
            _tell_workers(here, show(model.watched(steps)))
    return _conclude(prepared)


def _refuse_nonsense(here: Here) -> None:
    if here.name in {".", ".."} or "/" in here.name:
        raise ConfigError(f"--name {here.name}: a run is one folder below --runs-folder, so its name has no '/'")
    if here.workers != "auto" and here.workers < 1:
        raise ConfigError(f"--workers {here.workers}: at least one process has to play")


def _refuse_unsteady(here: Here, spec: RunSpec) -> None:
    if here.workers == "auto" and spec.clock is Clock.LATENCY:
        raise ConfigError(
            "--workers auto: with the latency clock the number of workers changes how fast a model answers, and so the "
            "result. Give a number"
        )


def _tell_workers(here: Here, fullest: Progress | None) -> None:
    """Say how many workers there were where nobody asked for a number, and why not more."""
    if here.workers == "auto" and fullest is not None:
        held_back = f"; what held more of them back: {fullest.bound}" if fullest.bound else ""
        log(f"{fullest.workers} workers at most{held_back}")


def _reach(asked: Asked, here: Here, spec: RunSpec) -> Reach:
    """Say how to get to the model; its row is the one that was named, else the one the spec comes from."""
    from playsuite.agents.presets import find, preset_of
    from playsuite.play.reach import Reach

    if spec.model is None:
        return Reach()
    preset = replace(find(asked.model), model=spec.model) if asked.model else preset_of(spec.model)
    return Reach(preset, here.base_url, here.patience, here.gpu)


def _withdraw(prepared: Run) -> int:
    """Note what nobody noted, so that no attempt is forgotten, and take back what is a fault."""
    from playsuite.play.attempts import recover, withdraw_faults

    holder = Holder.here()
    with prepared.results_writer(holder) as results:
        recover(prepared, results, holder)
    return withdraw_faults(prepared, holder)


def _resolve(asked: Asked, *, install: bool) -> tuple[RunSpec, dict[str, Path], list[Game]]:
    """Return the spec, where the files it names by content are, and its games as they are installed here."""
    from playsuite.catalog.suites import load_suite
    from playsuite.play.inputs import pin
    from playsuite.play.prepare import compose_spec, read_options

    suite = asked.suite or (None if asked.spec or asked.ids else DEFAULT_SUITE)
    given = {"suite": suite, "games": asked.ids or None, "agent_options": read_options(asked.option) or None}
    spec = compose_spec(asked.spec, asked.fields | given, asked.of_model)
    spec, found = pin(spec, beside=asked.spec.parent if asked.spec is not None else None)
    rows = {row.id: row for row in load_suite(spec.suite)} if spec.suite else {}
    ids = (spec.games or tuple(rows))[: asked.limit]
    if asked.limit is not None:
        spec = replace(spec, games=ids)
    if install:
        _install([rows[game] for game in ids if game in rows])
    return spec, found, _installed(ids, rows, spec.suite)


def _installed(ids: Sequence[str], rows: Mapping[str, Game], suite: str) -> list[Game]:
    home = Home.here()
    ready = {game: home.installed(game).game for game in set(home.all_installed()) & set(ids)}
    for game in ids:
        if rows and game not in rows and game not in ready:
            raise ConfigError(f"the suite '{suite}' has no game '{game}'.{did_you_mean(game, list(rows))}")
    missing = [game for game in ids if game not in ready or (game in rows and rows[game].sha256 != ready[game].sha256)]
    if missing:
        # A file of games is known by its name only, so its games are installed together.
        names = dict.fromkeys(suite if game in rows and suite not in known("suites") else game for game in missing)
        raise ConfigError(
            f"{len(missing)} of {len(ids)} games are not installed, or in another version than the suite says. "
            f"Install them: playsuite games install {' '.join(names)}"
        )
    return [ready[game] for game in ids]


def _install(rows: Sequence[Game]) -> None:
    from playsuite.catalog.install import install_all

    for outcome in install_all(rows, Home.here()):
        log(f"{outcome.game}: {outcome.error or 'ready'}")


def _conclude(played: Run) -> int:
    """Say what came of it; the folder goes to stdout, for whatever reads it next."""
    results = played.results()
    faults = Counter(one.fault.boundary for one in results.values() if one.fault is not None)
    missing = len(played.plan) - len(played.finished())
    said = [f"{len(played.plan) - missing} of {len(played.plan)} episodes played"]
    said += (
        [f"{faults.total()} with a fault ({', '.join(f'{name} {n}' for name, n in faults.items())})"] if faults else []
    )
    said += [f"{missing} are being played elsewhere"] if missing else []
    log("; ".join(said))
    print(played.folder)  # noqa: T201 data go to stdout
    return WITH_FAULTS if faults else DONE
