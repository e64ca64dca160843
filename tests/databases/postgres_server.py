"""A PostgreSQL server of the tests' own, run by an ordinary user on a socket in its folder."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

INSTALLED = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
NOBODY = "nobody"
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class PostgresServer:
    """Started when made; ``url`` leads to a database, ``psql`` runs SQL as its owner.

    With a port it listens on loopback, too: Java knows no sockets of files.
    """

    def __init__(self, port: int | None = None) -> None:
        self.port = port
        self.folder = Path(tempfile.mkdtemp(prefix="shoal-pg-"))
        self.folder.chmod(0o755)
        if os.geteuid() == 0:  # which PostgreSQL refuses
            shutil.chown(self.folder, NOBODY)
        how = ["-U", "steward", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        self._run("initdb", "-D", self.data, *how)
        settings = "fsync=off\nmax_connections=20\nshared_buffers=32MB\nautovacuum=off\n"
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(settings)
        self.start()

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def url(self, database: str = "postgres", user: str = "steward", **more: str) -> str:
        extra = "".join(f"&{key}={value}" for key, value in more.items())
        return f"postgresql://{user}@/{database}?host={self.folder}{extra}"

    def start(self) -> None:
        heard = "-h ''" if self.port is None else f"-h 127.0.0.1 -p {self.port}"
        options = f"-k {self.folder} {heard}"
        self._run(
            "pg_ctl", "-D", self.data, "-o", options, "-w", "-l", self.folder / "log", "start"
        )

    def kill(self) -> None:
        """Kill -9 the whole server: all its processes, at once."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in (pid, *map(int, children)):
            kill_quietly(each)
        for left in (self.data / "postmaster.pid", *self.folder.glob(".s.PGSQL*")):
            left.unlink()  # the dead are still listed where nobody buries them

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def psql(self, *statements: str, database: str = "postgres") -> str:
        to = ["-h", self.folder, "-U", "steward", "-d", database]
        to += [] if self.port is None else ["-p", str(self.port)]
        words = [word for one in statements for word in ("-c", one)]
        done = subprocess.run(
            [self._tool("psql"), *to, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *words],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def _tool(self, name: str) -> Path:
        return INSTALLED[-1].with_name(name)

    def _run(self, tool: str, *words: object, check: bool = True) -> None:
        command = [str(self._tool(tool)), *map(str, words)]
        if os.geteuid() == 0:
            command = ["runuser", "-u", NOBODY, "--", *command]
        subprocess.run(command, check=check, cwd="/", **QUIET)  # type: ignore[call-overload]


def kill_quietly(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
