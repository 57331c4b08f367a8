"""Carry a request to a server and its answer back, over TCP or a Unix socket, within a deadline and a size."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.errors import AgentError, ConfigError

if TYPE_CHECKING:
    import httpx

SOCKET = "unix://"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
CONNECT_S = 10.0
LARGEST_ANSWER = 16 * 2**20
"""Bytes."""


class Response(Struct, frozen=True):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float
    """From the first byte sent to the last received."""


class AgainError(Exception):
    """Another attempt may help, so this is not yet an AgentError."""

    def __init__(self, problem: str, *, pause_s: float = 0.0) -> None:
        super().__init__(problem)
        self.pause_s = pause_s
        """How long the server asks to be left alone."""


class AwayError(AgainError):
    """The server could not be reached, or hung up, or takes no requests."""


class Connection:
    """A connection to one server, kept open between requests and made anew where it broke."""

    def __init__(self, base_url: str, api_key: str) -> None:
        """Prepare to talk to the server at `base_url`, `http://HOST:PORT/v1` or `unix:///PATH`; nothing is sent yet.

        Raises:
            ConfigError: that is no such address, or the key can be no key.
        """
        self.place = base_url
        self._http = _http(base_url, api_key)
        self.root = str(self._http.base_url.copy_with(raw_path=b"/"))
        """The address of the whole server, of which `base_url` is one part."""

    def get(self, path: str, *, seconds: float) -> Response:
        """Fetch what is at `path`, relative to the base URL unless it is a whole address.

        Raises:
            AwayError: the server could not be reached, or hung up.
            AgentError: it missed the deadline, or sent what is no HTTP or too large.
        """
        return self._exchange("GET", path, b"", seconds)

    def post(self, path: str, content: bytes, *, seconds: float) -> Response:
        """Send JSON to `path`; raises as `get` does."""
        return self._exchange("POST", path, content, seconds)

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def _exchange(self, method: str, path: str, content: bytes, seconds: float) -> Response:
        import httpx

        begun = time.monotonic()
        timeout = httpx.Timeout(seconds, connect=min(seconds, CONNECT_S))
        try:
            with self._http.stream(method, path, content=content, timeout=timeout) as response:
                body = self._body(response, begun + seconds, self._late(seconds))
        except httpx.ConnectTimeout as error:
            raise AwayError(f"no connection within {min(seconds, CONNECT_S):g} s") from error
        except httpx.TimeoutException as error:
            raise self._late(seconds) from error
        except httpx.TransportError as error:
            raise AwayError(f"{type(error).__name__}: {error}") from error
        except httpx.RequestError as error:
            raise AgentError(f"{self.place} sent nonsense ({type(error).__name__}: {error})") from error
        return Response(response.status_code, response.headers, body, time.monotonic() - begun)

    def _body(self, response: httpx.Response, deadline: float, late: AgentError) -> bytes:
        """Read an answer; httpx bounds the wait for each piece, not the sum of them, nor the size."""
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            if time.monotonic() > deadline:
                raise late
            if len(body) > LARGEST_ANSWER:
                raise AgentError(f"{self.place} sent more than {LARGEST_ANSWER} bytes for one answer")
        return bytes(body)

    def _late(self, seconds: float) -> AgentError:
        return AgentError(
            f"{self.place} did not answer within {seconds:g} s, and is not asked again, as that would take as long. "
            "Is the server stuck, or the model slow? --option timeout_seconds=N waits longer"
        )


def _http(base_url: str, api_key: str) -> httpx.Client:
    import httpx

    headers = {"Content-Type": "application/json"}
    if api_key:
        headers["Authorization"] = f"Bearer {_checked(api_key)}"
    if base_url.startswith(SOCKET):
        socket = httpx.HTTPTransport(uds=base_url.removeprefix(SOCKET), verify=False)
        return httpx.Client(base_url="http://localhost/v1", headers=headers, transport=socket)
    if not base_url.startswith(("http://", "https://")):
        raise ConfigError(f"'{base_url}' is no address of a server. Wanted: http://HOST:PORT/v1 or unix:///PATH")
    # A proxy, as clusters set one for everything, cannot reach our own loopback.
    past_the_proxy = {f"all://{host}": None for host in LOOPBACK}
    secure = base_url.startswith("https://")  # Reading the certificates for nothing takes 30 ms an episode.
    try:
        return httpx.Client(base_url=base_url, headers=headers, mounts=past_the_proxy, verify=secure)
    except (httpx.InvalidURL, ValueError) as error:
        raise ConfigError(f"'{base_url}' is no address of a server: {error}") from error


def _checked(api_key: str) -> str:
    if not (api_key.isascii() and api_key.isprintable()):
        raise ConfigError("the API key holds characters that no key has, perhaps the end of a line. Set it anew")
    return api_key
