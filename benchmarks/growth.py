"""Growth: how time and memory rise from ten thousand rows to a million."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from shoal.datasets import census_income, people

SIZES = (10_000, 100_000, 1_000_000)
TASKS = ("common", "best-first", "mondrian", "end to end")
WORKER = Path(__file__).parent / "growth_worker.py"


def measure() -> dict[str, Any]:
    """Measure each size and method in a process of its own."""
    _run("people", 1_000, "end to end")  # compiles what the command line needs, if anything
    runs = [("people", n, task) for n in SIZES for task in TASKS]
    runs += [("census_income", 0, task) for task in TASKS]
    records = [_run(*run) for run in runs]
    return {
        "k": 10,
        "quasi_identifiers": {
            "people": list(people(1).roles.quasi_identifiers),
            "census_income": list(census_income().roles.quasi_identifiers),
        },
        "records": records,
        "time_per_row_1m_over_100k": {task: _ratios(records, task) for task in TASKS},
    }


def _run(table: str, n: int, task: str) -> dict[str, Any]:
    command = [sys.executable, str(WORKER), table, str(n), task]
    out = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    record: dict[str, Any] = json.loads(out.stdout)
    print(
        f"  {table} {record['rows']:,} {task}: {record['seconds']:.1f} s, "
        f"{record['peak_memory_mb']:.0f} MB",
        flush=True,
    )
    return record


def _ratios(records: list[dict[str, Any]], task: str) -> dict[str, float]:
    """Time per row at a million over that at a hundred thousand: 1 is linear growth."""
    found = {r["rows"]: r for r in records if (r["table"], r["task"]) == ("people", task)}
    large, small = found[SIZES[2]], found[SIZES[1]]
    growth = large["rows"] / small["rows"]
    return {unit: large[unit] / small[unit] / growth for unit in ("seconds", "cpu_seconds")}
