"""What cutting costs: NGIL on Spark over NGIL of the local engine, before and after mending."""

from __future__ import annotations

import json
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
TABLES = (("adult", 30_162), ("people", 1_000_000))
KS = (10, 100)
ROUTINGS = ("network", "mondrian", "random")
FRAGMENTS = 8  # of as many rows as they may hold; cuts fall where they gain most, so 10 to 16


def measure(tables: tuple[tuple[str, int], ...] = TABLES) -> dict[str, Any]:
    """Run every routing on every table at every k."""
    records = []
    for name, n in tables:
        for k in KS:
            local = local_ngil(name, n, k)
            for routing in ROUTINGS:
                found = run(name, n, k, routing, n // FRAGMENTS)
                records.append({**found, "local_ngil": local, "over_local": found["ngil"] / local})
                before = found["ngil_before_boundary"] / local
                print(f"  {name} k={k} {routing}: {before:.3f}, {found['ngil'] / local:.3f}")
    return {"records": records}


def local_ngil(name: str, n: int, k: int) -> float:
    """NGIL of the local engine on the whole table, with the method that auto chooses."""
    data = dataset(name, n)
    table = data.table()
    problem = Problem(table, Generalize(data.hierarchies).spaces(table), (KAnonymity(k),))
    grouper = Auto().choose(table.n_rows).grouper.fit(problem)
    return measure_loss(problem.spaces, grouper.grouping_).ngil


def run(name: str, n: int, k: int, routing: str, most: int, *more: str) -> dict[str, Any]:
    """One run in a process of its own."""
    command = [sys.executable, str(WORKER), name, str(n), str(k), routing, str(most), *more]
    out = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(out.stdout.splitlines()[-1])
    return found
