"""The proven bound: the cheapest box that holds k rows, by trying every box."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest

from shoal.grouping import Mondrian, Problem, SaNGreeA, lower_bound
from shoal.privacy import KAnonymity
from shoal.spaces import build_spaces
from shoal.table import Roles, read_table
from shoal.utility import measure_loss


def random_problem(rng, k):
    n = int(rng.integers(max(k, 4), 12))
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 26, n),
            "zip": rng.choice(["8010", "8020", "8045", "1190", "1010"], n),
            "job": [("a", "b", None)[i] for i in rng.integers(0, 3, n)],
        }
    )
    roles = Roles(quasi_identifiers=frame.columns[: int(rng.integers(1, 4))])
    kinds = {"age": "numeric", "zip": "code", "job": "nominal"}
    table = read_table(frame, roles=roles, kinds=kinds)
    return Problem(table, build_spaces(table), (KAnonymity(k),))


def cheapest_box(problem, row):
    """Least loss of all boxes of codes around a row that hold k rows."""
    spaces, codes = problem.spaces, problem.spaces.codes
    spans = [
        [(a, b) for a in range(c + 1) for b in range(c, space.n_codes)]
        for space, c in zip(spaces.spaces, codes[row], strict=True)
    ]
    best = np.inf
    for box in product(*spans):
        lo, hi = np.array(box).T
        if ((codes >= lo) & (codes <= hi)).all(axis=1).sum() >= problem.k:
            best = min(best, spaces.loss_by_attribute(lo[None], hi[None]).sum())
    return best


@pytest.mark.parametrize("seed", range(40))
def test_the_bound_is_the_cheapest_box_of_every_row(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, int(rng.integers(2, 5)))
    rows = problem.table.n_rows
    exact = sum(cheapest_box(problem, row) for row in range(rows)) / rows
    bound = lower_bound(problem)
    assert bound == pytest.approx(exact / len(problem.spaces.spaces), abs=1e-6)
    for grouper in (SaNGreeA(), Mondrian()):
        grouping = grouper.fit(problem).grouping_
        assert bound <= measure_loss(problem.spaces, grouping).ngil + 1e-12
