"""How long a study of Adult takes as somebody types it, and how much memory it needs."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from measuring import timed
from shoal.datasets import Dataset, adult
from shoal.table import Table, read_table
from shoal.tuning import Effort, EffortRunner, Judge, PrivacyMeasure, Target, part

TRIALS = 100
K = 50
REPEAT = 3
LOOK = 0.2  # seconds between two looks at the memory


def measure() -> dict[str, Any]:
    """Time one effort on all rows, then a whole study with the default search."""
    return {
        "rows": adult().frame.height,
        "cores": os.cpu_count(),
        "effort": _one_effort(),
        "study": _study(),
    }


def _one_effort() -> dict[str, Any]:
    """Anonymize all train rows of UCI, learn one forest, test it on UCI's test rows."""
    runner = _laboratory()
    runs = {
        method: [timed(lambda m=method: runner.run(Effort(K, method=m))) for _ in range(REPEAT)]
        for method in ("auto", "best-first")
    }
    told = {
        method: {
            "wall_seconds": sorted(run.wall_seconds for run in tries)[REPEAT // 2],
            "cpu_seconds": sorted(run.cpu_seconds for run in tries)[REPEAT // 2],
            "q_f": tries[0].value.q_f,
        }
        for method, tries in runs.items()
    }
    print(f"  one effort: {told}", flush=True)
    return {
        "k": K,
        "learned_from": runner.parts.train.n_rows,
        "tested_on": runner.parts.validation.n_rows,
        "model": "random_forest",
        **told,
    }


def _laboratory() -> EffortRunner:
    train, test = (_table(adult(part=name)) for name in ("train", "test"))
    target = Target.of(train, "f1_macro")
    parts = part(train, classes=target.strata(train))
    trees = adult().hierarchies
    return EffortRunner(
        parts=replace(parts, train=train, validation=test),
        judge=Judge(target, ("random_forest",), n_jobs=os.cpu_count() or 1),
        privacy=PrivacyMeasure(),
        hierarchies={n: trees[n] for n in train.roles.quasi_identifiers if n in trees},
        features=train.roles.quasi_identifiers,
    )


def _table(data: Dataset) -> Table:
    return read_table(data.frame, roles=data.roles, kinds=data.kinds)


def _study() -> dict[str, Any]:
    """Type ``shoal tune`` with 100 trials, and watch all its processes."""
    with tempfile.TemporaryDirectory() as folder:
        command = _command(adult(), Path(folder))
        began, spent = perf_counter(), _cpu_of_children()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        watched = Watch(process.pid)
        watched.start()
        told = json.loads(process.communicate()[0])
        seconds, spent = perf_counter() - began, _cpu_of_children() - spent
        watched.join()
    print(f"  {seconds:.0f} s, {spent:.0f} CPU s, {watched.peak / 1e9:.2f} GB", flush=True)
    return {
        "trials": told["trials"],
        "failures": len(told["failures"]),
        "wall_seconds": seconds,
        "cpu_seconds": spent,
        "peak_memory_gb": watched.peak / 1e9,
        "processes": watched.most,
        "front": len(told["front"]),
        "test_score": told["test_score"],
        "test_score_unanonymized": told["test_score_unanonymized"],
        "test_score_constant": told["test_score_constant"],
        "k": told["k"],
    }


def _command(data: Dataset, folder: Path) -> list[str]:
    source = data.write(folder / "source")
    return [
        *(sys.executable, "-m", "shoal", "tune", str(source / "data.csv")),
        *("--target", "income", "--quasi", ",".join(data.roles.quasi_identifiers)),
        *("--hierarchies", str(source / "hierarchies"), "--trials", str(TRIALS)),
        *("--storage", str(folder / "study.db"), "-o", str(folder / "out"), "--json"),
    ]


def _cpu_of_children() -> float:
    """Seconds of all cores that processes have used which we started and which are over."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Watch(threading.Thread):
    """Looks at the memory of a process and of all it started, until it is over.

    Memory that several of them share is counted once (PSS).
    """

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.peak = 0
        self.most = 0

    def run(self) -> None:
        """Keep the largest sum."""
        while members := [held for held in map(_memory, _family(self.pid)) if held]:
            self.peak = max(self.peak, sum(members))
            self.most = max(self.most, len(members))
            sleep(LOOK)


def _family(pid: int) -> Iterator[int]:
    """A process and all its descendants."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            yield from _family(int(child))


def _memory(pid: int) -> int:
    """Bytes that a process holds; nothing once it is over."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
