"""Start a pygame game in its sandbox and wait for its first frame."""

from __future__ import annotations

import compileall
import socket
import sys
from contextlib import ExitStack
from functools import cache
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from playsuite.core.records import FramePolicy
from playsuite.runtimes.pygame.autopsy import Autopsy
from playsuite.runtimes.pygame.frames import SLOT_BYTES, SLOTS, FrameMemory
from playsuite.runtimes.pygame.manifest import Capture, EntryKind, PygameManifest, read_manifest
from playsuite.runtimes.pygame.messages import Connection
from playsuite.runtimes.pygame.session import PygameSession
from playsuite.runtimes.sandbox import HOME, Bind, BoundedLog, Box, Boxed, interpreter_binds, start

if TYPE_CHECKING:
    from playsuite.core.protocols import FrameSink, Launch

GUEST = Path(__file__).parent / "guest"
GUEST_FOLDER = "/playsuite/guest"
GAME_FOLDER = "/game"
COPY_FOLDER = f"{HOME}/game"

ENVIRONMENT = {
    "SDL_VIDEODRIVER": "dummy",
    "SDL_AUDIODRIVER": "dummy",
    # No joystick gets into a box, and looking for one at every request for events costs up to 0.3 ms in vain.
    "SDL_AUTO_UPDATE_JOYSTICKS": "0",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONWARNINGS": "ignore",
    "XDG_RUNTIME_DIR": HOME,
}
FIXED_HZ = {FramePolicy.NATIVE: 0, FramePolicy.FIXED30: 30}


def launch(launch: Launch, film: FrameSink | None = None) -> PygameSession:
    """Start a game, wait for its first frame and stop there, at t = 0.

    Raises:
        ConfigError: the game's manifest is not one for this runtime.
        GameError: no first frame came before the deadline.
        SandboxError: the game may not run here.
    """
    manifest = read_manifest(launch.game)
    with ExitStack() as stack:
        memory = FrameMemory()
        stack.callback(memory.close)
        ours, theirs = socket.socketpair()
        stack.callback(ours.close)
        limits = launch.limits
        log = BoundedLog(launch.log or _scratch_log(stack), limits.log_mb, output_mb=limits.output_mb)
        stack.enter_context(log)
        with theirs:
            box = _box(launch, manifest, (theirs.fileno(), memory.fd))
            boxed = stack.enter_context(start(box, trust=launch.trust, stdout=log.fd, stderr=log.fd))
        log.started()
        config = _config(launch, manifest, boxed, memory.fd) | {"film_fps": film.fps if film else 0.0}
        session = PygameSession(Connection(ours), memory, Autopsy(boxed, log), limits=limits, film=film)
        session.begin(config)
        session.keep(stack.pop_all())
    return session


def _scratch_log(stack: ExitStack) -> Path:
    return Path(stack.enter_context(TemporaryDirectory(prefix="playsuite-log-"))) / "game.log"


def _box(launch: Launch, manifest: PygameManifest, fds: tuple[int, int]) -> Box:
    python = launch.python or Path(sys.executable)
    mounts = [Bind(launch.folder / inside, target) for target, inside in manifest.mounts.items()]
    return Box(
        argv=(str(python), f"{GUEST_FOLDER}/boot.py", str(fds[0])),
        binds=(
            *interpreter_binds(python),
            Bind(_compiled_guest(), GUEST_FOLDER),
            Bind(launch.folder.resolve(), GAME_FOLDER),
            *mounts,
        ),
        chdir=_in_game(manifest.start_folder),
        env={**ENVIRONMENT, **manifest.env},
        limits=launch.limits,
        pass_fds=fds,
    )


@cache
def _compiled_guest() -> Path:
    """Return the guest's folder, with bytecode: inside the sandbox it is read-only, so every launch would compile it.

    Where the folder is read-only outside as well, launches only take longer.
    """
    compileall.compile_dir(GUEST, quiet=2)
    return GUEST


def _config(launch: Launch, manifest: PygameManifest, boxed: Boxed, memory_fd: int) -> dict[str, object]:
    """Return what the guest must know, in paths as the game's process sees them."""
    home = COPY_FOLDER if manifest.writable else GAME_FOLDER

    def seen(path: str) -> str:
        return boxed.path(_in_game(path, home))

    target = manifest.entry.target
    return {
        "do": "begin",
        "memory": {"memory_fd": memory_fd, "slots": SLOTS, "slot_bytes": SLOT_BYTES},
        "seed": launch.seed,
        "fixed_hz": FIXED_HZ[launch.frame_policy],
        "desktop": manifest.desktop,
        "at_flip": manifest.capture is Capture.FLIP,
        "compat": manifest.compat,
        "folder": boxed.path(GAME_FOLDER),
        "private_copy": boxed.path(COPY_FOLDER) if manifest.writable else "",
        "entry": {
            "kind": manifest.entry.kind,
            "target": seen(target) if manifest.entry.kind is EntryKind.PATH else target,
            "argv": manifest.argv,
            "path": [seen(path) for path in manifest.path],
            "stdin": manifest.stdin,
        },
    }


def _in_game(path: str, home: str = GAME_FOLDER) -> str:
    return str(PurePosixPath(home) / path)
