"""Ask an OpenAI-compatible server: never longer than a deadline, and across its restarts."""

from __future__ import annotations

import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import msgspec

from playsuite.agents.connection import AgainError, AwayError, Connection
from playsuite.agents.wire import Completion, Messages, completion, excerpt, names, not_served, retry_after
from playsuite.core.errors import AgentError
from playsuite.core.wait import WaitTimeoutError, until

if TYPE_CHECKING:
    from collections.abc import Generator

    from playsuite.agents.connection import Response

__all__ = ["Client", "Completion", "Messages"]

ATTEMPTS = 3
"""A request is made so often at once, if that can help; then the server's health is asked."""
RECOVERIES = 3
"""So often a request is made anew after the server was found well; one that kills every server ends here."""
SETTLE_S = 0.5
"""A server that is dying can still say that it is well; it gets this long to have died, the next time twice as long."""
BUSY_PAUSE_S, LONGEST_BUSY_PAUSE_S = 1.0, 16.0
"""For a server that is busy and does not say for how long; twice as long each time."""
SMALL_QUESTION_S = 5.0
"""For what a server answers without asking the model."""
OK, NOT_FOUND, FIRST_SERVER_ERROR = 200, 404, 500
AWAY = {502, 503, 504}
"""No server behind the gateway, or none that is ready: as good as no connection."""
BUSY = {429, 529}
"""The second is what Anthropic says."""
KEY_ADVICE = "Set the API key (OPENAI_API_KEY, unless the model's row names another variable)"
ADVICE = {
    401: KEY_ADVICE,
    403: KEY_ADVICE,
    404: "Check the base URL (it usually ends in /v1) and the name of the model",
}


class _BusyError(AgainError):
    """The server is well, but takes no more at the moment: hosted ones say so to everybody now and then."""


class _FailedError(AgainError):
    """The server is there, but did not do its work this time."""


class Client:
    """Asks one server."""

    def __init__(
        self, base_url: str, *, api_key: str = "", timeout_seconds: float = 180.0, patience_seconds: float = 60.0
    ) -> None:
        """Prepare to ask the server at `base_url`, `http://HOST:PORT/v1` or `unix:///PATH`; nothing is sent yet.

        `timeout_seconds` bounds each attempt, `patience_seconds` each wait for a server that is away or busy.

        Raises:
            ConfigError: that is no such address, or the key can be no key.
        """
        self._place = base_url
        self._timeout_seconds = timeout_seconds
        self._patience_seconds = patience_seconds
        self._connection = Connection(base_url, api_key)

    def complete(self, messages: Messages, **fields: Any) -> Completion:
        """Ask for the next message of a chat. A server that dies and is back within the patience costs nothing.

        The seconds in the answer's usage are those of the attempt that succeeded.

        Raises:
            AgentError: the server stays away, refuses, misses the deadline or answers nonsense.
        """
        request = msgspec.json.encode({"messages": messages, **fields})
        begun = time.monotonic()
        for recovery in range(RECOVERIES + 1):
            try:
                response = self._ask(request, fields)
            except AgainError as error:
                problem = error
            else:
                with _sent_by(self._place):
                    return completion(response.body, response.headers, measured_seconds=response.seconds)
            if isinstance(problem, _FailedError) and self.healthy():
                break  # It means it.
            if recovery < RECOVERIES:
                self._recover(problem, settle_s=SETTLE_S * 2**recovery)
        raise AgentError(
            f"{self._place} failed again and again for {time.monotonic() - begun:.1f} s, at last: {problem}. "
            "Is the server well? Its log may say more"
        )

    def healthy(self) -> bool:
        """Tell whether the server says that it is well: by its /health; without one, by answering at all.

        The file of a Unix socket says nothing: it is there long before the model is loaded.
        """
        status = self._status(self._connection.root + "health")
        if status in {0, OK, *BUSY} or status >= FIRST_SERVER_ERROR:
            return status == OK
        return 0 < self._status("models") < FIRST_SERVER_ERROR  # Even a refusal is an answer.

    def wait_until_healthy(self, timeout: float, *, waiting_for: str = "the model server") -> None:
        """Wait until the server says that it is well.

        Raises:
            WaitTimeoutError: it did not within `timeout` seconds.
        """
        until(self.healthy, timeout=timeout, waiting_for=waiting_for)

    def models(self) -> list[str]:
        """List the models the server has.

        Raises:
            AgentError: it does not say.
        """
        try:
            response = self._connection.get("models", seconds=min(SMALL_QUESTION_S, self._timeout_seconds))
        except AwayError as error:
            raise AgentError(f"{self._place} does not say which models it has: {error}") from error
        if response.status != OK:
            raise AgentError(f"{self._place} does not say which models it has: {_said(response)}")
        with _sent_by(self._place):
            return names(response.body)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _ask(self, request: bytes, fields: dict[str, Any]) -> Response:
        """Make a request a few times at once, and while the server is busy for as long as there is patience."""
        left, patient_until = ATTEMPTS, time.monotonic() + self._patience_seconds
        pause_s = min(BUSY_PAUSE_S, self._patience_seconds / 4)
        while True:
            try:
                return self._attempt(request, fields)
            except _BusyError as busy:
                wait_s = busy.pause_s or pause_s
                if time.monotonic() + wait_s > patient_until:
                    waited = f"was busy for {self._patience_seconds:g} s, at last: {busy}"
                    raise AgentError(f"{self._place} {waited}. Ask it with fewer workers, or wait longer") from busy
                self._pause(wait_s)
                pause_s = min(2 * pause_s, LONGEST_BUSY_PAUSE_S)
            except AgainError as error:
                left -= 1
                if not left:
                    raise
                self._pause(error.pause_s)

    def _attempt(self, request: bytes, fields: dict[str, Any]) -> Response:
        response = self._connection.post("chat/completions", request, seconds=self._timeout_seconds)
        status = response.status
        if status == OK:
            return response
        if status in BUSY:
            raise _BusyError(_said(response), pause_s=self._pause_for(response))
        if status in AWAY:
            raise AwayError(_said(response), pause_s=self._pause_for(response))
        if status >= FIRST_SERVER_ERROR:
            raise _FailedError(_said(response), pause_s=self._pause_for(response))
        advice = self._advice(status, fields)
        raise AgentError(f"{self._place} refused the request with {_said(response)}. {advice}")

    def _recover(self, problem: AgainError, settle_s: float) -> None:
        """Wait until the server is well, but do not believe it at once."""
        settled = time.monotonic() + min(settle_s, self._patience_seconds)
        try:
            until(
                lambda: time.monotonic() >= settled and self.healthy(),
                timeout=self._patience_seconds,
                waiting_for="the model server",
            )
        except WaitTimeoutError as error:
            raise AgentError(
                f"{self._place} failed ({problem}) and was not well again within {self._patience_seconds:g} s. "
                "Is the server running?"
            ) from error

    def _pause_for(self, response: Response) -> float:
        """Return how long a server that refuses for now is left alone."""
        asked_s = retry_after(response.headers)
        if asked_s is None:
            return 0.0
        if asked_s > self._patience_seconds:
            raise AgentError(
                f"{self._place} asks for a pause of {asked_s:g} s, but is waited for no longer than "
                f"{self._patience_seconds:g} s. Ask it with fewer workers. It said {_said(response)}"
            )
        return asked_s

    def _pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        until(lambda: time.monotonic() >= end, timeout=seconds + 1, waiting_for="a busy model server's pause to end")

    def _advice(self, status: int, fields: dict[str, Any]) -> str:
        if status == NOT_FOUND:
            with suppress(AgentError):  # It is only advice.
                served, name = self.models(), str(fields.get("model", ""))
                if served and name not in served:
                    return not_served(name, served)
        return ADVICE.get(status, "Check the request's model and settings")

    def _status(self, path: str) -> int:
        """Return the status of the answer to a small question; 0 if there is none."""
        try:
            return self._connection.get(path, seconds=min(SMALL_QUESTION_S, self._timeout_seconds)).status
        except (AwayError, AgentError):
            return 0


@contextmanager
def _sent_by(place: str) -> Generator[None]:
    """Say of what was read here who had sent it."""
    try:
        yield
    except AgentError as error:
        raise AgentError(f"{place} sent {error}") from error


def _said(response: Response) -> str:
    return f"status {response.status}: {excerpt(response.body)}"
