"""A run on disk: the contract between the stages, and the only place that spells its file names.

    NAME/  spec.toml  plan.jsonl  games.jsonl  inputs/DIGEST  claims/TASK/KEY.aN  results/HOLDER.jsonl
           episodes/KEY/  verdicts/JUDGE/HOLDER.jsonl  labels.jsonl  report/

An episode is played into a hidden draft folder and appears under its key by one rename, so it is there whole or not
at all and never twice. A kill at any instant loses at most what was in flight.
"""

from playsuite.core.store.folder import EpisodeFolder
from playsuite.core.store.run import Run, input_file, locate_episode
from playsuite.core.store.spec import encode_spec, read_spec, read_table, without_nothing

__all__ = [
    "EpisodeFolder",
    "Run",
    "encode_spec",
    "input_file",
    "locate_episode",
    "read_spec",
    "read_table",
    "without_nothing",
]
