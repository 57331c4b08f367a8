"""A fake server at an address: in a thread of this process, or as the whole of it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from playsuite.core.errors import ConfigError, boundary
from playsuite.testing.server.app import application
from playsuite.testing.server.scripts import in_order
from playsuite.testing.server.state import largest_batch, make_fake

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator
    from pathlib import Path

    from playsuite.testing.server.behaviours import Behaviour
    from playsuite.testing.server.latency import LatencyModel
    from playsuite.testing.server.state import Fake

HOST = "127.0.0.1"
START_S, STOP_S = 10.0, 10.0
LAST_ANSWERS_S = 0.05
"""What requests that are being answered get when the server is closed."""


class Address(NamedTuple):
    """Where to listen: on a Unix socket, else on a port of the loopback; port 0 is any free one."""

    uds: Path | None = None
    port: int = 0


@asynccontextmanager
async def serving(fake: Fake, address: Address) -> AsyncGenerator[str]:
    """Serve within this event loop; give the base URL for clients.

    Raises:
        ConfigError: aiohttp is missing, or the address cannot be listened on.
    """
    try:
        from aiohttp import web
    except ImportError as error:
        raise ConfigError("the fake server needs aiohttp. Install it: pip install 'playsuite[fake-server]'") from error
    runner = web.AppRunner(
        application(fake), access_log=None, handler_cancellation=True, shutdown_timeout=LAST_ANSWERS_S
    )
    await runner.setup()
    try:
        with boundary(ConfigError, f"listening on {address.uds or f'port {address.port}'}"):
            uds = address.uds
            await (web.UnixSite(runner, str(uds)) if uds else web.TCPSite(runner, HOST, address.port)).start()
        yield f"unix://{address.uds}" if address.uds else f"http://{HOST}:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


class FakeServer:
    """A running fake server, for tests."""

    def __init__(self, fake: Fake, base_url: str) -> None:
        self.base_url = base_url
        self._fake = fake

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The bodies of all requests for a completion."""
        return [asked.body for asked in self._fake.asked]

    @property
    def paths(self) -> list[str]:
        """Where they were sent."""
        return [asked.path for asked in self._fake.asked]

    @property
    def keys(self) -> list[str | None]:
        """Their Authorization headers."""
        return [asked.key for asked in self._fake.asked]

    @property
    def largest_batch(self) -> int:
        """How many requests were worked on at once at most."""
        return largest_batch(self._fake)

    @property
    def health_checks(self) -> int:
        """How often /health was asked."""
        return self._fake.counts.health_checks

    def load(self) -> None:
        """Be as a server that loads its model: nothing is answered but 503."""
        self._fake.ready = False

    def finish_loading(self) -> None:
        """Be ready."""
        self._fake.ready = True

    def feel(self, *, well: bool) -> None:
        """Say so when asked for the health; all else goes on."""
        self._fake.well = well


@contextmanager
def fake_server(
    *behaviours: Behaviour,
    uds: Path | None = None,
    port: int = 0,
    models: tuple[str, ...] = (),
    latency: LatencyModel | None = None,
) -> Generator[FakeServer]:
    """Serve in a thread: one behaviour a request, the last for ever.

    Raises:
        ConfigError: aiohttp is missing, or the address cannot be listened on.
    """
    fake = make_fake(in_order(behaviours), models=models, latency=latency, keep=True)
    thread = _Thread(fake, Address(uds, port))
    try:
        yield FakeServer(fake, thread.start())
    finally:
        thread.stop()


class _Thread:
    """Runs an event loop that serves until it is stopped."""

    def __init__(self, fake: Fake, address: Address) -> None:
        self._fake = fake
        self._address = address
        self._started = threading.Event()
        self._base_url = ""
        self._failure: ConfigError | None = None
        self._loop = asyncio.new_event_loop()
        self._stopped = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="fake model server", daemon=True)

    def start(self) -> str:
        self._thread.start()
        if not self._started.wait(START_S):
            raise ConfigError(f"the fake server did not start within {START_S:g} s")
        if self._failure is not None:
            raise self._failure
        return self._base_url

    def stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopped.set)
            self._thread.join(STOP_S)

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except ConfigError as error:
            self._failure = error
        finally:
            self._loop.close()
            self._started.set()

    async def _serve(self) -> None:
        async with serving(self._fake, self._address) as self._base_url:
            self._started.set()
            await self._stopped.wait()
