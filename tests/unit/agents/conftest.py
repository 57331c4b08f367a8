"""A server that talks like OpenAI's, on a port or a Unix socket, and can misbehave on request."""

import json
import socketserver
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import numpy as np
import pytest

from playsuite.core.protocols import Observation
from playsuite.core.records import Controls, Game


def completion(text, finish_reason="stop", **usage):
    return {
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": finish_reason}],
        "usage": usage,
    }


def reply(status=200, body=b"", headers=()):
    """Make a behaviour: answer every request like this."""

    def behave(handler, _released):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in (*headers, ("Content-Length", str(len(data)))):
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    return behave


def die(handler, _released):
    handler.close_connection = True


def hang(_handler, released):
    released.wait(30)


def trickle(handler, released):
    """Send one byte after the other, each in time, the whole never."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    while not released.wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()


class ModelServer:
    """Behaves by a list, one behaviour a request, the last one for ever; keeps the requests."""

    def __init__(self, behaviours):
        self.behaviours = list(behaviours)
        self.requests = []
        self.paths = []
        self.keys = []
        self.released = threading.Event()
        self.base_url = ""

    def handle(self, handler):
        length = int(handler.headers["Content-Length"])
        self.requests.append(json.loads(handler.rfile.read(length)))
        self.paths.append(handler.path)
        self.keys.append(handler.headers.get("Authorization"))
        behave = self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]
        try:
            behave(handler, self.released)
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True


class UnixHTTPServer(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


@contextmanager
def serving(behaviours, unix_socket=None):
    model = ModelServer(behaviours)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            model.handle(self)

        def address_string(self):
            return "client"

        def log_message(self, *_):
            pass

    server = (
        UnixHTTPServer(str(unix_socket), Handler) if unix_socket else ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    )
    model.base_url = f"unix://{unix_socket}" if unix_socket else f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.released.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


@pytest.fixture
def behave():
    """The behaviours a server can have."""
    return SimpleNamespace(
        say=lambda text, finish_reason="stop", headers=(), **usage: reply(
            body=completion(text, finish_reason, **usage), headers=headers
        ),
        reply=reply,
        die=die,
        hang=hang,
        trickle=trickle,
    )


@pytest.fixture(params=["tcp", "unix"])
def serve(request, tmp_path):
    """Serve behaviours, once over each kind of address."""
    path = tmp_path / "model.sock" if request.param == "unix" else None
    return lambda *behaviours: serving(behaviours, path)


@pytest.fixture
def game():
    return Game(
        id="made-up/garden",
        title="The Garden",
        genre="Puzzle",
        runtime="fake",
        manifest={},
        description="Move the pots until every flower stands in the light. Costs $0.",
        controls=Controls(text="Arrow keys move, Z takes back.", keys=("left", "right", "up", "down", "z"), mouse=True),
    )


@pytest.fixture
def seen():
    frame = np.zeros((120, 160, 3), np.uint8)
    frame[40:60, 100:140] = (250, 200, 30)
    return Observation(frame, t=0.0, index=0)
