"""Cliffs: what a tenth more rows costs, around every size at which the way of working changes.

CPU seconds of a whole run in memory (grouping, refinement, bound, recount, what singles out), so
that a busy machine does not blur them. The switch from the cheapest crowd first to common rows at
millions of rows is tried as it is in its first and its last tenth, and in full with its limits a
fiftieth of their size: a row costs the same at either.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from time import process_time
from typing import Any
from unittest import mock

import shoal.grouping._auto as auto
from shoal import Anonymizer
from shoal.datasets import people
from shoal.grouping import Auto, Problem
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize

K = 10
STEP = 1.1
#: Sizes at which something changes: ways to search sets, samples of twins, parts, refinement.
LIMITS = (400, 2_000, 8_000, 20_000, 100_000, 200_000)
SHRUNK = 50
LARGEST = ((2_000_000, 2_200_000), (3_640_000, 4_000_000))


def measure() -> dict[str, Any]:
    """Measure the steps at each limit, the small switch step by step, and the last large step."""
    _run(1_000)  # compiles what is not compiled yet
    half = STEP**0.5  # so that one tenth more rows crosses the limit
    steps = [_step(limit, _run(round(limit / half)), _run(round(limit * half))) for limit in LIMITS]
    switch = list(_switch())
    before = list(_switch(evenly=True))
    large = [[_group(n) for n in tenth] for tenth in LARGEST]
    return {
        "k": K,
        "limits": steps,
        "switch": switch,
        "switch_worst": _worst(switch),
        "switch_before": _worst(before),
        "large": large,
        "large_worst": max(_worst(tenth) for tenth in large),
    }


def _step(limit: int, below: dict[str, Any], beyond: dict[str, Any]) -> dict[str, Any]:
    """Say by what a tenth more rows, across a limit, multiplies the time."""
    ratio = beyond["cpu_seconds"] / below["cpu_seconds"]
    print(f"  {limit:,}: {below['cpu_seconds']:.2f} to {beyond['cpu_seconds']:.2f} s", flush=True)
    return {"limit": limit, "below": below, "beyond": beyond, "ratio_of_a_tenth": ratio}


def _run(n: int) -> dict[str, Any]:
    data = people(n)
    table = data.table()
    anonymizer = Anonymizer(recoding=Generalize(data.hierarchies), privacy=KAnonymity(K))
    began = process_time()
    anonymizer.fit(table)
    return {"rows": n, "cpu_seconds": process_time() - began}


def _group(n: int) -> dict[str, Any]:
    data = people(n)
    table = data.table()
    problem = Problem(table, Generalize(data.hierarchies).spaces(table), (KAnonymity(K),))
    grouper = Auto(refine=False)
    began = process_time()
    grouper.fit(problem)
    seconds = process_time() - began
    print(f"  {n:,} rows: {seconds:.1f} s ({grouper.method_})", flush=True)
    return {"rows": n, "cpu_seconds": seconds, "method": grouper.method_}


def _worst(runs: list[dict[str, Any]]) -> float:
    ratios = [b["cpu_seconds"] / a["cpu_seconds"] for a, b in pairwise(runs)]
    return max(max(ratio, 1 / ratio) for ratio in ratios)


def _switch(*, evenly: bool = False) -> Iterator[dict[str, Any]]:
    """Try every tenth of the switch; ``evenly`` as it would be if the share fell evenly."""
    with _shrunk(evenly=evenly):
        n = auto.BEST_FIRST_UP_TO / STEP
        while n < auto.NO_MORE_FROM * STEP:
            yield _group(round(n))
            n *= STEP


@contextmanager
def _shrunk(*, evenly: bool) -> Iterator[None]:
    few, many = auto.BEST_FIRST_UP_TO // SHRUNK, auto.NO_MORE_FROM // SHRUNK
    with (
        mock.patch.object(auto, "BEST_FIRST_UP_TO", few),
        mock.patch.object(auto, "NO_MORE_FROM", many),
        mock.patch.object(auto, "_rated", _evenly if evenly else auto._rated),
    ):
        yield


def _evenly(n_rows: int) -> float:
    return (auto.NO_MORE_FROM - n_rows) / (auto.NO_MORE_FROM - auto.BEST_FIRST_UP_TO)
