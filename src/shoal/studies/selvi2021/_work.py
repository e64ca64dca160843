"""What is run: releases by fragments on Spark, beside one machine; and feature selection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from functools import cache
from multiprocessing import parent_process
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np
import polars as pl

from shoal.datasets import Dataset
from shoal.grouping import Problem, SaNGreeA
from shoal.plan import Plan
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.selection import select
from shoal.spaces import build_spaces
from shoal.studies._census._people import (
    as_table,
    drawn_rows,
    first_rows,
    people,
    quasi_identifiers,
)
from shoal.studies._census._scoring import PublishedTable, score_properly
from shoal.table import Roles, Table
from shoal.utility import measure_loss

LOCAL = "one machine"
REPEATS = 5  # of each measurement of time
FIGURE_ROWS = 3_000  # what malle2017 published: the figures there can be laid beside those here
SETTINGS = {  # a small table on one machine: few partitions, a Java that starts fast
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
}


def run_release(
    target: str,
    rows: int,
    k: int,
    routing: str,
    fragments: int,
    weights: Mapping[str, float],
    way: str,
    expert: int,
    draw: int,
) -> Mapping[str, Any]:
    """Anonymize by fragments (or whole), recount the crowds and score the release properly."""
    began, frame = process_time(), drawn_rows(rows, draw)
    if routing == LOCAL:
        published, ngil = _on_one_machine(frame, target, k, weights)
    else:
        published, ngil = _on_spark(frame, target, k, routing, fragments, weights)
    seconds = process_time() - began
    release = PublishedTable(published, target)
    return {
        "ngil": ngil,
        "smallest_group": int(np.bincount(release.look).min()),
        "driver_seconds": seconds,
        "proper": score_properly(release),
    }


def run_selection(target: str, rows: int) -> Mapping[str, Any]:
    """Select columns by FCBF and say what models lose without the others."""
    frame = first_rows(rows)
    found = select(as_table(frame, target), target, columns=quasi_identifiers(target))
    blank = {name: pl.lit("*") for name in quasi_identifiers(target) if name not in found.selected}
    fewer = frame.with_columns(**blank)
    return {
        "ranking": dict(found.ranking),
        "selected": list(found.selected),
        "redundant": dict(found.redundant),
        "all_columns": score_properly(PublishedTable(frame, target))["f1"],
        "selected_columns": score_properly(PublishedTable(fewer, target))["f1"],
    }


def run_time(rows: int, columns: str, k: int) -> Mapping[str, Any]:
    """CPU seconds of grouping with all quasi-identifiers, or with those that FCBF selects."""
    table = as_table(first_rows(rows), "income")
    if columns == "selected":
        chosen = select(table, "income", columns=quasi_identifiers("income")).selected
        table = table.with_roles(Roles(quasi_identifiers=chosen, target="income"))
    trees = people().hierarchies
    _group(table, 2, trees)  # compiled before the clock starts
    seconds, ngil = [], 0.0
    for _ in range(REPEATS):
        began = process_time()
        ngil = _group(table, k, trees)
        seconds.append(process_time() - began)
    return {
        "cpu_seconds": float(np.mean(seconds)),
        "each": [round(s, 5) for s in seconds],
        "ngil": ngil,
        "columns_used": len(table.roles.quasi_identifiers),
    }


def _group(table: Table, k: int, trees: Mapping[str, Any]) -> float:
    spaces = build_spaces(table, hierarchies=trees)
    problem = Problem(table, spaces, (KAnonymity(k),))
    grouping = SaNGreeA(order="common", refine=False).fit(problem).grouping_
    return measure_loss(spaces, grouping).ngil


def run_missing(rows: int, k: int) -> Mapping[str, Any]:
    """Release the first rows as they are, missing cells and all, as the paper has them."""
    from shoal.datasets import adult

    names = quasi_identifiers("income")
    frame = adult(complete=False, hierarchies="malle").frame.head(rows).select(*names, "income")
    published, ngil = _on_one_machine(frame, "income", k, {})
    look = PublishedTable(published, "income").look
    return {
        "ngil": ngil,
        "ngil_complete": _on_one_machine(first_rows(rows), "income", k, {})[1],
        "rows_with_missing": frame.height - frame.drop_nulls().height,
        "smallest_group": int(np.bincount(look).min()),
    }


def _on_one_machine(
    frame: pl.DataFrame, target: str, k: int, weights: Mapping[str, float]
) -> tuple[pl.DataFrame, float]:
    table = as_table(frame, target)
    recoder = Generalize(people().hierarchies)
    spaces = recoder.spaces(table, dict(weights))
    problem = Problem(table, spaces, (KAnonymity(k),))
    grouping = SaNGreeA(weights).fit(problem).grouping_
    published = recoder.recode(table, grouping, spaces).aligned_frame(table)
    return published, measure_loss(spaces, grouping).ngil


def _on_spark(
    frame: pl.DataFrame,
    target: str,
    k: int,
    routing: str,
    fragments: int,
    weights: Mapping[str, float],
) -> tuple[pl.DataFrame, float]:
    from shoal.spark import anonymize, read_source

    with TemporaryDirectory() as folder, _spark() as spark:
        plan = _plan(Path(folder), frame, target, k, weights)
        source = read_source(spark, str(plan.source))
        most = -(-frame.height // fragments)
        with anonymize(source, plan, routing=routing, rows_per_fragment=most) as release:
            published = pl.from_pandas(release.data.toPandas())
            return published, release.ngil


def _plan(
    folder: Path, frame: pl.DataFrame, target: str, k: int, weights: Mapping[str, float]
) -> Plan:
    roles = Roles(quasi_identifiers=quasi_identifiers(target), target=target)
    data: Dataset = replace(people(), frame=frame, roles=roles)
    data.write(folder)
    names = quasi_identifiers(target)
    return Plan(
        source=str(folder / "data.csv"),
        roles=roles,
        kinds={name: data.kinds[name] for name in (*names, target)},
        hierarchy_folder=str(folder / "hierarchies"),
        weights=dict(weights),
        k=k,
        method="sangreea",
    )


def _spark() -> AbstractContextManager[Any]:
    """A session for one item; where many are done one for all, since starting it is what costs."""
    from shoal.spark import spark_session

    if parent_process() is not None:  # a worker
        return nullcontext(_workers_session())
    return nullcontext(_shared()) if _OPEN else spark_session(settings=SETTINGS)


_OPEN: list[ExitStack] = []  # while items are done in this process: what closes afterwards


@contextmanager
def lasting_session() -> Iterator[None]:
    """Let items share the session that the first of them starts; it stops at the end."""
    with ExitStack() as stack:
        _OPEN.append(stack)
        try:
            yield
        finally:
            _OPEN.pop()
            _shared.cache_clear()


@cache
def _shared() -> Any:
    from shoal.spark import spark_session

    return _OPEN[-1].enter_context(spark_session(settings=SETTINGS))


@cache
def _workers_session() -> Any:
    from shoal.spark import spark_session

    with ExitStack() as stack:
        session = stack.enter_context(spark_session("local[1]", SETTINGS))
        Finalize(None, stack.pop_all().close, exitpriority=1)
    return session
