"""Start: how long somebody at a terminal waits before anything happens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from shoal.datasets import people

ROWS = 1_000
RUNS = 5
AFTER = ("grouping", "recoding", "measuring", "summing_up", "writing")  # phases, by --json


def measure() -> dict[str, Any]:
    """Measure fresh processes: help, a small release with a warm cache, the same with none."""
    with tempfile.TemporaryDirectory() as folder:
        source = people(ROWS).write(Path(folder, "source"))
        anonymize = _arguments(source)
        _shoal(*anonymize, "-o", f"{folder}/first")  # fills the cache
        helps = [_shoal("--help")[0] for _ in range(RUNS)]
        warm = [_shoal(*anonymize, "-o", f"{folder}/warm-{i}") for i in range(RUNS)]
        cold = _shoal(*anonymize, "-o", f"{folder}/cold", cache=f"{folder}/empty")
    untils = [seconds - sum(told["seconds"][p] for p in AFTER) for seconds, told in warm]
    return {
        "rows": ROWS,
        "runs": RUNS,
        "help_seconds": {"median": median(helps), "worst": max(helps)},
        "until_grouping_seconds": {"median": median(untils), "worst": max(untils)},
        "whole_run_seconds": {"median": median(seconds for seconds, _ in warm)},
        "whole_run_cold_seconds": cold[0],
        "phases_warm": warm[-1][1]["seconds"],
        "phases_cold": cold[1]["seconds"],
    }


def _arguments(source: Path) -> list[str]:
    roles = people(1).roles
    return [
        *("anonymize", str(source / "data.csv"), "-k", "5", "--json"),
        *("--quasi", ",".join(roles.quasi_identifiers)),
        *("--identifier", ",".join(roles.identifiers)),
        *("--hierarchies", str(source / "hierarchies"), "--kind", "zip=code"),
    ]


def _shoal(*arguments: str, cache: str | None = None) -> tuple[float, Any]:
    """Run the command in a fresh process; return seconds and what it told."""
    environment = os.environ.copy()
    environment.pop("NUMBA_CACHE_DIR", None)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a second start finds bytecode, as usual
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = cache
    began = perf_counter()
    out = subprocess.run(
        [sys.executable, "-m", "shoal", *arguments],
        stdout=subprocess.PIPE,
        env=environment,
        check=True,
    )
    seconds = perf_counter() - began
    told = json.loads(out.stdout) if "--json" in arguments else None
    print(f"  {arguments[0]}{' (cold)' if cache else ''}: {seconds:.2f} s", flush=True)
    return seconds, told
