"""What groupers are told: cells, copies, constraints, and how copies become rows again."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from shapes import SEEDS, SHAPES, quick, table_of

from shoal.exceptions import ImpossibleError, InvalidParameterError
from shoal.grouping import Grouper, Problem, SaNGreeA, group_boxes
from shoal.grouping._base import MOST_CODES, collapse, unique_rows
from shoal.privacy import AlphaK, DistinctLDiversity, EntropyLDiversity, KAnonymity
from shoal.recoding import Generalize
from shoal.table import Grouping, Roles, read_table


def draw_codes(rng):
    n, d = int(rng.integers(1, 60)), int(rng.integers(1, 7))
    sizes = rng.choice([1, 2, 5, 10**6], size=d)
    return np.column_stack([rng.integers(size, size=n) for size in sizes])


def test_equal_rows_are_one_cell_most_common_first():
    for seed in range(300):
        rng = np.random.default_rng(seed)
        rows = draw_codes(rng)
        cells = collapse(rows[:, :-1], [rows[:, -1]], len(rows))
        expected = Counter(map(tuple, rows.tolist()))
        found = np.column_stack([cells.codes, cells.rule_codes])
        assert dict(zip(map(tuple, found.tolist()), cells.copies.tolist(), strict=True)) == expected
        assert np.array_equal(found[cells.of_row], rows)
        assert (np.diff(cells.copies) <= 0).all()


def test_the_numbers_of_cells_do_not_depend_on_the_order_of_rows():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        rows = draw_codes(rng)
        order = rng.permutation(len(rows))
        one, other = collapse(rows, [], len(rows)), collapse(rows[order], [], len(rows))
        assert np.array_equal(one.codes, other.codes)
        assert np.array_equal(one.of_row[order], other.of_row)


def test_rows_are_told_apart_however_many_columns_there_are():
    rng = np.random.default_rng(0)
    rows = rng.integers(1000, size=(50, 40))
    rows[25:] = rows[:25]
    rows[25:30, 39] += 1
    key, first = unique_rows(list(rows.T), len(rows))
    assert len(first) == 30
    assert np.array_equal(rows[first][key], rows)


class Dealing(Grouper):
    """A grouper that was told the pieces."""

    def __init__(self, pieces):
        self.pieces = pieces

    def _group(self, problem, progress):
        return self.pieces


@given(seed=SEEDS, shape=SHAPES)
@quick(15)
def test_every_copy_is_dealt_to_one_row(seed, shape):
    rng, table = table_of(seed, shape)
    problem = Problem(table, Generalize().spaces(table), (), 1.0)
    cells = problem.cells
    pieces = []
    for cell, copies in enumerate(cells.copies.tolist()):
        cut = int(rng.integers(copies + 1))
        pieces += [(cell, cut, 0), (cell, copies - cut, int(rng.integers(-1, 3)))]
    labels = Dealing(np.array(pieces)).fit(problem).grouping_.labels
    dealt = Counter(zip(cells.of_row.tolist(), labels.tolist(), strict=True))
    used = sorted({group for _, copies, group in pieces if copies and group >= 0})
    number = {-1: -1} | {group: place for place, group in enumerate(used)}  # without gaps
    asked = Counter()
    for cell, copies, group in pieces:
        if copies:
            asked[cell, number[group]] += copies
    assert dealt == asked


def test_k_is_the_largest_that_a_model_asks_for():
    table = read_table(pl.DataFrame({"a": [1, 2], "s": ["x", "y"]}), roles=Roles([], "a", "s"))
    spaces = Generalize().spaces(table)
    assert Problem(table, spaces, (KAnonymity(2), AlphaK(0.5, 7, "s"))).k == 7
    assert Problem(table, spaces, (DistinctLDiversity(2, "s"),)).k == 1


def test_rules_with_very_many_values_are_left_to_merging():
    n = MOST_CODES + 2
    frame = pl.DataFrame({"a": range(n), "s": [f"s{i}" for i in range(n)]})
    table = read_table(frame, roles=Roles([], "a", "s"))
    models = (KAnonymity(2), EntropyLDiversity(2, "s"), DistinctLDiversity(2, "s"))
    problem = Problem(table, Generalize().spaces(table), models)
    assert [constraint.rule for constraint in problem.constraints] == ["distinct"]
    grouping = SaNGreeA().fit(problem).grouping_
    assert all(model.judge(table, grouping).holds for model in models)


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), True])
def test_suppression_is_a_share(share):
    table = read_table(pl.DataFrame({"a": [1, 2]}), roles=Roles([], "a"))
    with pytest.raises(InvalidParameterError, match="share between 0 and 1"):
        Problem(table, Generalize().spaces(table), (), share)


def test_boxes_hold_their_groups():
    for seed in range(100):
        rng = np.random.default_rng(seed)
        rows = draw_codes(rng)
        labels = rng.integers(-1, 4, size=len(rows))
        used = np.unique(labels[labels >= 0])
        grouping = Grouping(np.where(labels < 0, -1, np.searchsorted(used, labels)))
        lo, hi = group_boxes(rows, grouping)
        for group in range(grouping.n_groups):
            members = rows[grouping.members(group)]
            assert np.array_equal(lo[group], members.min(axis=0))
            assert np.array_equal(hi[group], members.max(axis=0))


def test_an_unknown_order_is_refused():
    table = read_table(pl.DataFrame({"a": [1, 2]}), roles=Roles([], "a"))
    with pytest.raises(InvalidParameterError, match="no order named 'random'"):
        SaNGreeA(order="random").fit(Problem(table, Generalize().spaces(table), (KAnonymity(2),)))


class LeavesOver(Grouper):
    """Puts the first two rows into a group of their own, however few that is."""

    def _group(self, problem, progress):
        cells = problem.cells.copies
        return np.column_stack([np.arange(len(cells)), cells, np.arange(len(cells)) // 2 > 0])


def test_too_few_rows_left_over_join_another_group():
    table = read_table(pl.DataFrame({"age": range(20, 28)}), roles=Roles(quasi_identifiers="age"))
    problem = Problem(table, Generalize().spaces(table), (KAnonymity(3),))
    assert LeavesOver().fit(problem).grouping_.smallest == 8


def test_no_more_rows_are_left_out_than_may_be():
    """Two of twenty may; three who fit nowhere are one too many, and nobody drops them."""
    near, far = [i % 5 for i in range(18)], [100, 200, 300]

    def grouping_of(ages):
        roles = Roles(quasi_identifiers="age")
        table = read_table(pl.DataFrame({"age": ages}), roles=roles)
        spaces = Generalize(limits={"age": 10}).spaces(table)
        problem = Problem(table, spaces, (KAnonymity(3),), 0.1)
        assert problem.budget == 2
        return SaNGreeA().fit(problem).grouping_

    assert (grouping_of(near + far[:2]).labels < 0).sum() == 2
    with pytest.raises(ImpossibleError):
        grouping_of(near[:17] + far)
