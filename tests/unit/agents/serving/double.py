"""An engine in miniature: several processes, a health route on a Unix socket, and every vice of a real one."""

import argparse
import signal
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from socketserver import ThreadingUnixStreamServer

FOREVER_S = 600
CHILD = "import subprocess, sys; subprocess.run(['tail', '-f', *sys.argv[1:]], start_new_session=True)"


class Health(BaseHTTPRequestHandler):
    deaf: Path | None = None

    def do_GET(self) -> None:
        if self.deaf is not None and self.deaf.exists():
            threading.Event().wait(FOREVER_S)
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 so it is called in the library
        """Say nothing: a client on a Unix socket has no address."""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--uds", required=True)
    parser.add_argument("--say", default="", help="say this first")
    parser.add_argument("--exit", type=int, help="and end")
    parser.add_argument("--fail-when", type=Path, help="end at once where this file is")
    parser.add_argument("--deaf-when", type=Path, help="do not answer where this file is")
    parser.add_argument("--never-ready", action="store_true", help="load for ever")
    parser.add_argument("--family", action="store_true", help="have a child, and a grandchild in a session of its own")
    parser.add_argument("--litter", type=Path, help="name in this file what is left about")
    parser.add_argument("--stubborn", action="store_true", help="do not end when told to")
    wanted, _ = parser.parse_known_args()
    print(wanted.say, flush=True)
    if wanted.exit is not None:
        return wanted.exit
    if wanted.fail_when and wanted.fail_when.exists():
        print("RuntimeError: broken for good", flush=True)
        return 3
    if wanted.stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if wanted.family:
        subprocess.Popen([sys.executable, "-c", CHILD, __file__, wanted.uds])
    if wanted.litter:
        name = SharedMemory(create=True, size=4096).name
        wanted.litter.write_text(f"{tempfile.mkdtemp()}\n/dev/shm/{name}")
    if wanted.never_ready:
        threading.Event().wait(FOREVER_S)
    Health.deaf = wanted.deaf_when
    with ThreadingUnixStreamServer(wanted.uds, Health) as server:
        server.daemon_threads = True
        server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
