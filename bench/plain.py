"""Run a pygame game free of hooks, in real time, for comparison: `python plain.py SECONDS KIND TARGET CWD [PATH...]`.

Zero seconds means: up to the first picture. Runs under the game's own interpreter, so it has only the standard library.
Prints one line of JSON: wall seconds from the start of this process to the first picture, and processor seconds when
the time was up.
"""

import importlib
import json
import os
import resource
import runpy
import signal
import sys
import time
from pathlib import Path

BEGIN = float(os.environ.pop("BENCH_BEGIN"))
"""Noted by who started this process, so that the start of the interpreter counts, as it does under the hooks."""


LONGEST_START_S = 20


def main() -> None:
    seconds, kind, target, cwd, *path = sys.argv[1:]
    first: list[float] = []

    def over(*_: object) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        cpu = used.ru_utime + used.ru_stime
        print(json.dumps({"first": first[0] if first else None, "cpu": cpu, "rss_kb": used.ru_maxrss}), flush=True)
        os._exit(0)

    os.chdir(cwd)
    sys.path[:0] = path or [cwd]
    stamp_first_picture(first, over if float(seconds) == 0 else None)
    signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, float(seconds) or LONGEST_START_S)
    sys.argv = [target]
    if kind == "path":
        sys.path[0] = str(Path(target).resolve().parent)
        runpy.run_path(target, run_name="__main__")
    elif kind == "module":
        runpy.run_module(target, run_name="__main__", alter_sys=True)
    else:
        module, function = target.split(":")
        getattr(importlib.import_module(module), function)()
    over()


def stamp_first_picture(first, then) -> None:
    """Note when the display is updated for the first time, and then call `then`, if it is given."""
    import pygame

    names = ("flip", "update")
    kept = {name: getattr(pygame.display, name) for name in names}

    def stamped(name: str):
        def update(*arguments, **named):
            if not first:
                first.append(time.time() - BEGIN)
                if then is not None:
                    then()
            return kept[name](*arguments, **named)

        return update

    for name in names:
        setattr(pygame.display, name, stamped(name))


main()
