"""What cutting costs: NGIL on Spark over NGIL of the local engine, before and after mending."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from shoal.grouping import Auto, Problem
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.utility import measure_loss
from spark_worker import dataset

WORKER = Path(__file__).parent / "spark_worker.py"
RUNS = Path(__file__).parent / "results" / "spark_runs.jsonl"  # all that was run, as it ends
RUNS_TO_MAKE = tuple(
    (table, rows, k, routing)
    for table, rows in (("adult", 30_162), ("people", 1_000_000))
    for k in (10, 100)
    for routing in ("network", "mondrian", "random")
    if (table, routing) != ("people", "random")  # a small table is contrast enough
)
FRAGMENTS = 8  # of as many rows as they may hold; cuts fall where they gain most, so 10 to 16


def measure(runs: tuple[tuple[str, int, int, str], ...] = RUNS_TO_MAKE) -> dict[str, Any]:
    """Run every routing on every table at every k."""
    records = []
    for table, rows, k, routing in runs:
        local = local_ngil(table, rows, k)
        found = run(table, rows, k, routing, rows // FRAGMENTS)
        records.append({**found, "local_ngil": local, "over_local": found["ngil"] / local})
        before = found["ngil_before_boundary"] / local
        print(f"  {table} k={k} {routing}: {before:.3f}, {found['ngil'] / local:.3f}", flush=True)
    return {"records": records}


def local_ngil(name: str, n: int, k: int) -> float:
    """NGIL of the local engine on the whole table, with the method that auto chooses."""
    words = ["local", name, str(n), str(k)]
    if (known := _remembered(words)) is None:
        data = dataset(name, n)
        table = data.table()
        problem = Problem(table, Generalize(data.hierarchies).spaces(table), (KAnonymity(k),))
        grouper = Auto().chosen(table.n_rows).grouper.fit(problem)
        known = {"ngil": measure_loss(problem.spaces, grouper.grouping_).ngil}
        _remember(words, known)
    return float(known["ngil"])


def run(name: str, n: int, k: int, routing: str, most: int, *more: str) -> dict[str, Any]:
    """One run in a process of its own."""
    words = [name, str(n), str(k), routing, str(most), *more]
    if (known := _remembered(words)) is not None:
        return known
    kept = ["--data", folder] if (folder := os.environ.get("SHOAL_BENCH_DATA")) else []
    command = [sys.executable, str(WORKER), *words, *kept]
    out = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(out.stdout.splitlines()[-1])
    _remember(words, found)
    return found


def _remember(words: list[str], found: dict[str, Any]) -> None:
    RUNS.parent.mkdir(exist_ok=True)
    with RUNS.open("a") as lines:
        lines.write(json.dumps({"words": words, "found": found}) + "\n")


def _remembered(words: list[str]) -> dict[str, Any] | None:
    """What an interrupted benchmark already measured, if ``SHOAL_BENCH_RESUME`` is set."""
    if "SHOAL_BENCH_RESUME" not in os.environ or not RUNS.exists():
        return None
    lines = [json.loads(line) for line in RUNS.read_text().splitlines()]
    found: list[dict[str, Any]] = [line["found"] for line in lines if line["words"] == words]
    return found[-1] if found else None
