"""Large tables are grouped in parts, side by side: the same groups on any number of cores."""

from __future__ import annotations

import threading
from functools import partial

import numpy as np
import pytest

from shoal import _progress
from shoal._progress import CountedProgress
from shoal.datasets import people
from shoal.exceptions import CancelledError
from shoal.grouping import Problem, SaNGreeA, _parts, _sangreea
from shoal.privacy import DistinctLDiversity, KAnonymity, TCloseness
from shoal.recoding import Generalize
from shoal.testing import check_grouper, check_grouping
from shoal.utility import measure_loss


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    """Cut what is small for once."""
    monkeypatch.setattr(_parts, "PARTED_ROWS", 400)
    monkeypatch.setattr(_parts, "CROWDS", 20)
    monkeypatch.setattr(_parts, "COMPANY", 5)


@pytest.fixture(scope="module")
def town():
    return people(2_000)


def problem_of(town, rows=None, models=(KAnonymity(5),), suppression=0.0, limits=None):
    table = town.table() if rows is None else town.table().take(rows)
    spaces = Generalize(town.hierarchies, limits=limits).spaces(table)
    return Problem(table, spaces, models, suppression)


def lost(problem, grouper):
    return measure_loss(problem.spaces, grouper.grouping_).ngil


@pytest.mark.parametrize("refine", [False, True])
@pytest.mark.parametrize("order", ["best-first", "common"])
def test_parts_lose_hardly_more_than_the_whole(town, monkeypatch, order, refine):
    problem = problem_of(town)
    parted = SaNGreeA(order=order, refine=refine).fit(problem)
    check_grouping(problem, parted.grouping_)
    assert " parts" in parted.method_
    monkeypatch.setattr(_parts, "PARTED_ROWS", 10**9)
    whole = SaNGreeA(order=order, refine=refine).fit(problem_of(town))
    assert " parts" not in whole.method_
    assert lost(problem, parted) < 1.06 * lost(problem, whole)


def test_any_number_of_cores_makes_the_same_groups(town, monkeypatch):
    made = []
    for cores in (1, 3):
        monkeypatch.setattr(_progress, "cpu_count", lambda cores=cores: cores)
        made.append(SaNGreeA().fit(problem_of(town)).grouping_.labels)
    assert np.array_equal(*made)


def test_the_part_with_the_most_cells_is_first_for_it_takes_longest(town):
    problem = problem_of(town)
    parts = _parts.parts_of(problem, partial(_sangreea._group_sample, problem))
    sizes = [part.size for part in parts]
    assert len(sizes) > 2
    assert sizes == sorted(sizes, reverse=True)
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(problem.cells.copies.size))


def test_no_two_sheaves_of_the_sample_share_a_group(town):
    """Each row of the sample is grouped in one sheaf, by k as if the whole table were there."""
    problem, asked, made = problem_of(town, models=(KAnonymity(9),)), [], []

    def group(cells, copies, k):
        asked.append((copies.sum(), k))
        made.append(_sangreea._group_sample(problem, cells, copies, k))
        return made[-1]

    both = _parts.grouped_sample(problem, 2_000, group)
    assert sorted(asked) == [(1_000, 4)] * 2
    assert len(both.codes) == sum(len(sheaf.codes) for sheaf in made)
    assert np.unique(both.groups).size == sum(np.unique(sheaf.groups).size for sheaf in made)


def test_the_order_of_rows_changes_nothing(town):
    rows = np.random.default_rng(3).permutation(2_000)
    labels = SaNGreeA().fit(problem_of(town)).grouping_.labels[rows]
    shuffled = SaNGreeA().fit(problem_of(town, rows)).grouping_.labels
    pairs = {*zip(labels.tolist(), shuffled.tolist(), strict=True)}
    assert len(pairs) == len({*labels.tolist()}) == len({*shuffled.tolist()})


def test_models_hold_in_parts_too(town):
    models = (KAnonymity(4), DistinctLDiversity(3, "diagnosis"))
    problem = problem_of(town, models=models)
    grouper = SaNGreeA().fit(problem)
    assert " parts" in grouper.method_
    check_grouping(problem, grouper.grouping_)


@pytest.mark.parametrize("order", ["best-first", "common"])
def test_limits_hold_in_parts_and_lose_hardly_more(town, monkeypatch, order):
    problem = problem_of(town, limits={"age": 40})
    parted = SaNGreeA(order=order).fit(problem)
    check_grouping(problem, parted.grouping_)
    assert " parts" in parted.method_
    monkeypatch.setattr(_parts, "PARTED_ROWS", 10**9)
    whole = SaNGreeA(order=order).fit(problem_of(town, limits={"age": 40}))
    assert lost(problem, parted) < 1.06 * lost(problem, whole)


@pytest.mark.parametrize("parts", [9, 60])
def test_whoever_finds_company_only_across_a_cut_finds_it(town, monkeypatch, parts):
    """However the table is cut, here by chance, nobody is left out whom the whole would take."""

    def cut_by_chance(problem, group_sample):
        part = np.random.default_rng(0).integers(0, parts, problem.cells.copies.size)
        return [np.flatnonzero(part == p) for p in range(parts)]

    monkeypatch.setattr(_parts, "parts_of", cut_by_chance)
    problem = problem_of(town, limits={"age": 8})
    grouper = SaNGreeA(refine=False).fit(problem)
    check_grouping(problem, grouper.grouping_)
    assert not grouper.grouping_.n_suppressed
    assert " parts" in grouper.method_


def test_parts_in_which_somebody_fits_nowhere_are_given_up(town, monkeypatch):
    def all_but_one(problem, pieces, *rest):
        pieces[0, 2] = -1
        return pieces

    monkeypatch.setattr(_sangreea, "_mended", all_but_one)
    problem = problem_of(town, limits={"age": 40})
    grouper = SaNGreeA(refine=False).fit(problem)
    check_grouping(problem, grouper.grouping_)
    assert " parts" not in grouper.method_


def test_groups_that_must_look_like_the_table_are_not_kept_from_what_they_lack(town):
    problem = problem_of(town, models=(KAnonymity(5), TCloseness(0.3, "diagnosis")))
    grouper = SaNGreeA(refine=False).fit(problem)
    check_grouping(problem, grouper.grouping_)
    assert " parts" not in grouper.method_


def test_a_table_of_large_crowds_is_cut_while_both_sides_hold_enough_of_them(town, monkeypatch):
    monkeypatch.setattr(_parts, "CROWDS", 10**6)
    for pair, parted in ((200, True), (201, False)):  # times k = 5, of 2,000 rows
        monkeypatch.setattr(_parts, "PAIR", pair)
        grouper = SaNGreeA(refine=False).fit(problem_of(town))
        assert (" parts" in grouper.method_) == parted


def test_where_rows_may_be_left_out_the_table_stays_whole(town):
    grouper = SaNGreeA(refine=False).fit(problem_of(town, suppression=0.02))
    assert " parts" not in grouper.method_


def test_the_battery_passes_in_parts(monkeypatch):
    monkeypatch.setattr(_parts, "PARTED_ROWS", 20)
    monkeypatch.setattr(_parts, "CROWDS", 3)
    check_grouper(SaNGreeA(), tables=6, seed=11)


def test_progress_counts_rows_and_stops_all_parts(town):
    progress = CountedProgress()
    SaNGreeA(refine=False).fit(problem_of(town), progress)
    assert 1_800 < progress.done <= progress.total == 2_000  # a few are left over
    progress.cancelled = True
    with pytest.raises(CancelledError):
        SaNGreeA(refine=False).fit(problem_of(town), progress)
    assert threading.active_count() < 20
