"""What effort buys on Adult: loss and time of one pass, refined, and searched on for minutes."""

from __future__ import annotations

from typing import Any

from measuring import timed
from shoal.datasets import adult
from shoal.grouping import EFFORTS, Auto, Problem, SaNGreeA
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.utility import measure_loss

KS = (5, 10, 50)


def measure() -> dict[str, Any]:
    """Measure every effort at each k; compiled beforehand."""
    data = adult()
    table = data.table()
    spaces = Generalize(data.hierarchies).spaces(table)
    SaNGreeA(steps=10).fit(Problem(table, spaces, (KAnonymity(5),)))
    return {"records": [_record(table, spaces, k, effort) for k in KS for effort in EFFORTS]}


def _record(table: Any, spaces: Any, k: int, effort: str) -> dict[str, Any]:
    problem = Problem(table, spaces, (KAnonymity(k),))
    grouper = Auto(effort=effort)
    run = timed(lambda: grouper.fit(problem).grouping_)
    record = {
        "k": k,
        "effort": effort,
        "steps": grouper.steps_,
        "ngil": measure_loss(spaces, run.value).ngil,
        "cpu_seconds": run.cpu_seconds,
        "seconds": run.wall_seconds,
    }
    print(record, flush=True)
    return record
