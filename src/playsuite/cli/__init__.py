"""The command line: one short file per verb, no logic. Data to stdout, log to stderr."""

from __future__ import annotations

import logging
import os
import sys

from playsuite import __version__
from playsuite.core.errors import ConfigError, PlaySuiteError

DONE, WITH_FAULTS, WRONG, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: all done; done with faults; a configuration error; interrupted and resumable."""

VERBS = {
    "doctor": "What works on this machine, and the fix for what does not.",
    "games": "Install, list and show games.",
    "models": "List the models that can be named, or show one.",
    "show-prompt": "Print exactly what a model is sent about a game.",
    "serve": "Serve a model on this machine, and keep it served.",
    "run": "Let an agent play the games of a suite.",
    "status": "How far a run is.",
    "replay": "Play an episode again and check that every frame is the same.",
    "judge": "Turn the films of a run into levels.",
    "report": "Turn verdicts into tables and a page.",
    "check": "Check that a plug-in keeps the promises of its kind.",
}
"""What there is; said here too, so that listing it imports none of it."""


def log(line: str) -> None:
    """Say something that is no data."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 the log goes to stderr


def main() -> None:
    """Run the command line; every error of ours is one line on stderr."""
    import cyclopts

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    app = cyclopts.App(
        name="playsuite",
        version=__version__,
        help="Put any vision model in front of real video games and find out how well it acts.",
        result_action="return_value",
        suppress_keyboard_interrupt=False,  # we say ourselves how to go on
    )
    for verb, help_line in VERBS.items():
        module = verb.replace("-", "_")
        app.command(f"playsuite.cli.{module}:{module}", name=verb, help=help_line)
    try:
        sys.exit(app() or DONE)
    except ConfigError as error:
        print(f"playsuite: {error}", file=sys.stderr)  # noqa: T201 this is the command line
        sys.exit(WRONG)
    except PlaySuiteError as error:
        print(f"playsuite: {error.boundary}: {error}", file=sys.stderr)  # noqa: T201
        sys.exit(WITH_FAULTS)
    except BrokenPipeError:  # whoever reads our output has enough of it
        _drop_output()
        sys.exit(DONE)
    except OSError as error:
        _drop_output()
        print(f"playsuite: a file could not be read or written: {error}", file=sys.stderr)  # noqa: T201
        sys.exit(WITH_FAULTS)
    except KeyboardInterrupt:
        print("playsuite: interrupted; run the same command again to continue", file=sys.stderr)  # noqa: T201
        sys.exit(INTERRUPTED)


def _drop_output() -> None:
    """Have nothing left to write: Python would complain once more when it flushes stdout at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
