"""How long somebody waits for each study: its small run, from nothing, as a user types it."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from time import perf_counter
from typing import Any

from shoal.studies import study_names

MINUTES = 5  # what a small run may take on two cores


def measure() -> dict[str, Any]:
    """Run every study small, each into a fresh folder."""
    return {
        "allowed_seconds": 60 * MINUTES,
        "studies": {name: _run(name) for name in study_names()},
    }


def _run(name: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        cpu, began = _cpu_seconds(), perf_counter()
        words = ["-m", "shoal", "study", name, "-o", f"{folder}/out", "--json"]
        made = subprocess.run([sys.executable, *words], check=True, stdout=subprocess.PIPE)
        found = {
            "seconds": round(perf_counter() - began, 1),
            "cpu_seconds": round(_cpu_seconds() - cpu, 1),
            "items": json.loads(made.stdout)["items"],
        }
    print(f"  {name}: {found}", flush=True)
    return found


def _cpu_seconds() -> float:
    """Of the study and its workers; what Spark starts for itself (Java) is not in it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
