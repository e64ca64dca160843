"""What the tests of the web app share: a small table, and servers in processes of their own."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from forking import Script, begin
from shoal.web._app import create_app
from shoal.web._server import Server
from shoal.web._settings import Settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would rather have httpx2, which nothing else needs
    from starlette.testclient import TestClient as TestClient

HERE = "http://127.0.0.1:8080"
SERVE = "from shoal.cli import main; main()"


def table_of(rows=60, older=0):
    """A small table of made-up people, as CSV; ``older`` ones are other people to the ledger."""
    lines = ["name,age,sex,zip,disease,readmitted"]
    diseases = ["flu", "gout", "asthma", "angina"]
    lines += [
        f"Person {older + i},{20 + older + (i * 7) % 60},{'fm'[i % 2]},"
        f"{8010 + older + (i * 13) % 90},"
        f"{diseases[(i * 5 + i // 4) % 4]},{'yes' if (i * 7) % 60 > 30 else 'no'}"
        for i in range(rows)
    ]
    return ("\n".join(lines) + "\n").encode()


def wait_for(client, id, job, seconds=60):
    """Wait until a job is over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = client.get(f"/api/tables/{id}/jobs/{job}").json()
        if found["state"] in ("done", "failed", "stopped"):
            return found
        time.sleep(0.05)
    raise AssertionError("the job never ended")


def downloaded(driver, name):
    """Wait for a download, whole."""
    path = driver.downloads / name
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if path.exists() and not list(driver.downloads.glob("*.crdownload")):
            return path
        time.sleep(0.05)
    raise AssertionError(f"{name} never came; there are {list(driver.downloads.glob('*'))}")


@dataclass
class Running:
    """``shoal serve`` in a process of its own."""

    process: Script
    link: str
    port: int
    home: Path
    log: Path
    extra: tuple[str, ...] = ()
    participants: str = ""

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"

    def kill(self):
        """End it like a power cut."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def restart(self):
        """Cut the power, and start again where it was."""
        self.kill()
        again = start_server(self.home, self.port, self.extra)
        self.process, self.link = again.process, again.link

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)


@dataclass
class Hosted:
    """The app in a thread of this process, where a test can hold up or break what it does."""

    site: Server
    port: int

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def link(self):
        return f"{self.base}/?token={self.site.visitors.token}"


@contextmanager
def host():
    """Serve from this process until the test is over."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # whoever comes before the server answers waits, and is not turned away
    port = listener.getsockname()[1]
    site = Server(Settings(port=port))
    config = uvicorn.Config(
        create_app(site),
        log_config=None,
        access_log=False,
        ws="none",
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield Hosted(site, port)
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_server(home, port=None, extra=(), *, token=True):
    """Start ``shoal serve`` as a user types it, and read the link it prints.

    It has been spared its imports; some walks through documents (tests/docs) start one that is not.
    """
    port = port or free_port()
    log = Path(f"{home}.log")
    environment = {**os.environ, "SHOAL_HOME": str(home), "TMPDIR": str(_temp(home))}
    words = ("serve", "--port", port, "--no-open", *extra)
    process = begin(SERVE, *words, env=environment, errors=log)
    line = process.stdout.readline()
    assert "http" in line, f"no link: {line!r} {log.read_text()}"
    assert ("token=" in line) == token
    running = Running(process, line.split()[-1], port, Path(home), log, tuple(extra))
    if "--study" in extra:
        running.participants = process.stdout.readline().split()[-1]
    _wait_until_open(port)
    return running


def _temp(home):
    folder = Path(f"{home}.tmp")
    folder.mkdir(exist_ok=True)
    return folder


def _wait_until_open(port):
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server never listened")
