"""Adult: loss and time of every method, side by side in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from measuring import Timed, timed
from peers import ARX, group_with_anonypy
from plain_growth import plain_growth
from plain_scan import group_by_scanning
from shoal.anonymizer import Anonymizer
from shoal.datasets import Dataset, adult
from shoal.grouping import Auto, Grouper, Mondrian, Problem, SaNGreeA, bound_loss
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.table import Grouping, Table
from shoal.utility import measure_loss

KS = (10, 5, 50)
PATIENCE = 60  # CPU seconds: a peer that takes longer at the first k is not asked for the others
METHODS: dict[str, Callable[[], Grouper]] = {
    "content": lambda: SaNGreeA(order="content", refine=False),
    "common": lambda: SaNGreeA(order="common", refine=False),
    "best-first": lambda: SaNGreeA(order="best-first", refine=False),
    "default": Auto,
    "mondrian": Mondrian,
}


def measure() -> dict[str, Any]:
    """Measure all methods for each k; losses are all computed by one evaluator."""
    data = adult()
    table = data.table()
    _warm_up(data)
    records = sorted(_records(data, table), key=lambda r: (r["k"], r["method"]))
    bounds = {str(k): _bound(data, table, k) for k in sorted(KS)}
    return {
        "table": "UCI Adult, complete training rows, ladders of ARX",
        "rows": table.n_rows,
        "quasi_identifiers": list(data.roles.quasi_identifiers),
        "records": records,
        "bounds": bounds,
        "default_end_to_end": {str(k): _end_to_end(data, table, k) for k in sorted(KS)},
        "plain_scan_over_common": {str(k): _ratio(records, k) for k in sorted(KS)},
        "quoted": {"arx": ARX},
    }


def _records(data: Dataset, table: Table) -> Iterator[dict[str, Any]]:
    patient = True
    for k in KS:
        for name, group in _competitors(data, table, k).items():
            if name != "anonypy" or patient:
                record = _record(data, table, k, name, timed(group, repeat=3))
                patient = patient and record["cpu_seconds"] <= PATIENCE
                yield record


def _competitors(data: Dataset, table: Table, k: int) -> dict[str, Callable[[], Grouping]]:
    """Every way to group the table, ready to be timed; each starts from a problem of its own."""

    def fit(make: Callable[[], Grouper]) -> Grouping:
        return make().fit(_problem(data, table, k)).grouping_

    def fit_plainly() -> Grouping:
        with plain_growth():
            return fit(METHODS["best-first"])

    return {
        **{name: partial(fit, make) for name, make in METHODS.items()},
        "best-first, plain growth": fit_plainly,
        "plain scan, content": lambda: group_by_scanning(_problem(data, table, k), "content"),
        "plain scan, common": lambda: group_by_scanning(_problem(data, table, k), "common"),
        "anonypy": lambda: group_with_anonypy(data, k),
    }


def _record(data: Dataset, table: Table, k: int, method: str, run: Timed) -> dict[str, Any]:
    grouping: Grouping = run.value
    loss = measure_loss(_problem(data, table, k).spaces, grouping)
    print(f"  k={k} {method}: NGIL {loss.ngil:.4f}, {run.cpu_seconds:.2f} CPU s", flush=True)
    return {
        "k": k,
        "method": method,
        "ngil": loss.ngil,
        "cpu_seconds": run.cpu_seconds,
        "wall_seconds": run.wall_seconds,
        "groups": grouping.n_groups,
        "smallest_group": grouping.smallest,
        "suppressed": grouping.n_suppressed,
    }


def _bound(data: Dataset, table: Table, k: int) -> dict[str, float]:
    run = timed(lambda: bound_loss(_problem(data, table, k)).proven)
    return {"ngil_bound": run.value, "cpu_seconds": run.cpu_seconds}


def _end_to_end(data: Dataset, table: Table, k: int) -> dict[str, float]:
    """All that `Anonymizer.fit` does by default: group, recode, judge, bound and sum up."""
    anonymizer = Anonymizer(recoding=Generalize(data.hierarchies), privacy=KAnonymity(k))
    run = timed(lambda: anonymizer.fit(table))
    return {"cpu_seconds": run.cpu_seconds, "wall_seconds": run.wall_seconds}


def _ratio(records: list[dict[str, Any]], k: int) -> float:
    seconds = {r["method"]: r["cpu_seconds"] for r in records if r["k"] == k}
    return float(seconds["plain scan, common"] / seconds["common"])


def _problem(data: Dataset, table: Table, k: int) -> Problem:
    """A fresh problem, so that nothing is remembered from the run before."""
    return Problem(table, Generalize(data.hierarchies).spaces(table), (KAnonymity(k),))


def _warm_up(data: Dataset) -> None:
    """Load all kernels once; nobody waits for a compiler twice."""
    few = Dataset(data.name, data.frame.head(600), data.roles, data.kinds, data.hierarchies)
    table = few.table()
    for group in _competitors(few, table, 3).values():
        group()
    bound_loss(_problem(few, table, 3))
