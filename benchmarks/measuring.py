"""Clocks, and the facts about a machine that a number means nothing without."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import distributions, version
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple, TypeVar

PACKAGES = (
    *("shoal", "numpy", "numba", "polars", "duckdb", "pyarrow", "scikit-learn"),
    *("anonypy", "pandas", "matplotlib", "fastapi", "optuna", "pyspark"),
)
T = TypeVar("T")


class Timed(NamedTuple):
    """What a call returned, and what it took."""

    value: Any
    cpu_seconds: float  # of all threads: what the work costs, however busy the machine is
    wall_seconds: float


def timed(call: Callable[[], T], repeat: int = 1) -> Timed:
    """Run a call and keep the fastest of a few runs; slow calls (over 2 s) are not repeated."""
    best: Timed | None = None
    for _ in range(repeat):
        cpu, wall = process_time(), perf_counter()
        value = call()
        run = Timed(value, process_time() - cpu, perf_counter() - wall)
        best = run if best is None or run.cpu_seconds < best.cpu_seconds else best
        if run.cpu_seconds > 2:
            break
    assert best is not None
    return best


def heading(name: str) -> dict[str, Any]:
    """When and on what a benchmark ran."""
    return {
        "benchmark": name,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {
            "cores": os.cpu_count(),
            "cpu": _cpu_model(),
            "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
            "system": platform.system(),
            "load_average_at_start": round(os.getloadavg()[0], 1),
            **({"raised_priority": True} if _raised() else {}),
        },
        "versions": {"python": platform.python_version(), **_versions()},
    }


def _cpu_model() -> str:
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text().splitlines() if facts.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor()


def _versions() -> dict[str, str]:
    """Versions of what is installed: not every benchmark needs everything."""
    installed = {d.metadata["Name"].lower() for d in distributions()}
    return {package: version(package) for package in PACKAGES if package in installed}


def _raised() -> bool:
    """Tell whether the scheduler puts this session before others."""
    path = Path("/proc/self/autogroup")
    return path.is_file() and " nice -" in path.read_text()
