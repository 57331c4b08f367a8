"""Everything random comes from the seed; everything listed comes in a fixed order."""

from __future__ import annotations

import os
import random
from itertools import count
from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.patch import patch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def install(seed: int, after_import: Callable[[str, Callable[[Any], None]], None]) -> None:
    """Replace the sources of randomness and of arbitrary order."""
    _install_random(seed)
    after_import("numpy.random", lambda module: _install_numpy(module, seed))
    _install_listings()


def _install_random(seed: int) -> None:
    real_seed = random.Random.seed
    serials = count()
    bytes_source = random.Random(f"bytes {seed}")

    def seeded(self: random.Random, a: Any = None, version: int = 2) -> None:
        # A generator without a seed takes the next of a fixed row, so that two of them differ.
        real_seed(self, f"{seed} {next(serials)}" if a is None else a, version)

    def urandom(size: int) -> bytes:
        return bytes_source.randbytes(size)

    patch(random.Random, seed=seeded)
    # A bound method of the one generator behind the module's functions, taken when it was imported.
    shared = random.random.__self__  # type: ignore[attr-defined]
    patch(random, seed=shared.seed, _urandom=urandom)
    patch(os, urandom=urandom, getrandom=lambda size, flags=0: urandom(size))
    random.seed(seed)


def _install_numpy(module: Any, seed: int) -> None:
    real_seed, real_generator = module.seed, module.default_rng
    serials = count()
    module.seed(seed % 2**32)

    def next_seed() -> int:
        return (seed + next(serials)) % 2**32

    patch(
        module,
        seed=lambda value=None: real_seed(next_seed() if value is None else value),
        default_rng=lambda value=None: real_generator(next_seed() if value is None else value),
    )


class Entries:
    """What `os.scandir` returns, in the order of the names."""

    def __init__(self, entries: Any) -> None:
        with entries:
            self._rest = iter(sorted(entries, key=lambda entry: entry.name))

    def __iter__(self) -> Iterator[Any]:
        return self._rest

    def __next__(self) -> Any:
        return next(self._rest)

    def __enter__(self) -> Entries:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Do nothing: all entries have been read."""


def _install_listings() -> None:
    listdir, scandir = os.listdir, os.scandir
    patch(
        os,
        listdir=lambda *where: sorted(listdir(*where)),
        scandir=lambda *where: Entries(scandir(*where)),
    )
