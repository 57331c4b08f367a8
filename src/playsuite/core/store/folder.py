"""The names of an episode's files."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class EpisodeFolder(Struct, frozen=True):
    """The files of one episode, finished or being played."""

    path: Path

    @property
    def header(self) -> Path:
        """The `Episode`; written last, so it marks completeness."""
        return self.path / "episode.json"

    @property
    def steps(self) -> Path:
        """One `Step` a line."""
        return self.path / "steps.jsonl"

    @property
    def frames(self) -> Path:
        """One `FilmFrame` a line."""
        return self.path / "frames.jsonl"

    @property
    def twins(self) -> Path:
        """One `Twin` a line."""
        return self.path / "twins.jsonl"

    @property
    def video(self) -> Path:
        """The film at its full rate."""
        return self.path / "video.mp4"

    @property
    def proxy(self) -> Path:
        """The film as judges read it: 1 frame a second, small."""
        return self.path / "proxy.mp4"

    @property
    def log(self) -> Path:
        """What the game printed."""
        return self.path / "worker.log"

    @property
    def images(self) -> Path:
        """Folder of the exact images a model was sent, if they were kept."""
        return self.path / "images"
