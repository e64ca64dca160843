"""Rows left over found groups with rows that larger groups can spare."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.grouping import Problem, SaNGreeA
from shoal.privacy import KAnonymity
from shoal.spaces import build_spaces
from shoal.table import Roles, read_table
from shoal.utility import measure_loss


def solve(values, k, **parameters):
    frame = pl.DataFrame({"a": values})
    table = read_table(frame, roles=Roles(quasi_identifiers="a"), kinds={"a": "nominal"})
    spaces = build_spaces(table)
    grouper = SaNGreeA(**parameters).fit(Problem(table, spaces, (KAnonymity(k),)))
    return measure_loss(spaces, grouper.grouping_), grouper.grouping_


@pytest.mark.parametrize("refine", [False, True])
@pytest.mark.parametrize("k", [2, 4, 10])
def test_one_rare_row_takes_only_k_with_it(k, refine):
    loss, grouping = solve(["x"] * 100 + ["y"], k, refine=refine)
    assert loss.ngil == pytest.approx(k / 101)
    assert grouping.smallest >= k


def test_several_rare_rows_share_one_crowd():
    loss, grouping = solve(["x"] * 50 + ["y", "z", "w"], 5)
    assert grouping.smallest >= 5
    assert loss.ngil == pytest.approx(5 / 53)


def test_nobody_is_recruited_from_a_group_that_can_spare_none():
    loss, grouping = solve(["x"] * 4 + ["y"], 4)
    assert grouping.n_groups == 1
    assert loss.ngil == 1.0


def test_rows_are_neither_lost_nor_doubled():
    rng = np.random.default_rng(3)
    for _ in range(60):
        weights = rng.dirichlet(np.full(6, 0.3))
        values = rng.choice(list("abcdef"), size=int(rng.integers(12, 60)), p=weights).tolist()
        k = int(rng.integers(2, 6))
        _, grouping = solve(values, k, refine=bool(rng.integers(2)))
        assert grouping.sizes.sum() == len(values)
        assert grouping.smallest >= k
