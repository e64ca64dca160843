"""The box that is overcharged most, against a slow twin that tries every box."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest

from shoal.grouping import Problem
from shoal.grouping._bound import cheapest_boxes
from shoal.kernels.losses import box_loss, span_loss
from shoal.kernels.proof import sides
from shoal.kernels.proof.overcharged import new_box_search, overcharged_box
from shoal.kernels.proof.sides import ROUNDING, losses_along_lines
from shoal.kernels.slots import COPIES
from shoal.privacy import KAnonymity
from shoal.spaces import _base, build_spaces
from shoal.table import Roles, read_table

EVEN = np.array([1, 1])


def town(rng, k):
    """A few people of random kinds of columns: numbers with gaps, trees, words, missing ones."""
    n = int(rng.integers(k, 11))
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 20 + int(rng.integers(2, 9)), n),
            "pay": [None if x > 30 else x * x for x in rng.integers(0, 35, n).tolist()],
            "zip": rng.choice(["8010", "8020", "8045", "1190", "1010"], n),
            "job": [("a", "b", None)[i] for i in rng.integers(0, 3, n)],
        }
    )
    some = rng.choice(frame.columns, int(rng.integers(1, 4)), replace=False)
    roles = Roles(quasi_identifiers=tuple(some))
    kinds = {"age": "numeric", "pay": "numeric", "zip": "code", "job": "nominal"}
    table = read_table(frame, roles=roles, kinds={name: kinds[name] for name in some})
    loss = (None, "leaves", "people")[int(rng.integers(0, 3))]
    limits = {"age": 4} if "age" in some and rng.random() < 0.3 else None
    return Problem(table, build_spaces(table, loss=loss, limits=limits), (KAnonymity(k),))


def found_by_trying(cheapest, charges, order, k, seed):
    """The most overcharged box around a seed, as charge over loss; 1 if none is overcharged."""
    codes, copies = cheapest.tree.codes, cheapest.tree.cells[:, COPIES]
    later = [c for c in range(len(codes)) if order[c] >= order[seed]]
    spans = [
        [(a, b) for a in set(here) for b in set(here) if a <= own <= b]
        for here, own in zip(codes[later].T.tolist(), codes[seed].tolist(), strict=True)
    ]
    most = 1.0
    for box in product(*spans):
        lo, hi = np.array(box).T
        inside = [c for c in later if ((codes[c] >= lo) & (codes[c] <= hi)).all()]
        dearest = sorted((charges[c] for c in inside for _ in range(copies[c])), reverse=True)[:k]
        loss = box_loss(cheapest.losses, lo, hi)
        if len(dearest) == k and sum(dearest) > k * loss:
            most = max(most, sum(dearest) / (k * loss) if loss else np.inf)
    return most


@pytest.mark.parametrize("largest_table", [1024, 1], ids=["tables", "formulas"])
@pytest.mark.parametrize("seed", range(60))
def test_no_box_is_overcharged_more(seed, largest_table, monkeypatch):
    monkeypatch.setattr(_base, "LARGEST_TABLE", largest_table)
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 5))
    problem = town(rng, k)
    cheapest = cheapest_boxes(problem)
    charges = rng.integers(0, 2 * problem.spaces.unit, len(cheapest.tree.codes))
    order = np.argsort(np.argsort(-charges, kind="stable"))
    lines, search = losses_along_lines(cheapest.losses), new_box_search(cheapest.tree)
    known = cheapest.tree, cheapest.losses, cheapest.by_level, lines, charges, order, charges
    for cell in range(charges.size):
        members, dear, loss, work = overcharged_box(*known, k, EVEN, cell, 10**9, search)
        found = (dear / (k * loss) if loss else np.inf) if members else 1.0
        assert work < 10**9
        assert found == pytest.approx(found_by_trying(cheapest, charges, order, k, cell))


def test_a_search_that_is_cut_short_says_so():
    problem = town(np.random.default_rng(4), 2)
    cheapest = cheapest_boxes(problem)
    charges = np.full(len(cheapest.tree.codes), problem.spaces.unit)
    order = np.arange(charges.size)
    lines, search = losses_along_lines(cheapest.losses), new_box_search(cheapest.tree)
    known = cheapest.tree, cheapest.losses, cheapest.by_level, lines, charges, order, charges
    *_, work = overcharged_box(*known, 2, EVEN, 0, 10**9, search)
    *_, cut = overcharged_box(*known, 2, EVEN, 0, work - 1, search)
    assert cut == work - 1


def test_a_search_without_room_says_so(monkeypatch):
    monkeypatch.setattr(sides, "LISTS", 1)  # of buffers; there is room for no second list
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"age": rng.integers(0, 500, 60)})
    table = read_table(frame, roles=Roles(quasi_identifiers=("age",)), kinds={"age": "numeric"})
    problem = Problem(table, build_spaces(table), (KAnonymity(3),))
    cheapest = cheapest_boxes(problem)
    charges = np.full(len(cheapest.tree.codes), problem.spaces.unit)
    lines, search = losses_along_lines(cheapest.losses), new_box_search(cheapest.tree)
    known = cheapest.tree, cheapest.losses, cheapest.by_level, lines, charges
    order = np.argsort(np.argsort(np.abs(np.arange(charges.size) - 30), kind="stable"))
    *_, work = overcharged_box(*known, order, charges, 3, EVEN, 30, 10**9, search)
    assert work == 10**9


@pytest.mark.parametrize("largest_table", [1024, 1], ids=["tables", "formulas"])
@pytest.mark.parametrize("seed", range(20))
def test_losses_along_a_line_are_those_of_its_spans(seed, largest_table, monkeypatch):
    monkeypatch.setattr(_base, "LARGEST_TABLE", largest_table)
    losses = town(np.random.default_rng(seed), 2).spaces.losses
    lines = losses_along_lines(losses)
    for j, until in enumerate(lines.until):
        places = lines.places[lines.begin[j] : lines.begin[j] + until]
        for a in range(until):
            for b in range(a, until):
                over = span_loss(losses, j, a, b) - (places[b] - places[a])
                assert 0 <= over <= ROUNDING


def test_numbers_lie_on_a_line_and_words_do_not():
    frame = pl.DataFrame({"age": [1, 5, 9, None], "job": ["a", "b", "c", "d"]})
    roles = Roles(quasi_identifiers=("age", "job"))
    table = read_table(frame, roles=roles, kinds={"age": "numeric", "job": "nominal"})
    lines = losses_along_lines(build_spaces(table).losses)
    assert lines.until.tolist() == [3, 2]  # the missing age lies nowhere; two words, on any line
