"""System fonts differ between machines, so games see none but pygame's own font, under a few usual names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playsuite.runtimes.pygame.guest.patch import patch

NAMES = ("freesansbold", "arial", "dejavusans", "freesans", "helvetica", "verdana")


def install(sysfont: Any, pygame: Any) -> None:
    """Replace the search for fonts, which starts a program and takes up to a second."""
    path = str(Path(pygame.__file__).parent / pygame.font.get_default_font())
    faces = {(bold, italic): path for bold in (False, True) for italic in (False, True)}

    def initsysfonts() -> None:
        sysfont.Sysfonts.update({name: dict(faces) for name in NAMES})

    patch(sysfont, initsysfonts=initsysfonts)
