"""What must hold for any table: merged groups still pass, and models agree with each other."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import privacy_twin as twin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from small_tables import HIERARCHY, TREE, small, table_with

from shoal.privacy import (
    AlphaK,
    BasicBetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
    measure_privacy,
)
from shoal.table import Grouping
from thorough import times

ROWS = st.lists(
    st.tuples(
        st.integers(0, 3), st.sampled_from("01234567"), st.sampled_from([True] * 9 + [False])
    ),
    min_size=2,
    max_size=40,
)
MODELS = [
    KAnonymity(3),
    DistinctLDiversity(2, "s"),
    EntropyLDiversity(1.8, "s"),
    RecursiveCLDiversity(2, 2, "s"),
    AlphaK(0.6, 2, "s"),
    TCloseness(0.4, "s"),
    TCloseness(0.25, "s", "ordered"),
    TCloseness(0.4, "s", "hierarchical", HIERARCHY),
    BasicBetaLikeness(1.5, "s"),
    EnhancedBetaLikeness(1.5, "s"),
    DeltaDisclosure(1.2, "s"),
]


def grouped(rows):
    """A table and a grouping of it; where the flag is off the row is suppressed."""
    raw = np.array([label if kept else -1 for label, _, kept in rows])
    raw[0] = max(raw[0], 0)
    present = np.unique(raw[raw >= 0])
    labels = np.where(raw >= 0, np.searchsorted(present, raw), -1)
    return table_with([value for _, value, _ in rows], kind="numeric"), Grouping(labels)


def merged(grouping, one, other):
    labels = grouping.labels.copy()
    labels[labels == other] = one
    labels[labels > other] -= 1
    return Grouping(labels)


@pytest.mark.parametrize("model", MODELS, ids=str)
@given(rows=ROWS, data=st.data())
@settings(deadline=None, max_examples=times(60))
def test_groups_that_pass_still_pass_once_merged(model, rows, data):
    table, grouping = grouped(rows)
    if grouping.n_groups < 2:
        return
    pair = st.lists(st.integers(0, grouping.n_groups - 1), min_size=2, max_size=2, unique=True)
    one, other = sorted(data.draw(pair))
    before = model.measure(table, grouping)[[one, other]]
    after = model.measure(table, merged(grouping, one, other))[one]
    if model.worst_is_smallest:
        assert after >= before.min() * (1 - 1e-12)
    else:
        assert after <= before.max() * (1 + 1e-12)
    if model.accepts(before).all():
        assert model.accepts(np.array([after])).all()


def test_only_disclosure_of_values_present_is_not_monotone():
    """A group of zeros passes because it lacks the ones; merged with a mixed one it has too few."""
    assert [type(m) for m in MODELS if not m.monotone] == [DeltaDisclosure]
    table = table_with(["0"] * 8 + ["0", "1"] + ["1"] * 8)
    apart = Grouping([0] * 8 + [1] * 2 + [2] * 8)
    model = DeltaDisclosure(0.7, "s", strict=False)
    assert model.judge(table, apart).holds
    assert not model.judge(table, merged(apart, 0, 1)).holds


@given(rows=ROWS)
@settings(deadline=None, max_examples=times(80))
def test_the_models_bound_each_other(rows):
    """Entropy l <= distinct l <= k; recursive c at l = 1 is alpha; present <= strict delta."""
    quasi = [f"g{label}" for label, _, _ in rows]
    measures = measure_privacy(table_with([v for _, v, _ in rows], quasi=quasi, kind="numeric"))
    found = measures.sensitive["s"]
    assert found.entropy_l <= found.distinct_l * (1 + 1e-12)
    assert found.distinct_l <= measures.k
    assert found.recursive_c[1] == found.alpha
    assert list(found.recursive_c.values()) == sorted(found.recursive_c.values())
    assert found.delta_disclosure_present <= found.delta_disclosure
    assert found.basic_beta <= found.enhanced_beta
    assert 0 <= found.t_ordered <= found.t_equal <= 1


@given(rows=ROWS)
@settings(deadline=None, max_examples=times(50))
def test_doubling_every_row_doubles_k_and_nothing_else(rows):
    quasi, values = [f"g{label}" for label, _, _ in rows], [value for _, value, _ in rows]
    once = measure_privacy(table_with(values, quasi=quasi, kind="numeric"))
    twice = measure_privacy(table_with(values * 2, quasi=quasi * 2, kind="numeric"))
    assert twice.k == 2 * once.k
    one, two = once.sensitive["s"].to_dict(), twice.sensitive["s"].to_dict()
    for name in ("t_equal", "t_ordered", "basic_beta", "alpha", "distinct_l", "recursive_c"):
        assert one[name] == two[name], name


def moved_earth(distance, values, counts, reference):
    """The earth mover's distance by linear programming: no formula of ours."""
    n = len(values)
    costs = [float(distance(a, b)) for a in values for b in values]
    out = [[float(i == row) for i in range(n) for _ in range(n)] for row in range(n)]
    into = [[float(j == column) for _ in range(n) for j in range(n)] for column in range(n)]
    supply = [float(twin.share(counts, v)) for v in values]
    demand = [float(twin.share(reference, v)) for v in values]
    return linprog(costs, A_eq=out + into, b_eq=supply + demand).fun


def meeting_height(a, b, node=TREE):
    if a == b:
        return 0
    for child in node:
        leaves = {child} if isinstance(child, str) else set(flat(child))
        if {a, b} <= leaves:
            return meeting_height(a, b, child)
    return twin.height(node)


def flat(node):
    return [node] if isinstance(node, str) else [leaf for child in node for leaf in flat(child)]


@pytest.mark.parametrize("seed", range(60))
def test_distances_move_the_least_earth(seed):
    draw = random.Random(seed)
    values = [draw.choice("01234567") for _ in range(12)]
    labels = [0, 1, *(draw.randrange(2) for _ in range(10))]
    table, grouping = table_with(values, kind="numeric"), Grouping(labels)
    present = sorted(set(values))
    rank = {value: place for place, value in enumerate(present)}
    distances = {
        "equal": lambda a, b: a != b,
        "ordered": lambda a, b: Fraction(abs(rank[a] - rank[b]), max(len(present) - 1, 1)),
        "hierarchical": lambda a, b: Fraction(meeting_height(a, b), twin.height(TREE)),
    }
    for name, distance in distances.items():
        model = TCloseness(1, "s", name, HIERARCHY if name == "hierarchical" else None)
        measured = model.measure(table, grouping)
        for group in range(2):
            counts = Counter(values[row] for row in range(12) if labels[row] == group)
            least = moved_earth(distance, present, counts, Counter(values))
            assert measured[group] == pytest.approx(least, abs=1e-7), name


@pytest.mark.parametrize("seed", range(0, 2000, 10))
def test_a_constraint_describes_the_column(seed):
    case = small(seed)
    constraint = BasicBetaLikeness(1, "s").constraint(case.table)
    if case.twin.people is not None:
        assert constraint is None
        return
    column = case.table.column("s")
    assert (constraint.rule, constraint.bound, constraint.l) == ("basic_beta", 1.0, 0)
    assert constraint.codes.tolist() == column.codes.tolist()
    assert constraint.missing == (len(column.labels) if None in case.twin.values else -1)
    expected = np.bincount(column.codes, minlength=constraint.n_codes) / case.table.n_rows
    assert constraint.reference.tolist() == expected.tolist()
    assert constraint.n_codes == len(set(case.twin.values))
