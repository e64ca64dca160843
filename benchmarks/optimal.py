"""How close to optimal: the loss of the default over what any grouping must lose.

Adult, on which the proof was made, and tables that it was not made on; then random tables of a few
rows, each solved exactly, of which no bound may be above the optimum.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from exact import least_loss
from measuring import timed
from shoal.datasets import Dataset, adult, census_income, medical_cost, people
from shoal.grouping import Auto, Problem, SaNGreeA, bound_loss
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.spaces import build_spaces
from shoal.table import Roles, Table, read_table
from shoal.utility import measure_loss

SOME_ROWS = 31_000
CASES: tuple[tuple[str, Any, tuple[int, ...], int | None], ...] = (
    ("Adult", adult, (5, 10, 50), None),
    ("Medical cost", medical_cost, (5, 10), None),
    ("Made-up patients", lambda: people(20_000), (5, 10), None),
    ("Census-Income, some rows", lambda: census_income("test"), (10,), SOME_ROWS),
    ("Census-Income", census_income, (10,), None),
)
RANDOM_TABLES = 1_000


def measure() -> dict[str, Any]:
    """Measure loss, quick bound and proven bound, with the time of each."""
    records = []
    for name, make, ks, rows in CASES:
        data = make()
        table = data.table()
        table = table.take(np.arange(rows or table.n_rows))
        for k in ks:
            records.append({"table": name, **_record(data, table, k)})
            print(records[-1], flush=True)
    return {"records": records, "random_tables": _random_tables()}


def _record(data: Dataset, table: Table, k: int) -> dict[str, Any]:
    spaces = Generalize(data.hierarchies).spaces(table)
    problem = Problem(table, spaces, (KAnonymity(k),))
    _warm_up(problem)
    grouped = timed(lambda: Auto().fit(problem).grouping_)
    quick = timed(lambda: bound_loss(problem).proven)
    proven = timed(lambda: bound_loss(problem, near=grouped.value).proven)
    ngil = measure_loss(spaces, grouped.value).ngil
    return {
        "rows": table.n_rows,
        "quasi_identifiers": len(spaces.spaces),
        "k": k,
        "ngil": ngil,
        "quick_bound": quick.value,
        "bound": proven.value,
        "times_quick_bound": ngil / quick.value,
        "times_bound": ngil / proven.value,
        "grouping_cpu_seconds": grouped.cpu_seconds,
        "quick_cpu_seconds": quick.cpu_seconds,
        "proof_cpu_seconds": proven.cpu_seconds,
        "grouping_wall_seconds": grouped.wall_seconds,
        "proof_wall_seconds": proven.wall_seconds,
    }


def _warm_up(problem: Problem) -> None:
    some = problem.table.take(np.arange(min(60, problem.table.n_rows)))
    few = Problem(some, build_spaces(some), (KAnonymity(3),))
    bound_loss(few, near=Auto().fit(few).grouping_)


def _random_tables() -> dict[str, Any]:
    """Bounds of small random tables over their optimum, found by trying every set of rows."""
    shares, above = [], 0
    for seed in range(RANDOM_TABLES):
        rng = np.random.default_rng(seed)
        k = int(rng.integers(2, 5))
        problem = _random_problem(rng, int(rng.integers(k, 13)), k)
        bound = bound_loss(problem, near=SaNGreeA().fit(problem).grouping_).proven
        least = least_loss(problem)
        above += bound > least + 1e-9
        shares.append(bound / least if least > 0 else 1.0)
    return {
        "tables": RANDOM_TABLES,
        "most_rows": 12,
        "bounds_above_the_optimum": int(above),
        "mean_share_of_the_optimum": float(np.mean(shares)),
        "least_share_of_the_optimum": float(np.min(shares)),
    }


def _random_problem(rng: np.random.Generator, n: int, k: int) -> Problem:
    import polars as pl

    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 20 + int(rng.integers(2, 9)), n),
            "zip": rng.choice(["8010", "8020", "8045", "1190", "1010"], n),
            "job": [("a", "b", None)[i] for i in rng.integers(0, 3, n)],
        }
    )
    roles = Roles(quasi_identifiers=frame.columns[: int(rng.integers(1, 4))])
    table = read_table(frame, roles=roles, kinds={"zip": "code", "job": "nominal"})
    return Problem(table, build_spaces(table), (KAnonymity(k),))
