"""Every model against the slow twin on hundreds of random tables, ties with bounds included."""

from __future__ import annotations

import math
import random
from decimal import Decimal
from fractions import Fraction

import pytest
from small_tables import HIERARCHY, TREE, small

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
)
from thorough import times

TABLES_PER_BLOCK = times(70)
TINY = Fraction(1, 10**7)
blocks = pytest.mark.parametrize("block", range(10))  # 700 tables each, and 7,000 in `make soak`


def tables_of(block, kind="nominal"):
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        yield seed, small(seed, kind=kind)


def thresholds(measures, seed, low, high=math.inf):
    """The measure of some group and its neighbours, each as a fraction or as a float."""
    draw = random.Random(seed)
    finite = [m for m in measures if m != math.inf] or [Fraction(1)]
    tie = draw.choice(finite)
    near = [tie, tie - TINY, tie + TINY]
    return [(bound, draw.choice([Fraction, float])(bound)) for bound in near if low < bound <= high]


def same(measured, expected):
    """Fractions round to the very same float."""
    assert measured.tolist() == [float(value) for value in expected]


@blocks
def test_k_and_distinct_values(block):
    for seed, case in tables_of(block):
        sizes = KAnonymity(2).measure(case.table, case.grouping)
        assert sizes.tolist() == case.twin.k()
        values = DistinctLDiversity(2, "s").measure(case.table, case.grouping)
        assert values.tolist() == case.twin.distinct()
        for least in (2, 3):
            model = DistinctLDiversity(least, "s")
            holds = all(found >= least for found in case.twin.distinct())
            assert model.judge(case.table, case.grouping).holds == holds, seed


@blocks
def test_entropy(block):
    for seed, case in tables_of(block):
        expected = case.twin.entropy()
        for l in (2, 3, 4, 2.5):
            model = EntropyLDiversity(l, "s")
            measured = model.measure(case.table, case.grouping)
            assert measured == pytest.approx([float(value) for value in expected], rel=1e-12)
            reached = [value >= Decimal(l) - Decimal("1e-40") for value in expected]
            assert model.accepts(measured).tolist() == reached, seed


@blocks
def test_recursive(block):
    for seed, case in tables_of(block):
        for l in (2, 3):
            expected = case.twin.recursive(l)
            for exact, c in thresholds(expected, seed, 0):
                model = RecursiveCLDiversity(c, l, "s")
                measured = model.measure(case.table, case.grouping)
                same(measured, expected)
                assert model.accepts(measured).tolist() == [m < exact for m in expected], seed


@blocks
def test_alpha(block):
    for seed, case in tables_of(block):
        expected, sizes = case.twin.alpha(), case.twin.k()
        for exact, alpha in thresholds(expected, seed, 0, 1):
            model = AlphaK(alpha, 2, "s")
            measured = model.measure(case.table, case.grouping)
            passed = [m <= exact and n >= 2 for m, n in zip(expected, sizes, strict=True)]
            assert model.accepts(measured).tolist() == passed, seed
            verdict = model.judge(case.table, case.grouping)
            assert verdict.holds == all(passed)
            assert verdict.results[1].worst == float(max(expected))


@blocks
@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
def test_t(block, distance):
    for seed, case in tables_of(block, "numeric" if distance == "ordered" else "nominal"):
        expected = {
            "equal": case.twin.t_equal,
            "ordered": case.twin.t_ordered,
            "hierarchical": lambda case=case: case.twin.t_hierarchical(TREE),
        }[distance]()
        for exact, t in thresholds(expected, seed, -1, 1):
            if t < 0:
                continue
            hierarchy = HIERARCHY if distance == "hierarchical" else None
            model = TCloseness(t, "s", distance, hierarchy)
            measured = model.measure(case.table, case.grouping)
            same(measured, expected)
            assert model.accepts(measured).tolist() == [m <= exact for m in expected], seed


@blocks
@pytest.mark.parametrize("model", [BasicBetaLikeness, EnhancedBetaLikeness])
def test_beta(block, model):
    for seed, case in tables_of(block):
        twin = case.twin
        expected = twin.basic_beta() if model is BasicBetaLikeness else twin.enhanced_beta()
        for exact, beta in thresholds(expected, seed, 0):
            asked = model(beta, "s")
            measured = asked.measure(case.table, case.grouping)
            same(measured, expected)
            assert asked.accepts(measured).tolist() == [m <= exact for m in expected], seed


@blocks
@pytest.mark.parametrize("strict", [True, False])
def test_delta_disclosure(block, strict):
    for seed, case in tables_of(block):
        expected = case.twin.delta(strict)
        for delta in (0.3, 0.7, 1.5):
            model = DeltaDisclosure(delta, "s", strict=strict)
            measured = model.measure(case.table, case.grouping)
            assert measured == pytest.approx(expected, rel=1e-13, abs=1e-15)
            assert model.accepts(measured).tolist() == [m < delta for m in expected], seed


@blocks
def test_row_order_says_nothing(block):
    for seed, case in tables_of(block):
        order = random.Random(seed).sample(range(case.table.n_rows), case.table.n_rows)
        moved = case.in_order(order)
        for model in (KAnonymity(2), TCloseness(0.5, "s"), EntropyLDiversity(2, "s")):
            one = model.measure(case.table, case.grouping)
            other = model.measure(moved.table, moved.grouping)
            assert one.tolist() == other.tolist(), seed
