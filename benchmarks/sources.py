"""Sources: tables from PostgreSQL to a written-back table, against CSV to CSV.

Groups are formed by the fastest method and the bound is left out, so that reading and writing
weigh as much as they ever do. The server is the tests' own, on a socket of this machine; its CPU
seconds count, too.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

sys.path.append(str(Path(__file__).parents[1] / "tests" / "databases"))

SIZES = {1_000_000: 2, 10_000_000: 1}  # rows, and how often each way is run
NAMED = ["--quasi", "age,sex,zip,job", "--sensitive", "disease", "--publish-as-is", "note,seen"]
HOW = ["-k", "10", "--method", "mondrian", "--no-bound", "--ledger", "off", "--json"]


def measure() -> dict[str, Any]:
    """Measure both ways at each size."""
    return {str(rows): _both(rows, runs) for rows, runs in SIZES.items()}


def _both(rows: int, runs: int) -> dict[str, Any]:
    """Measure both ways, the better run of each."""
    from postgres_server import PostgresServer

    with tempfile.TemporaryDirectory(prefix="shoal-sources-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        source = folder / "people.csv"
        _people(rows).write_csv(source)
        server = PostgresServer()
        try:
            _load(server, source)
            ways: dict[str, list[dict[str, Any]]] = {"csv": [], "postgresql": []}
            for i in range(runs):
                out = ["-o", str(folder / f"csv{i}")]
                ways["csv"].append(_run([str(source), *out], server))
                back = ["-o", server.url(), "--into", f"out{i}", "--papers", str(folder / f"p{i}")]
                table = [server.url(), "--table", "people"]
                ways["postgresql"].append(_run([*table, *back], server))
        finally:
            server.stop()
    best = {way: min(made, key=lambda run: run["cpu_seconds"]) for way, made in ways.items()}
    csv, database = best["csv"], best["postgresql"]
    return {
        "rows": rows,
        "columns": 7,
        **best,
        "cpu_ratio": database["cpu_seconds"] / csv["cpu_seconds"],
        "wall_ratio": database["wall_seconds"] / csv["wall_seconds"],
        "memory_ratio": database["peak_mb"] / csv["peak_mb"],
    }


def _people(rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    days = pl.Series(rng.integers(18_000, 19_000, rows)).cast(pl.Int32).cast(pl.Date)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "sex": np.array(["f", "m"])[rng.integers(0, 2, rows)],
            "zip": [f"0{z}" for z in rng.integers(1000, 1400, rows).tolist()],
            "job": np.array([f"job {i}" for i in range(40)])[rng.integers(0, 40, rows)],
            "disease": np.array([f"ill {i}" for i in range(30)])[rng.integers(0, 30, rows)],
            "note": [f"note {n}" for n in rng.integers(0, 50_000, rows).tolist()],
            "seen": days,
        }
    )


def _load(server: Any, source: Path) -> None:
    columns = "age int, sex text, zip text, job text, disease text, note text, seen date"
    server.psql(f"CREATE TABLE people ({columns})", f"\\copy people FROM '{source}' CSV HEADER")


def _run(words: list[str], server: Any) -> dict[str, Any]:
    """Run the command in a fresh process; count its CPU seconds and the server's."""
    before, theirs, began = _children(), _server_seconds(server), perf_counter()
    command = [sys.executable, "-m", "shoal", "anonymize", *words, *NAMED, *HOW]
    watched = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
        "assert done.returncode == 0, done.stderr\n"
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
        "print(peak); print(done.stdout)"
    )
    done = subprocess.run(
        [sys.executable, "-c", watched, *command], capture_output=True, text=True, check=True
    )
    wall = perf_counter() - began
    peak, told = done.stdout.split("\n", 1)
    return {
        "cpu_seconds": _children() - before + _server_seconds(server) - theirs,
        "server_cpu_seconds": _server_seconds(server) - theirs,
        "wall_seconds": wall,
        "peak_mb": int(peak) / 1024,
        "phases": json.loads(told)["seconds"],
    }


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _server_seconds(server: Any) -> float:
    """CPU seconds of the server: its own, and those of sessions that it has buried."""
    pid = (server.data / "postmaster.pid").read_text().split()[0]
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / float(os.sysconf("SC_CLK_TCK"))
