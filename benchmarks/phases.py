"""Phases: where the time of a release goes, from CSV to verified release, by both clocks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from shoal.datasets import people

RUNS = ((1_000_000, "quick"), (1_000_000, "default"))
COMPILING = 100_000  # rows: the fewest that are grouped in parts
WORKER = Path(__file__).parent / "phases_worker.py"


def measure() -> dict[str, Any]:
    """Release a made-up census without hierarchies; each run in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        load_kernels(Path(folder))
        return {"k": 10, "records": [release(Path(folder), *run) for run in RUNS]}


def load_kernels(folder: Path) -> None:
    """Compile what the runs need, in parts as they are."""
    for order in ("best-first", "common"):
        release(folder, COMPILING, "default", "--order", order)


def release(folder: Path, n: int, effort: str, *more: str) -> dict[str, Any]:
    """Release a table of so many rows in a process of its own."""
    source = folder / str(n)
    if not source.exists():
        source.mkdir()
        people(n).frame.write_csv(source / "data.csv")
    os.environ["SHOAL_HOME"] = str(folder / f"home of {n} {effort}")  # nothing was released before
    command = [sys.executable, str(WORKER), str(source), effort, *more]
    record: dict[str, Any] = json.loads(
        subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    )
    print(
        f"  {n:,} rows, {effort}: {record['wall_seconds']:.1f} s,"
        f" {record['cpu_seconds']:.1f} CPU s, {record['peak_memory_mb']:.0f} MB",
        flush=True,
    )
    return record
