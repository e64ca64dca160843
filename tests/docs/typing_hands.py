"""A reader's hands: each line of a page's shell blocks typed as it stands, in one folder.

Commands of Shoal run in this process, which costs a tenth of a new one; servers are processes of
their own, spared their imports unless nothing but ``shoal serve`` is typed, and are asked for a
page; curl is curl. What is typed in another way than it stands is in `ALTERED`, what is not typed
in `NOT_TYPED`, each with its reason.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from forking import Script, begin
from shoal.cli import run

ROOT = Path(__file__).parents[2]
SERVE = "from shoal.cli import main; main()"
ANEW = """
import os, sys
os.dup2(sys.stdout.fileno(), 1)
os.execv(sys.executable, [sys.executable, "-m", "shoal", *sys.argv[1:]])
"""

#: The beginning of a line, and why nobody types it here.
NOT_TYPED = {
    "make test": "it is what runs this",
    "make lint": "CI does it beside this",
    "make format": "it would change the sources under test",
    "make demo": "`shoal demo` in a new environment; tests/cli and tests/packaging do both",
    "make bench": "hours",
    "make mutate": "hours",
    "make soak": "hours",
    "pip install": "no registry has it yet; tests/packaging installs the wheel",
    "uvx --from": "as above; done by hand, as docs/installing.md tells",
    "shoal study ": "minutes to hours; tests/studies runs each in miniature",
    "shoal select patients.csv --target readmitted --engine spark": "tests/spark types it",
    "systemctl": "there is no systemd in a test; the unit is checked in tests/packaging",
    "tar --create": "tests/packaging packs and restores the folder",
}
#: What a line says, what is typed instead, and why.
ALTERED = (
    (" --trials 200", " --trials 4", "minutes, as the hundred that are tried if none is said"),
    ("/var/lib/shoal/", "", "the folder of a service"),
    ("/backup/", "", "another disk"),
)


@dataclass
class Shell:
    """One folder, one server at a time, and what was printed last."""

    folder: Path
    monkeypatch: object
    printed: str = ""
    served: Script | None = None
    port: int = 0
    token: str = ""
    names: dict[str, str] = field(default_factory=dict)  # placeholders of a page

    def type(self, line: str) -> int:
        """Run one line, and return its exit code."""
        for said, instead, _ in ALTERED:
            line = line.replace(said, instead)
        if line.startswith("shoal tune"):
            line += " --workers 1" if "--trials" in line else " --workers 1 --trials 4"
        for said, meant in self.names.items():
            line = line.replace(said, meant)
        words = shlex.split(line, comments=True)
        if words[0] == "curl":
            return self._curl(line)
        if words[0].startswith("TOKEN="):
            return 0 if self.token else 1
        assert words[0] == "shoal", f"nobody can type {line!r}"
        if words[1] == "serve" and "--add-user" not in words:
            return self._serve(words)
        return self._shoal(words[1:])

    def close(self) -> None:
        """End the server."""
        if self.served is not None:
            self.served.send_signal(signal.SIGTERM)
            self.served.wait(20)
            self.served = None

    def _shoal(self, words: list[str]) -> int:
        told, into = io.StringIO(), None
        if ">" in words:
            into = words[words.index(">") + 1]
            words = words[: words.index(">")]
        if "<" in words:
            given = Path(words[words.index("<") + 1]).read_text(encoding="utf-8")
            self.monkeypatch.setattr(sys, "stdin", io.StringIO(given))
            words = words[: words.index("<")]
        with redirect_stdout(told):
            code = run(words)
        self.printed = told.getvalue()
        if words == ["ledger", "show"]:
            self.names["1f0c22ab90de4471"] = re.search(r"^\w{16}", self.printed, re.M)[0]
        if "--look" in words:
            self.names["--pick 17"] = f"--pick {re.search(r'trial +([0-9]+)', self.printed)[1]}"
        if into is not None:
            Path(into).write_text(self.printed, encoding="utf-8")
        return code

    def _serve(self, words: list[str]) -> int:
        """Start it as typed but for its port, and ask it for its first page."""
        self.close()
        self.port = free_port()
        at = words.index("--port") if "--port" in words else len(words)
        script = ANEW if len(words) == 2 else SERVE
        words = [*words[1:at], *words[at + 2 :], "--port", str(self.port)]
        told = {**os.environ, "BROWSER": shutil.which("true") or "true"}
        self.served = begin(script, *words, env=told)
        link = self.served.stdout.readline().split()[-1]
        self.token = link.partition("token=")[2]
        asked = link.replace("0.0.0.0", "127.0.0.1")
        by_name = {"accept": "text/html"}
        if "--proxy-name" in words:
            by_name["host"] = words[words.index("--proxy-name") + 1]
            asked = f"http://127.0.0.1:{self.port}/"
        page = first_answer(asked, by_name)
        return 0 if page.status_code == 200 and "Shoal" in page.text else 1

    def _curl(self, line: str) -> int:
        """Let curl ask this server, until a job is done where the page waits for one."""
        line = line.replace("127.0.0.1:8080", f"127.0.0.1:{self.port}")
        line = line.replace("curl ", "curl -sS --fail-with-body ", 1)
        for _ in range(100):
            done = subprocess.run(
                ["bash", "-c", line],
                env={**os.environ, "TOKEN": self.token},
                capture_output=True,
                text=True,
            )
            if done.returncode == 0:
                break
            time.sleep(0.2)
        if done.stdout.startswith("{") and "id" in (told := json.loads(done.stdout)):
            self.names.setdefault("/ID/", f"/{told['id']}/")
        return done.returncode


def why_not_typed(line: str) -> str | None:
    """Tell the reason, if a line is not typed."""
    return next((why for begin, why in NOT_TYPED.items() if line.startswith(begin)), None)


def lines_of(block: str) -> list[str]:
    """Lines of a block of shell; one that ends in a backslash goes on."""
    return [line for line in re.sub(r"\\\n\s*", "", block).splitlines() if line.strip()]


def free_port() -> int:
    """Find a port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def first_answer(link: str, headers: dict[str, str]) -> httpx.Response:
    """Ask until somebody listens."""
    for _ in range(300):
        try:
            return httpx.get(link, headers=headers, verify=False, follow_redirects=True)
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the server never answered")
