"""The box every untrusted game runs in: no network, no host files, and a limit on whatever it could use up."""

from playsuite.runtimes.sandbox.box import HOME, Bind, Box
from playsuite.runtimes.sandbox.boxed import Boxed
from playsuite.runtimes.sandbox.interpreter import interpreter_binds
from playsuite.runtimes.sandbox.log import BoundedLog
from playsuite.runtimes.sandbox.start import start
from playsuite.runtimes.sandbox.watch import Usage

__all__ = ["HOME", "Bind", "BoundedLog", "Box", "Boxed", "Usage", "interpreter_binds", "start"]
