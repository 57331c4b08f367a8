"""Why an engine ended, in one line, out of a log of thousands."""

from __future__ import annotations

import re

LONGEST = 400
"""Characters of a reason; an engine's errors may quote whole configurations."""

PREFIX = re.compile(
    r"^(\x1b\[[0-9;]*m|\([^()]*pid=\d+[^()]*\)|(DEBUG|INFO|WARNING|ERROR|CRITICAL) \d\d-\d\d \d\d:\d\d:\d\d"
    r"|\[[\w.]+:\d+\]|\s)+"
)
"""What vLLM puts before a line: colour, the process, the level and time, the place in its source."""
TELLING = re.compile(
    r"out of memory|not a valid model identifier|No such file or directory|unrecognized arguments|error: argument"
    r"|invalid choice|Address already in use|[Ff]ree memory on device|memory for the cache blocks|gated repo"
    r"|max seq len|KV cache is needed|does not recognize this architecture|are not supported for now|^Value error, "
    r"|No module named|cannot allocate memory|No space left on device|couldn't connect to|Invalid repository ID"
    r"|contains custom code|does not appear to have a file named",
)
ERROR = re.compile(r"^([\w.]+\.)?\w*(Error|Exception|Exit|Interrupt)\b(: .*)?$")
ECHO = re.compile(
    r"See root cause above|initialization failed due to|Failed core proc|EngineDeadError|EngineCore encountered"
    r"|Engine core proc .* died|CancelledError|^(KeyboardInterrupt|SystemExit)|BrokenPipeError|DistBackendError"
    r"|Warning: |^warnings\.warn|Traceback \(most recent|validation errors? for ",
)
"""Lines that only say that something else has failed."""
NO_ERROR = re.compile(r"\b(DEBUG|INFO|WARNING) \d\d-\d\d ")
"""An INFO repeats the whole configuration, a WARNING misses what is optional."""
QUOTED_INPUT = re.compile(r" \[type=\w+, input_value=.*$")


def reason(log: str) -> str:
    """Return the most telling line of a log: a known cause, else the last error, else the last line."""
    written = [line for line in log.splitlines() if line.strip()]
    lines = [_bare(line) for line in written if not NO_ERROR.search(line)]
    causes = [line for line in lines if not ECHO.search(line)]
    for kind, among in ((TELLING, causes), (ERROR, causes), (ERROR, lines)):
        if found := [line for line in among if kind.search(line)]:
            return _short(_root(found))
    return _short(next((line for line in map(_bare, reversed(written)) if not ECHO.search(line)), "it said nothing"))


def _bare(line: str) -> str:
    return PREFIX.sub("", line).strip()


def _root(lines: list[str]) -> str:
    """Return the last error that is one by its form, else the last line."""
    return next((line for line in reversed(lines) if ERROR.match(line)), lines[-1])


def _short(line: str) -> str:
    line = QUOTED_INPUT.sub("", line).removeprefix("Value error, ")
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."
