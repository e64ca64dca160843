"""The proof of how little must be lost: charges that overcharge no box, whoever looks."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import polars as pl
import pytest

from shoal.anonymizer import Anonymizer
from shoal.exceptions import InvalidParameterError
from shoal.grouping import Auto, Problem, SaNGreeA, _proof, bound_loss
from shoal.grouping._proof import prove_bound
from shoal.kernels.slots import IDS
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.spaces import build_spaces
from shoal.table import Grouping, Roles, read_table
from shoal.utility import measure_loss


def small_problem(rng, n, k, suppression=0.0):
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 20 + int(rng.integers(2, 9)), n),
            "zip": rng.choice(["8010", "8020", "8045", "1190", "1010"], n),
            "job": [("a", "b", None)[i] for i in rng.integers(0, 3, n)],
        }
    )
    roles = Roles(quasi_identifiers=frame.columns[: int(rng.integers(1, 4))])
    kinds = {"age": "numeric", "zip": "code", "job": "nominal"}
    table = read_table(frame, roles=roles, kinds=kinds)
    loss = (None, "leaves", "people")[int(rng.integers(0, 3))]
    spaces = build_spaces(table, loss=loss)
    return Problem(table, spaces, (KAnonymity(k),), suppression)


def overcharged(problem, charges):
    """Whether any box that holds k rows is charged more than it loses: every box is tried."""
    codes, spaces, k = problem.spaces.codes, problem.spaces, problem.k
    spans = [sorted(set(codes[:, j])) for j in range(codes.shape[1])]
    boxes = product(*([(a, b) for a in s for b in s if a <= b] for s in spans))
    slack = len(spaces.spaces) / spaces.unit  # losses are rounded to the fixed point
    for box in boxes:
        lo, hi = np.array(box).T
        inside = ((codes >= lo) & (codes <= hi)).all(axis=1)
        if inside.sum() >= k:
            loss = spaces.loss_by_attribute(lo[None], hi[None]).sum()
            if np.sort(charges[inside])[-k:].mean() > loss + slack:
                return True
    return False


def least_loss(problem):
    """The loss of the best grouping of a few rows, by trying all: rows in or out, set by set."""
    codes, spaces, k = problem.spaces.codes, problem.spaces, problem.k
    n, suppressed = len(codes), problem.budget
    costs = {}
    for size in range(k, n + 1):
        for members in combinations(range(n), size):
            lo, hi = codes[list(members)].min(axis=0), codes[list(members)].max(axis=0)
            mask = sum(1 << i for i in members)
            costs[mask] = size * spaces.loss_by_attribute(lo[None], hi[None]).sum()
    d = len(spaces.spaces)
    best = {(0, 0): 0.0}

    def solve(left, out):
        if (left, out) not in best:
            first = left & -left
            found = d + solve(left ^ first, out - 1) if out else np.inf
            rest = left ^ first
            subset = rest
            while True:
                group = subset | first
                if group in costs:
                    found = min(found, costs[group] + solve(left ^ group, out))
                if subset == 0:
                    break
                subset = (subset - 1) & rest
            best[left, out] = found
        return best[left, out]

    for out in range(suppressed + 1):
        best[0, out] = 0.0
    return solve((1 << n) - 1, suppressed) / (n * d)


def charges_by_row(problem, proven):
    by_cell = np.empty(proven.charges.size)
    by_cell[proven.cheapest.tree.cells[:, IDS]] = proven.charges / problem.spaces.unit
    return by_cell[proven.cheapest.cells.of_row]


@pytest.mark.parametrize("seed", range(60))
def test_no_box_is_overcharged_and_no_grouping_loses_less(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 5))
    suppression = (0.0, 0.0, 0.3)[seed % 3]
    problem = small_problem(rng, int(rng.integers(k, 10)), k, suppression)
    grouping = SaNGreeA().fit(problem).grouping_
    proven = prove_bound(problem, grouping)
    charges = charges_by_row(problem, proven)
    assert not overcharged(problem, charges)
    assert not problem.budget or charges.max() <= len(problem.spaces.spaces)
    least = least_loss(problem)
    assert proven.bound <= least + 1e-9
    assert least <= measure_loss(problem.spaces, grouping).formed_loss + 1e-6
    assert proven.bound >= bound_loss(problem).proven - 1e-6


def test_the_check_of_charges_notices_a_wrong_one():
    problem = small_problem(np.random.default_rng(3), 9, 3)
    proven = prove_bound(problem, SaNGreeA().fit(problem).grouping_)
    charges = charges_by_row(problem, proven)
    assert not overcharged(problem, charges)
    assert overcharged(problem, charges + 0.3)


def town(n, seed=0):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 60, n),
            "income": np.round(rng.exponential(30, n)),
            "zip": rng.choice(["8010", "8011", "8020", "8045", "1190", "1010"], n),
        }
    )
    roles = Roles(quasi_identifiers=frame.columns)
    return read_table(frame, roles=roles, kinds={"zip": "code"})


@pytest.fixture(scope="module")
def case():
    table = town(400)
    problem = Problem(table, Generalize().spaces(table), (KAnonymity(4),))
    return problem, Auto().fit(problem).grouping_


def test_companions_are_charged_too(case):
    problem, grouping = case
    bound = bound_loss(problem, near=grouping).proven
    assert 1.15 * bound_loss(problem).proven < bound < measure_loss(problem.spaces, grouping).ngil


def test_a_bad_grouping_makes_a_bad_bound_but_never_a_wrong_one(case):
    problem, grouping = case
    ngil = measure_loss(problem.spaces, grouping).ngil
    everybody = prove_bound(problem, Grouping(np.zeros(problem.table.n_rows, dtype=np.int64)))
    assert bound_loss(problem).proven - 1e-6 <= everybody.bound <= ngil


def test_little_work_falls_back_to_the_quick_bound(case, monkeypatch):
    problem, grouping = case
    full = prove_bound(problem, grouping).bound
    bounds = []
    for work in (1, 300, 3_000):
        monkeypatch.setattr(_proof, "WORK_PER_ROW", work)
        monkeypatch.setattr(_proof, "WORK_PER_K", 0)
        proven = prove_bound(problem, grouping)
        bounds.append(proven.bound)
        assert (proven.charges >= proven.cheapest.costs).all()
    assert bounds[0] == pytest.approx(bound_loss(problem).proven, abs=1e-6)
    assert max(bounds) <= full * 1.05


def test_whoever_is_stuck_falls_back_and_the_others_still_prove(monkeypatch):
    """Work is scarce, so that some never end their search; no box is overcharged even so."""
    stuck, helped = [], 0
    mark = _proof.mark_reached
    monkeypatch.setattr(_proof, "mark_reached", lambda *a: (stuck.append(a[4].size), mark(*a)))
    monkeypatch.setattr(_proof, "WORK_PER_K", 0)
    monkeypatch.setattr(_proof, "LEFT_OUT", 1.0)
    monkeypatch.setattr(_proof, "MARKING", 0)
    for seed in range(250):
        rng = np.random.default_rng(seed)
        problem = small_problem(rng, 10, 3)
        grouping = SaNGreeA().fit(problem).grouping_
        monkeypatch.setattr(_proof, "WORK_PER_ROW", int(rng.integers(100, 1_500)))
        before = len(stuck)
        proven = prove_bound(problem, grouping)
        assert not overcharged(problem, charges_by_row(problem, proven))
        helped += len(stuck) > before and (proven.charges > proven.cheapest.costs).any()
    assert helped > 5


def test_order_and_threads_do_not_matter(case, monkeypatch):
    problem, grouping = case
    shuffled = np.random.default_rng(1).permutation(problem.table.n_rows)
    table = problem.table.take(shuffled)
    again = Problem(table, Generalize().spaces(table), problem.models)
    monkeypatch.setattr("shoal._progress.cpu_count", lambda: 1)
    other = prove_bound(again, Grouping(grouping.labels[shuffled]))
    assert other.bound == prove_bound(problem, grouping).bound


def test_python_asks_for_it():
    table = town(60)
    quick = Anonymizer(privacy=KAnonymity(3)).fit(table)
    proved = Anonymizer(privacy=KAnonymity(3), bound="prove").fit(table)
    assert quick.ngil_bound_ <= proved.ngil_bound_ <= proved.loss_.ngil
    assert not quick.facts()["proved"]
    assert proved.facts()["proved"]
    with pytest.raises(InvalidParameterError, match="prove"):
        Anonymizer(privacy=KAnonymity(3), bound="dual").fit(table)
