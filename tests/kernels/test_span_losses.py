"""Losses of spans and boxes against the definitions of their spaces."""

from __future__ import annotations

import numpy as np
import pytest
from random_towns import draw_case, draw_space, draw_weights, grid_space, numbers_space, tree_space
from twins import FORBIDDEN, Spans, box_of

from shoal.kernels import slots
from shoal.kernels.losses import (
    LINEAR,
    SPARSE,
    TABLE,
    box_loss,
    joined_loss,
    loss_beside,
    merged_loss,
    nearest_from,
    nearest_loss,
    point_origins,
    span_loss,
)
from shoal.spaces import WeightedSpaces, _base

ENOUGH = np.int64(1) << 60
SEEDS = range(150)


def all_spans(n_codes):
    return [(a, b) for a in range(n_codes) for b in range(a, n_codes)]


def test_every_span_costs_what_its_space_says():
    seen = set()
    for seed in SEEDS:
        case = draw_case(np.random.default_rng(seed), most_rows=5)
        for j, table in enumerate(case.spans.tables):
            seen.add(int(case.losses.meta[j, slots.KIND]))
            for a, b in all_spans(len(table)):
                assert span_loss(case.losses, j, a, b) == table[a][b]
    assert seen == {TABLE, LINEAR, SPARSE}


def test_uncompiled_span_loss_is_the_same():
    for seed in range(40):
        case = draw_case(np.random.default_rng(seed), most_rows=5)
        for j, table in enumerate(case.spans.tables):
            for a, b in all_spans(len(table)):
                assert span_loss.py_func(case.losses, j, a, b) == table[a][b]


@pytest.mark.parametrize("largest_table", [0, 1024])
def test_whole_number_losses_are_those_of_the_space(monkeypatch, largest_table):
    monkeypatch.setattr(_base, "LARGEST_TABLE", largest_table)
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        space = draw_space(rng, "q", limits=False)
        if largest_table == 0 and not np.array_equal(*ends_of(space)):
            continue  # on a line, the cell of a grid has no width
        weighted = WeightedSpaces((space,), np.ones(1))
        a, b = np.array(all_spans(space.n_codes)).T
        exact = space.loss(a, b) * weighted.unit
        found = [span_loss(weighted.losses, 0, x, y) for x, y in zip(a, b, strict=True)]
        assert np.abs(np.array(found) - exact).max() <= 1


def ends_of(space):
    return getattr(space, "starts", None), getattr(space, "ends", None)


@pytest.mark.parametrize("largest_table", [0, 1024])
def test_a_wider_span_never_costs_less(monkeypatch, largest_table):
    monkeypatch.setattr(_base, "LARGEST_TABLE", largest_table)
    for seed in SEEDS:
        space = draw_space(np.random.default_rng(seed), "q")
        losses = WeightedSpaces((space,), np.ones(1)).losses
        cost = {(a, b): span_loss(losses, 0, a, b) for a, b in all_spans(space.n_codes)}
        for a, b in cost:
            assert a == b or cost[a, b] >= max(cost[a + 1, b], cost[a, b - 1])


def test_limits_rule_spans_out_in_every_form():
    for seed in SEEDS:
        case = draw_case(np.random.default_rng(seed), most_rows=5)
        for j, space in enumerate(case.spaces.spaces):
            for a, b in all_spans(space.n_codes):
                over = span_loss(case.losses, j, a, b) == FORBIDDEN
                assert over == (case.spans.tables[j][a][b] == FORBIDDEN)


def test_boxes_cost_the_sum_of_their_spans():
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        case = draw_case(rng, limits=bool(seed % 2))
        for _ in range(10):
            cells, others = (case.codes[rng.integers(len(case.codes), size=2)] for _ in range(2))
            (lo, hi), (olo, ohi) = corners(cells), corners(others)
            assert box_loss(case.losses, lo, hi) == case.spans.around(*cells)
            both = case.spans.around(*cells, *others)
            assert merged_loss(case.losses, lo, hi, olo, ohi, ENOUGH) == both
            one = case.spans.around(*cells, others[0])
            assert joined_loss(case.losses, lo, hi, others[0], ENOUGH) == one
            enough = np.int64(rng.integers(0, 1 + one))
            assert joined_loss(case.losses, lo, hi, others[0], enough) > enough or one <= enough
            assert nearest_loss(case.losses, lo, hi, olo, ohi, ENOUGH) == nearest(
                case.spans, (lo, hi), (olo, ohi)
            )


def test_boxes_that_begin_at_one_point_cost_the_same_read_from_one_place():
    seen = set()
    for seed in range(600):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, most_rows=8, limits=seed % 4 == 0)
        codes, meta = np.ascontiguousarray(case.codes, dtype=np.int32), case.losses.meta
        begins, origins = np.empty((2, codes.shape[1]), np.int64)
        can = point_origins(case.losses, codes[0], begins, origins)
        free = (meta[:, slots.REACH_AT] < 0) & (meta[:, slots.MISSING] < 0)
        kinds = meta[:, slots.KIND]
        assert can == ((kinds == TABLE) | (kinds == LINEAR) & free).all()
        seen.add((can, bool((kinds == LINEAR).any()), codes.shape[1] > 4))
        if can:
            assert_beside(case, codes, (case.losses.values, begins, origins), rng)
    assert {(True, True, True), (True, False, True), (True, True, False)} < seen


def assert_beside(case, codes, given, rng):
    """What is read from one place is what a box costs, or both are more than enough."""
    point = codes[0]
    boxes = np.array([corners(codes[rng.integers(len(codes), size=2)]) for _ in range(3)])
    for i, (low, high) in enumerate(boxes):
        cell = int(rng.integers(len(codes)))
        one = case.spans.around(point, codes[cell])
        near = nearest(case.spans, (point, point), (low, high))
        for enough in (ENOUGH, np.int64(rng.integers(0, 1 + max(one, 1)))):
            found = loss_beside(*given, codes, cell, enough)
            assert found == one if one <= enough else enough < found <= one
            found = nearest_from(*given, point, boxes, i, enough)
            assert found == near if near <= enough else enough < found <= near


def corners(cells):
    return tuple(np.array(corner, dtype=np.int32) for corner in box_of(cells.tolist()))


def nearest(spans, box, node):
    """Least loss of a box once any code between the node's corners joins it, span by span."""
    return sum(
        min(table[min(a, code)][max(b, code)] for code in range(low, high + 1))
        for table, a, b, low, high in zip(spans.tables, *box, *node, strict=True)
    )


@pytest.mark.parametrize("draw", [numbers_space, grid_space, tree_space])
def test_weight_zero_costs_nothing(draw):
    space = draw(np.random.default_rng(3), "q")
    losses = WeightedSpaces((space, space), np.array([1.0, 0.0])).losses
    assert all(span_loss(losses, 1, a, b) == 0 for a, b in all_spans(space.n_codes))


def test_twelve_digit_weights_give_the_same_numbers_when_scaled():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        spaces = tuple(draw_space(rng, f"q{j}") for j in range(3))
        weights = {f"q{j}": float(w) for j, w in enumerate(rng.random(3) + draw_weights(rng, 3))}
        scale = float(10 ** rng.uniform(-6, 6))
        plain, scaled = (
            WeightedSpaces(spaces, np.ones(3)).with_weights(
                {name: weight * factor for name, weight in weights.items()}
            )
            for factor in (1.0, scale)
        )
        assert np.array_equal(plain.losses.values, scaled.losses.values)
        assert Spans(plain, 1024).tables == Spans(scaled, 1024).tables
