"""Tables at the edge of what is possible: one column or sixty, one row too few, all alike."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.exceptions import ImpossibleError, ValueKindError
from shoal.grouping import Mondrian, SaNGreeA
from shoal.hierarchies import Taxonomy
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.table import Roles, read_table
from shoal.testing import Case, check_grouping, check_recoded

GROUPERS = [SaNGreeA(), SaNGreeA(order="common", refine=False), Mondrian()]
RNG = np.random.default_rng(11)


def case_of(columns, k, hierarchies=None, **options):
    frame = pl.DataFrame(columns)
    table = read_table(frame, roles=Roles(quasi_identifiers=frame.columns))
    return Case(table, (KAnonymity(k),), Generalize(hierarchies, **options))


def wide_tree(n):
    ladder = [(f"v{i:05d}", f"tens {i // 10}", f"hundreds {i // 100}", "*") for i in range(n)]
    return Taxonomy.from_ladder(ladder)


def drawn(n_values, n_rows):
    return [f"v{i:05d}" for i in RNG.integers(n_values, size=n_rows)]


CASES = {
    "one column": case_of({"a": [1, 2, 3, 4, 5, 9]}, 2),
    "sixty columns": case_of({f"q{j}": RNG.integers(3, size=40) for j in range(60)}, 4),
    "hundred columns": case_of({f"q{j}": RNG.integers(3, size=20) for j in range(100)}, 4),
    "300 categories": case_of({"a": drawn(300, 900), "b": RNG.integers(4, size=900)}, 5),
    "2000 categories": case_of({"a": drawn(2000, 3000), "b": RNG.integers(4, size=3000)}, 5),
    "300 in a tree": case_of(
        {"a": drawn(300, 900), "b": RNG.integers(4, size=900)}, 5, {"a": wide_tree(300)}
    ),
    "2000 in a tree": case_of(
        {"a": drawn(2000, 3000), "b": RNG.integers(4, size=3000)}, 5, {"a": wide_tree(2000)}
    ),
    "continuous": case_of({"a": RNG.normal(size=3000), "b": RNG.normal(size=3000)}, 5),
    "continuous with gaps": case_of(
        {"a": [None if i % 7 == 0 else float(x) for i, x in enumerate(RNG.normal(size=3000))]}, 5
    ),
    "continuous on a grid": case_of(
        {"a": RNG.integers(10**6, size=3000), "b": RNG.integers(9, size=3000)}, 5, grid={"a": 100.0}
    ),
    "constant column": case_of({"a": ["same"] * 30, "b": RNG.integers(9, size=30)}, 3),
    "all constant": case_of({"a": ["same"] * 9, "b": [7] * 9}, 3),
    "all identical": case_of({"a": ["x"] * 50, "b": [1] * 50}, 5),
    "all distinct": case_of({"a": list(range(50)), "b": list(range(50, 0, -1))}, 5),
    "n is k": case_of({"a": [1, 2, 3], "b": ["x", "y", "z"]}, 3),
    "n below 2k": case_of({"a": [1, 2, 3, 9, 10], "b": ["x", "y", "z", "x", "x"]}, 3),
    "all missing": case_of({"a": pl.Series([None] * 8, dtype=pl.String), "b": [1, 2] * 4}, 3),
    "nothing but missing": case_of({"a": pl.Series([None] * 8, dtype=pl.String)}, 3),
    "missing everywhere": case_of(
        {"a": [None, 1, 2, None, 3, None], "b": [None, "x", None, "y", None, None]}, 2
    ),
    "a rare one among many": case_of({"a": ["x"] * 100 + ["y"], "b": [1] * 101}, 2),
    "numbers too wide for floats": case_of({"a": [2**53 + i for i in range(12)]}, 3),
    "tiny numbers": case_of({"a": [5e-324, 1e-323, 1.5e-323, 2e-323]}, 2),
}


@pytest.mark.parametrize("grouper", GROUPERS, ids=repr)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_extreme_tables_are_grouped_and_published(case, grouper):
    grouping = case.solve(grouper)
    check_grouping(case.problem, grouping)
    recoded = case.recoder.recode(case.table, grouping, case.problem.spaces)
    check_recoded(case.table, grouping, recoded, case.recoder.hierarchies)
    assert grouping.n_suppressed == 0


@pytest.mark.parametrize("grouper", GROUPERS, ids=repr)
def test_identical_rows_lose_nothing(grouper):
    case = CASES["all identical"]
    published = case.publish(case.solve(grouper))
    assert published.rows() == [("x", "1")] * 50


@pytest.mark.parametrize("grouper", GROUPERS, ids=repr)
@pytest.mark.parametrize("k", [4, 100])
def test_more_than_there_is_cannot_be_asked(grouper, k):
    case = case_of({"a": [1, 2, 3]}, k)
    with pytest.raises(ImpossibleError, match=f"k = {k} exceeds the 3 rows"):
        type(grouper)(**grouper.get_params()).fit(case.problem)


def test_values_too_far_apart_are_refused_and_not_shown():
    case = case_of({"a": [-1.7e308, -1.6e308, 1.6e308, 1.7e308]}, 2)
    with pytest.raises(ValueKindError, match="'a' lie too far apart") as caught:
        case.solve(Mondrian())
    assert "e308" not in f"{caught.value} {caught.value.hint}"


def test_a_rare_row_does_not_spoil_all_others():
    """One row unlike a hundred: k of them hide it, and the rest keep what they had."""
    case = CASES["a rare one among many"]
    published = case.publish(case.solve(SaNGreeA()))
    assert published["a"].to_list().count("*") <= 4
