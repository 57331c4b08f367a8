"""Pictures cross from the sandbox in shared memory: the game's process writes, the host copies out as RGB."""

from __future__ import annotations

import fcntl
import mmap
import os
from typing import TYPE_CHECKING

import numpy as np

from playsuite.core.errors import GameError

if TYPE_CHECKING:
    from playsuite.core.protocols import Frame
    from playsuite.runtimes.pygame.messages import Shot

SLOTS = 8
"""One for observations, the others for film frames that wait to be taken."""
SLOT_BYTES = 4 * 2560 * 1600
"""The largest window that can be seen. Memory that is never written to is never allocated."""
BYTES_PER_PIXEL = {"BGRX": 4, "RGB": 3}


class FrameMemory:
    """The host's end of the shared memory."""

    def __init__(self) -> None:
        self.fd = os.memfd_create("playsuite-frames", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.fd, SLOTS * SLOT_BYTES)
        # Without the seals a hostile game could shrink the file, and the host would die on the next look at it.
        fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
        self._memory = mmap.mmap(self.fd, SLOTS * SLOT_BYTES, prot=mmap.PROT_READ)

    def read(self, shot: Shot) -> Frame:
        """Copy a picture out.

        Raises:
            GameError: there can be no such picture.
        """
        size = shot.width * shot.height * BYTES_PER_PIXEL[shot.order]
        if shot.slot >= SLOTS or size > SLOT_BYTES:
            raise GameError(
                f"the game's window of {shot.width}x{shot.height} pixels cannot be seen; "
                f"{SLOT_BYTES // 4} pixels are the most, in slots 0 to {SLOTS - 1} (this is {shot.slot})"
            )
        begin = shot.slot * SLOT_BYTES
        with memoryview(self._memory) as whole, whole[begin : begin + size] as pixels:
            return rgb(pixels, shot.width, shot.height, shot.order)

    def close(self) -> None:
        """Give the memory back."""
        if not self._memory.closed:
            self._memory.close()
            os.close(self.fd)


def rgb(pixels: memoryview, width: int, height: int, order: str) -> Frame:
    """Return pixels of another byte order as a frame."""
    from PIL import Image

    # Pillow's unpacker is five times as fast as strided copies in numpy.
    packed = (
        bytes(pixels) if order == "RGB" else Image.frombytes("RGB", (width, height), pixels, "raw", order).tobytes()
    )
    return np.frombuffer(packed, np.uint8).reshape(height, width, 3)
