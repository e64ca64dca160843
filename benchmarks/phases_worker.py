"""One release by the command line in this process, with a second clock that counts CPU time.

``python benchmarks/phases_worker.py FOLDER quick`` releases the table in FOLDER and prints one JSON
object; options of ``shoal anonymize`` may follow.
"""

from __future__ import annotations

import contextlib
import io
import json
import resource
import sys
import threading
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any

import numpy as np

from growth_worker import MEGABYTE, K
from shoal.datasets import people

EVERY = 0.02  # seconds between two looks at both clocks


class Clocks(threading.Thread):
    """Looks at the wall clock, that of all threads, and the memory held, again and again."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seen = [_look()]

    def run(self) -> None:
        """Look until the process ends."""
        while True:
            sleep(EVERY)
            self.seen.append(_look())

    def between(self, begin: float, end: float) -> dict[str, float]:
        """What was spent between two moments, and the most memory held."""
        wall, cpu, held = np.array([*self.seen, _look()]).T
        first, last = np.interp([begin, end], wall, cpu)
        inside = held[np.searchsorted(wall, begin) : np.searchsorted(wall, end) + 1]
        return {"wall": end - begin, "cpu": float(last - first), "memory_mb": float(inside.max())}


def _look() -> tuple[float, float, float]:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return perf_counter(), process_time(), pages * resource.getpagesize() / 2**20


def measure(folder: Path, effort: str, *more: str) -> dict[str, Any]:
    """Release the table, and tell what each phase took by both clocks."""
    from shoal.cli import main

    clocks = Clocks()
    clocks.start()
    began, told = perf_counter(), io.StringIO()
    sys.argv = ["shoal", *_arguments(folder, effort), *more]
    with contextlib.redirect_stdout(told), contextlib.suppress(SystemExit):
        main()
    facts = json.loads(told.getvalue())
    ended, seconds = perf_counter(), dict(facts["seconds"])
    total = seconds.pop("total")
    ends = (ended - total + np.cumsum([*seconds.values()])).tolist()  # printing takes no time
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "rows": facts["rows_in"],
        "effort": effort,
        "why": facts["why"],
        "ngil": facts["ngil"],
        "wall_seconds": ended - began,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_memory_mb": usage.ru_maxrss / MEGABYTE,
        "file_mb": (folder / "data.csv").stat().st_size / 1e6,
        "phases": {
            name: clocks.between(end - spent, end)
            for (name, spent), end in zip(seconds.items(), ends, strict=True)
        },
    }


def _arguments(folder: Path, effort: str) -> list[str]:
    roles = people(1).roles
    quote = ",".join
    return [
        *("anonymize", str(folder / "data.csv"), "-k", str(K), "--json", "--effort", effort),
        *("--quasi", quote(roles.quasi_identifiers), "--identifier", quote(roles.identifiers)),
        *("--sensitive", quote(roles.sensitive), "--kind", "zip=code"),
        *("-o", str(folder / effort), "--force"),
    ]


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), *sys.argv[2:])))
