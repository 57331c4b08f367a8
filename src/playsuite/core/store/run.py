"""One run on disk: its plan, the work on it, and what came of it."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from playsuite.core import claims
from playsuite.core.errors import ConfigError, StoreError, boundary
from playsuite.core.lines import LineWriter, decode, read_lines
from playsuite.core.protocols import EpisodeFiles
from playsuite.core.records import Episode, Game, PlanItem, RunSpec, Step, Twin, Verdict
from playsuite.core.store.files import best, read_all, rename_if_free, sync, write, write_lines
from playsuite.core.store.folder import EpisodeFolder
from playsuite.core.store.same import refuse_other_plan, refuse_other_spec
from playsuite.core.store.spec import encode_spec, read_spec

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

    from playsuite.core.claims import Claim, Holder


class Run(Struct, frozen=True):
    """One run: its spec and plan, frozen at creation, and whatever has been played and judged of it."""

    folder: Path
    spec: RunSpec
    plan: tuple[PlanItem, ...]
    games: dict[str, Game]

    @classmethod
    def create(
        cls,
        folder: Path,
        spec: RunSpec,
        games: Iterable[Game],
        plan: Sequence[PlanItem],
        inputs: Mapping[str, bytes] | None = None,
    ) -> Run:
        """Make a new run, or open the one that is there if it has the same spec and plan.

        It appears by one rename, so of two that are made at once one is there, whole, and the other is held against it.
        `inputs` are the files its agent is given, by their SHA-256.

        Raises:
            ConfigError: `folder` holds a run with another spec or plan.
            StoreError: the files cannot be written.
        """
        if not _spec_path(folder).exists():
            draft = folder.with_name(f".{folder.name}.{claims.Holder.here().name}.tmp")
            try:
                write_lines(draft / "games.jsonl", games)
                write_lines(draft / "plan.jsonl", plan)
                for name, data in (inputs or {}).items():
                    write(input_file(draft, name), data)
                write(_spec_path(draft), encode_spec(spec))
                with boundary(StoreError, f"making {folder}"):
                    rename_if_free(draft, folder)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
        run = cls.open(folder)
        refuse_other_spec(folder, run.spec, spec)
        refuse_other_plan(folder, run.plan, plan)
        return run

    @classmethod
    def open(cls, folder: Path) -> Run:
        """Open a run.

        Raises:
            ConfigError: there is no run in `folder`.
            StoreError: its files cannot be read, or a newer PlaySuite wrote them.
        """
        if not _spec_path(folder).exists():
            raise ConfigError(f"no run in '{folder}': a run has a file '{_spec_path(folder).name}'")
        plan = tuple(read_lines(folder / "plan.jsonl", PlanItem))
        games = {game.id: game for game in read_lines(folder / "games.jsonl", Game)}
        return cls(folder.absolute(), read_spec(_spec_path(folder)), plan, games)

    @property
    def labels(self) -> Path:
        """File of the labels people gave."""
        return self.folder / "labels.jsonl"

    @property
    def report(self) -> Path:
        """Folder of the report."""
        return self.folder / "report"

    def engine_logs(self, holder: Holder) -> Path:
        """Return the folder for what model engines write that a holder runs."""
        return self.folder / "engines" / holder.name

    def item(self, key: str) -> PlanItem:
        """Return the plan's line for a key, which may be shortened as long as it is unambiguous.

        Raises:
            ConfigError: no episode of the plan, or several, have that key.
        """
        found = [item for item in self.plan if item.key.startswith(key)]
        if len(found) != 1:
            raise ConfigError(f"{len(found) or 'no'} episodes of '{self.folder.name}' have a key that begins '{key}'")
        return found[0]

    def input(self, digest: str) -> Path:
        """Return the run's own copy of a file its agent is given.

        Raises:
            ConfigError: it is missing, or is not what the spec says.
        """
        path = input_file(self.folder, digest)
        came = sha256(path.read_bytes()).hexdigest() if path.exists() else "nothing"
        if came != digest:
            raise ConfigError(
                f"'{path}' was changed: wanted the SHA-256 {digest}, came {came}. Put the file back as it was"
            )
        return path

    def claim(self, key: str, holder: Holder, *, task: str = "play", stale_s: float = claims.STALE_S) -> Claim | None:
        """Claim one episode for a task ("play", or a judge's name), or return None while another holder has it."""
        return claims.take(self._claims(task), key, holder, stale_s=stale_s)

    def holder_of(self, key: str, *, task: str = "play") -> Holder | None:
        """Return who is at work on an episode now, if anybody."""
        return claims.holder_of(self._claims(task), key)

    def finished(self) -> set[str]:
        """Return the keys of all episodes that have been played, with a fault or without."""
        episodes = self.folder / "episodes"
        return (
            {path.name for path in episodes.iterdir() if not path.name.startswith(".")} if episodes.exists() else set()
        )

    def is_finished(self, key: str) -> bool:
        """Tell whether one episode has been played."""
        return self.episode_folder(key).path.exists()

    def episode_folder(self, key: str) -> EpisodeFolder:
        """Return where a finished episode is."""
        return EpisodeFolder(self.folder / "episodes" / key)

    @contextmanager
    def draft(self, key: str, holder: Holder) -> Generator[EpisodeFolder]:
        """Make an empty folder to play an episode into; unless it is published, it vanishes in the end.

        Needs the claim, for it clears away what dead holders left.

        Raises:
            StoreError: the folder cannot be made.
        """
        episodes = self.folder / "episodes"
        folder = EpisodeFolder(self._draft(key, holder))
        with boundary(StoreError, f"making a folder for {key}"):
            for left in episodes.glob(f".{key}.*.tmp"):
                shutil.rmtree(left)
            folder.path.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder.path, ignore_errors=True)

    def drafts(self) -> set[str]:
        """Return the keys of all episodes that are being played, or were when their player was killed."""
        return {path.name.split(".")[1] for path in (self.folder / "episodes").glob(".*.tmp")}

    def publish(self, draft: EpisodeFolder, episode: Episode) -> bool:
        """Make a draft the episode by one rename; return False if another attempt was first, which then stands.

        Raises:
            StoreError: the disk is full; nothing is published then.
        """
        with boundary(StoreError, f"publishing episode {episode.key}"):
            draft.header.write_bytes(msgspec.json.format(msgspec.json.encode(episode)) + b"\n")
            sync(draft.path)
            return rename_if_free(draft.path, self.episode_folder(episode.key).path)

    def withdraw(self, key: str, holder: Holder) -> None:
        """Take back a published episode, so that it is played again; its line in the results stays. Needs the claim.

        Raises:
            StoreError: it cannot be removed.
        """
        with boundary(StoreError, f"withdrawing episode {key}"):
            draft = self._draft(key, holder)
            self.episode_folder(key).path.rename(draft)  # at once, so that nobody reads half an episode
            shutil.rmtree(draft)

    def header(self, key: str) -> Episode:
        """Read the header of a finished episode.

        Raises:
            StoreError: there is none, or it cannot be read.
        """
        path = self.episode_folder(key).header
        with boundary(StoreError, f"reading {path}"):
            data = path.read_bytes()
        return decode(data, Episode, where=str(path))

    def load_episode(self, key: str) -> EpisodeFiles:
        """Read a finished episode for a judge.

        Raises:
            StoreError: there is none, or it cannot be read.
        """
        folder = self.episode_folder(key)
        twins = read_lines(folder.twins, Twin) if folder.twins.exists() else []
        steps = read_lines(folder.steps, Step) if folder.steps.exists() else []
        return EpisodeFiles(self.header(key), folder.path, folder.video, folder.proxy, tuple(steps), tuple(twins))

    def results(self) -> dict[str, Episode]:
        """Return the result of every key played so far: what is published, else the first good one or the last fault.

        Of a key with one attempt that is the same, so only the headers of the others are read.
        """
        attempts = self.every_attempt()
        chosen = best(attempts, faulted=lambda episode: episode.fault is not None)
        repeated = {key for key, count in Counter(episode.key for episode in attempts).items() if count > 1}
        return chosen | {key: self.header(key) for key in repeated & self.finished()}

    def attempts(self, key: str) -> list[Episode]:
        """Return every attempt at one episode that came to an end, the earliest first."""
        return [episode for episode in self.every_attempt() if episode.key == key]

    def every_attempt(self) -> list[Episode]:
        """Return all attempts at all episodes that came to an end, in the order in which they began."""
        return sorted(read_all(self.folder / "results", Episode), key=lambda episode: episode.started)

    def results_writer(self, holder: Holder) -> LineWriter:
        """Open this holder's own file of results."""
        return LineWriter(self.folder / "results" / f"{holder.name}.jsonl")

    def verdict_writer(self, judge: str, holder: Holder) -> LineWriter:
        """Open this holder's own file of verdicts."""
        return LineWriter(self._verdicts(judge) / f"{holder.name}.jsonl")

    def judges(self) -> list[str]:
        """List the judges that gave verdicts, by the names of their folders, which `verdicts` understands too."""
        folder = self.folder / "verdicts"
        return sorted(path.name for path in folder.iterdir()) if folder.exists() else []

    def verdicts(self, judge: str) -> dict[str, Verdict]:
        """Return one judge's verdict on every key judged so far: the first without a fault, else the last fault."""
        lines = read_all(self._verdicts(judge), Verdict)
        return best(lines, faulted=lambda verdict: verdict.fault is not None)

    def _draft(self, key: str, holder: Holder) -> Path:
        return self.folder / "episodes" / f".{key}.{holder.name}.tmp"

    def _claims(self, task: str) -> Path:
        return self.folder / "claims" / _file_name(task)

    def _verdicts(self, judge: str) -> Path:
        return self.folder / "verdicts" / _file_name(judge)


def locate_episode(path: Path) -> tuple[Run, str]:
    """Tell which run and key an episode's folder belongs to; RUN/KEY with a shortened key will do.

    Raises:
        ConfigError: there is no such episode.
    """
    folder = path.absolute().parent
    run = Run.open(folder.parent if folder.name == "episodes" else folder)
    key = run.item(path.name).key
    if key not in run.finished():
        raise ConfigError(f"episode {key} of '{run.folder.name}' has not been played yet. Run it: playsuite run")
    return run, key


def input_file(folder: Path, digest: str) -> Path:
    """Return where the run in `folder` keeps a file its agent is given."""
    return folder / "inputs" / digest


def _spec_path(folder: Path) -> Path:
    return folder / "spec.toml"


def _file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)
