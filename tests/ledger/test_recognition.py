"""Who is in both of two releases: the numbers that decide, against slow twins, and their limits."""

from __future__ import annotations

from dataclasses import replace
from math import comb, sqrt

import numpy as np
import polars as pl
import pytest

from shoal.ledger import Trace, compose, trace_release
from shoal.ledger._recognition import (
    BEYOND_CHANCE,
    FEW_PAIRS,
    KINDS,
    RARE,
    _Columns,
    _Match,
    meet,
)
from shoal.ledger._tracing import canonical_texts
from shoal.table import Grouping, Roles, read_table

KEY = b"k" * 32


def match(ours, theirs):
    return _Match(*(np.repeat(np.arange(len(n)), n).astype(np.uint64) for n in (ours, theirs)))


def slow_deviations(ours, theirs):
    """How many standard deviations below its mean the sum of squared differences is."""
    p = sum(ours) / (sum(ours) + sum(theirs))
    excess = variance = 0.0
    for a, b in zip(ours, theirs, strict=True):
        t = a + b
        spread = t * p * (1 - p)
        excess += (a - t * p) ** 2 / spread - 1
        fourth = spread * (1 + 3 * (t - 2) * p * (1 - p))  # central moment of a binomial
        variance += fourth / spread**2 - 1
    return -excess / sqrt(max(variance, 1e-9))


def slow_real(ours, theirs):
    n, m = sum(ours), sum(theirs)
    if n * m <= FEW_PAIRS or (len(ours) >= KINDS and ours == theirs):
        return True
    alike = sum(comb(a, 2) + comb(b, 2) for a, b in zip(ours, theirs, strict=True)) + 1
    by_chance = alike / (comb(n, 2) + comb(m, 2)) * n * m
    equal = sum(a * b for a, b in zip(ours, theirs, strict=True))
    return by_chance <= RARE * equal or slow_deviations(ours, theirs) >= BEYOND_CHANCE


def drawn(seed):
    """Counts of some kinds of rows in two tables that share many, some or no people."""
    rng = np.random.default_rng(seed)
    kinds = int(rng.integers(2, 400))
    often = rng.exponential(size=kinds) * rng.choice([0.2, 1, 5])
    shared = rng.poisson(often * rng.choice([0, 0.2, 1, 4]))
    ours, theirs = (shared + rng.poisson(often * rng.choice([0.1, 1])) for _ in range(2))
    there = ours + theirs > 0
    return ours[there].tolist(), theirs[there].tolist()


def test_deviations_and_what_is_real_agree_with_slow_twins():
    answers = []
    for seed in range(600):
        ours, theirs = drawn(seed)
        if sum(ours) and sum(theirs):
            found = match(ours, theirs)
            assert found.deviations == pytest.approx(slow_deviations(ours, theirs), abs=1e-6)
            assert found.real == slow_real(ours, theirs), (ours, theirs)
            answers.append(found.real)
    assert 100 < sum(answers) < len(answers) - 100  # both happen


@pytest.mark.parametrize(
    ("ours", "theirs", "real"),
    [
        ([1] * 20 + [0] * 20, [0] * 20 + [1] * 20, True),  # 400 pairs: never put down to chance
        ([1] * 20 + [0] * 21, [0] * 20 + [1] * 21, False),
        ([3] * 8, [3] * 8, True),  # of eight kinds, the same of each
        ([4] * 7, [4] * 7, False),
    ],
)
def test_few_people_and_few_kinds(ours, theirs, real):
    assert match(ours, theirs).real is real


@pytest.mark.parametrize(
    ("n", "m", "equal", "pairs", "real"),
    [
        (10, 42, 2, (0, 0), False),
        (10, 42, 5, (0, 0), True),
        (10, 42, 8, (1, 0), False),
        (10, 42, 2, (0, 1), False),
        (10, 42, 9, (0, 1), False),
        (10, 44, 9, (0, 1), True),
        (10, 66, 3, (0, 0), False),
        (11, 54, 4, (0, 0), True),
    ],
)
def test_chance_explains_as_many_equal_rows_as_are_within_the_tables(n, m, equal, pairs, real):
    """Rows of one kind in one table, two of them if they are pairs, and some kinds in both."""
    mine, yours = (size - equal - 2 * two for size, two in zip((n, m), pairs, strict=True))
    ours = [1] * equal + [1] * mine + [2] * pairs[0] + [0] * (yours + pairs[1])
    theirs = [1] * equal + [0] * (mine + pairs[0]) + [1] * yours + [2] * pairs[1]
    found = match(ours, theirs)
    assert found.deviations < BEYOND_CHANCE
    assert found.real is slow_real(ours, theirs) is real


def test_a_table_without_rows_is_like_none():
    assert match([2, 1], [0, 0]).deviations == 0.0
    assert match([0, 0], [2, 1]).deviations == 0.0


def test_exactly_four_deviations_are_enough():
    found = match([0] * 30 + [1] * 30, [1] * 30 + [0] * 30)
    assert not found.real
    again = match([0] * 30 + [1] * 30, [1] * 30 + [0] * 30)
    again.__dict__["deviations"] = BEYOND_CHANCE  # as if it had been counted
    assert again.real


def people(n=400, seed=0, kinds=4):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 90, n),
            "zip": rng.choice([f"{z}" for z in range(1000, 1040)], n),
            "ill": rng.choice([f"ill {i}" for i in range(kinds)], n),
            "ward": rng.choice(["A", "B", "C"], n),
        }
    )


def trace(frame, quasi=("age", "zip"), groups=None):
    labels = np.arange(frame.height) // 4 if groups is None else groups
    table = read_table(frame, roles=Roles(quasi_identifiers=quasi))
    return trace_release(table, Grouping(labels), KEY, k=4)


def corrected(frame, name, share, seed=1):
    """The same people, of whom some have another value now."""
    rng = np.random.default_rng(seed)
    rows = rng.random(frame.height) < share
    values = frame[name].to_list()
    other = [values[i] + " or so" if rows[i] else values[i] for i in range(frame.height)]
    return frame.with_columns(pl.Series(name, other))


@pytest.mark.parametrize(("share", "same"), [(0.0, True), (0.05, True), (0.2, False)])
def test_a_renamed_column_is_the_same_if_few_of_its_values_changed(share, same):
    frame = people(kinds=8)
    later = corrected(frame, "ill", share).rename({"ill": "diagnosis"})
    assert ("diagnosis" in _Columns(trace(later), trace(frame)).agreeing) is same


def test_a_nearly_constant_column_must_agree_for_nearly_everybody():
    """Chance alone makes two columns agree for whoever has the value that most people have."""
    rng = np.random.default_rng(3)
    frame = people().with_columns(flag=pl.Series(np.where(rng.random(400) < 0.9, "no", "yes")))
    later = corrected(frame, "flag", 0.06).rename({"flag": "mark"})
    assert "mark" not in _Columns(trace(later), trace(frame)).agreeing
    later = corrected(frame, "flag", 0.01).rename({"flag": "mark"})
    assert _Columns(trace(later), trace(frame)).agreeing["mark"] == "flag"


def test_half_of_the_people_are_found_though_a_column_came():
    """Neither whole rows agree, nor is everybody there: what still agrees tells who is who."""
    frame, others = people(), people(seed=9)
    later = pl.concat([frame[:200], others[:200]]).with_columns(more=pl.int_range(pl.len()))
    found = meet(trace(later), trace(frame))
    assert found is not None
    assert (found.crowds[:200] >= 0).sum() >= 190
    assert (found.crowds[200:] >= 0).sum() <= 10


def test_what_only_a_cluster_saw_is_known_by_its_rows():
    one = trace(people())
    far = Trace(one.rows, one.people, one.groups)  # nobody computed what else it is known by
    assert far.known.size == far.canonical.size == far.lost.size == 0
    assert (far.k, far.quasi, far.identity) == (0, (), "")
    assert compose(far, [replace(far, k=4)]).people == 400
    assert compose(far, [one]).people == 400
    assert _Columns(far, one).agreeing == {}


def test_missing_cells_stay_missing_among_numbers():
    told = canonical_texts(pl.Series(["34.0", None, " A"]))
    assert told.to_list() == ["34", None, "a"]


@pytest.mark.parametrize("power", [5, 21, 22, 30, 300])
def test_large_numbers_have_one_text_however_they_are_written(power):
    ways = [f"1e{power}", f"1{'0' * power}", f"1{'0' * power}.0", f"+0.1e{power + 1}"]
    assert canonical_texts(pl.Series(ways)).n_unique() == 1
    small = [f"1e-{power}", f"0.{'0' * (power - 1)}1", f".{'0' * (power - 1)}10"]
    assert canonical_texts(pl.Series(small)).n_unique() == 1
