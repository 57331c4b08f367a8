"""The command line: one short file per verb, no logic. Data to stdout, log to stderr."""

from __future__ import annotations

import logging
import os
import sys

from playsuite import __version__
from playsuite.core.errors import ConfigError, PlaySuiteError

DONE, WITH_FAULTS, WRONG, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: all done; done with faults; a configuration error; interrupted and resumable."""

VERBS = ("doctor", "games", "models", "run", "status", "replay", "judge", "report", "check", "show-prompt")


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
    for verb in VERBS:
        module = verb.replace("-", "_")
        app.command(f"playsuite.cli.{module}:{module}", name=verb)
    try:
        sys.exit(app() or DONE)
    except ConfigError as error:
        print(f"playsuite: {error}", file=sys.stderr)  # noqa: T201 this is the command line
        sys.exit(WRONG)
    except PlaySuiteError as error:
        print(f"playsuite: {error.boundary}: {error}", file=sys.stderr)  # noqa: T201
        sys.exit(WITH_FAULTS)
    except BrokenPipeError:
        # Whoever reads our output has enough of it. Python would complain once more when it flushes stdout at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(DONE)
    except KeyboardInterrupt:
        print("playsuite: interrupted; run the same command again to continue", file=sys.stderr)  # noqa: T201
        sys.exit(INTERRUPTED)
