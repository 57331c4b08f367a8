"""Unmodified pygame games under a virtual clock, each in a process and a sandbox of its own.

`launching` starts the game with the hooks of `guest` around it, `session` is the game seen from outside, and `messages`
and `frames` are the two ways between them. How time works is told in `guest/__init__.py`.
"""

from playsuite.runtimes.pygame.launching import launch

VERSION = 1

__all__ = ["launch"]
