"""Parts: large tables grouped side by side, against the same tables in one piece.

Each way runs in a process of its own, refined and not. The loss of both ways is told beside their
time. With one core there is one thread, so that no two of them change places. One core and two take
turns, several times, and the fastest run of each counts: whatever else the machine does only slows
a run down. The times of all are kept.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from typing import Any

from measuring import timed
from shoal import _progress
from shoal.datasets import census_income, people
from shoal.grouping import Problem, SaNGreeA, _parts
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.utility import measure_loss

TABLES = ("people", "people with hierarchies", "census_income")
KS = (5, 10, 50, 100, 200)
REFINED = ("people", "census_income")  # at k = 10: the default, which takes minutes
ROWS = 100_000
TURNS = 2  # of one core and two


def measure() -> dict[str, Any]:
    """Measure every table, k and way."""
    runs = [(table, k, False) for table in TABLES for k in KS]
    runs += [(table, 10, True) for table in REFINED]
    return {"records": [_both(*run) for run in sorted(runs, key=_place)]}


def _place(run: tuple[str, int, bool]) -> tuple[int, bool, int]:
    table, k, refine = run
    return TABLES.index(table), refine, k


def _both(table: str, k: int, refine: bool) -> dict[str, Any]:
    """Measure one table in one piece once, and in parts in turns."""
    run = (table, k, refine)
    whole = _in_a_process(*run, "whole", 1)
    ones, twos = [], []
    for _ in range(TURNS):
        ones.append(_in_a_process(*run, "parts", 1))
        twos.append(_in_a_process(*run, "parts", 2))
    one, two = (min(runs, key=lambda run: run["wall_seconds"]) for runs in (ones, twos))
    record = {
        "table": table,
        "k": k,
        "refine": refine,
        "whole_1": whole,
        "parts_1": one | {"all_wall_seconds": [run["wall_seconds"] for run in ones]},
        "parts_2": two | {"all_wall_seconds": [run["wall_seconds"] for run in twos]},
        "loss_ratio": two["ngil"] / whole["ngil"],
        "cpu_ratio": one["cpu_seconds"] / whole["cpu_seconds"],
        "two_cores": one["wall_seconds"] / two["wall_seconds"],
        "same_groups": len({run["labels"] for run in (*ones, *twos)}) == 1,
    }
    print(record, flush=True)
    return record


def _in_a_process(table: str, k: int, refine: bool, way: str, cores: int) -> dict[str, Any]:
    words = [sys.executable, __file__, table, str(k), str(int(refine)), way, str(cores)]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _alone(table: str, k: int, refine: bool, way: str, cores: int) -> dict[str, Any]:
    """Group one table one way on so many cores; compiled beforehand."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    _progress.cpu_count = lambda: cores
    small = people(2_000)
    for parted in (10**9, 1_000):
        _parts.PARTED_ROWS = parted
        SaNGreeA().fit(_problem(small, False, 10))
    _parts.PARTED_ROWS = 10**9 if way == "whole" else 1
    data = census_income() if table == "census_income" else people(ROWS)
    problem = _problem(data, table != "people", k)
    run = timed(lambda: SaNGreeA(refine=refine).fit(problem))
    return {
        "rows": problem.table.n_rows,
        "method": run.value.method_,
        "groups": run.value.grouping_.n_groups,
        "labels": sha256(run.value.grouping_.labels.tobytes()).hexdigest(),
        "ngil": measure_loss(problem.spaces, run.value.grouping_).ngil,
        "cpu_seconds": run.cpu_seconds,
        "wall_seconds": run.wall_seconds,
    }


def _problem(data: Any, trees: bool, k: int) -> Problem:
    table = data.table()
    spaces = Generalize(data.hierarchies if trees else {}).spaces(table)
    problem = Problem(table, spaces, (KAnonymity(k),))
    problem.cells  # noqa: B018 - the same work for every way
    return problem


if __name__ == "__main__":
    table, k, refine, way, cores = sys.argv[1:]
    print(json.dumps(_alone(table, int(k), bool(int(refine)), way, int(cores))))
