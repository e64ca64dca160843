from __future__ import annotations

import datetime as dt
from collections import Counter

import numpy as np
import polars as pl
import pytest
from crowded_town import ROLES, TREES, summarized

from shoal.anonymizer import Anonymizer
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Calendar
from shoal.privacy import KAnonymity, Verdict
from shoal.recoding import Generalize
from shoal.report import GroupSizes, summarize, suppressed_step
from shoal.report._distributions import edge_labels, round_edges
from shoal.spaces import IntervalSpace, build_spaces
from shoal.table import Grouping, Roles, read_table

DASH = "–"


def chart(before, groups, *, kind=None, order=None, k=5, person=None, tree=None):
    """Sum up one column and return its chart as a dict of label -> (before, after)."""
    data = {"x": before} | ({} if person is None else {"p": person})
    roles = Roles(quasi_identifiers="x", person=None if person is None else "p")
    kinds = {"x": kind} if kind else None
    table = read_table(
        pl.DataFrame(data), roles=roles, kinds=kinds, orders={"x": order} if order else None
    )
    attribute = sum_up(table, groups, k=k, tree=tree).attributes[0]
    if attribute.distribution is None:
        return attribute, None
    return attribute, {s.label: (s.before, s.after) for s in attribute.distribution.slots}


def sum_up(table, groups, *, k=5, tree=None, **more):
    """Publish groups given by number and sum them up."""
    recoder = Generalize({"x": tree} if tree else None)
    recoded = recoder.recode(table, Grouping(np.asarray(groups)))
    return summarize(
        table,
        recoded.release_frame(table),
        recoded.grouping.labels,
        k=k,
        verdict=Verdict(()),
        spaces=recoder.spaces(table),
        **more,
    )


def each(values):
    """Give every distinct value a group of its own."""
    found = {}
    return [found.setdefault(value, len(found)) for value in values]


def test_an_interval_counts_as_uniform_over_its_width():
    _, slots = chart(["20"] * 10 + ["39"] * 10, [0] * 20, kind="numeric")
    assert slots == {"under 22": (0.5, 0.1), "22 and over": (0.5, 0.9)}


def test_whole_numbers_fall_into_round_slots():
    ages = [str(a) for a in range(20, 60) for _ in range(10)]
    _, slots = chart(ages, [0] * 400, kind="numeric")
    assert all(after == pytest.approx(before, abs=0.015) for before, after in slots.values())
    assert next(iter(slots)) == "under 25"


def test_no_slot_stands_for_fewer_people_than_k():
    rng = np.random.default_rng(1)
    for k in (5, 20, 90):
        values = np.round(rng.lognormal(3, 1.5, 300)).astype(int)
        attribute, slots = chart([str(v) for v in values], [0] * 300, kind="numeric", k=k)
        edges = [label.split(DASH)[0].split()[0].replace(",", "") for label in slots]
        starts = [-1, *map(int, edges[1:])]
        for i, start in enumerate(starts):
            stop = starts[i + 1] if i + 1 < len(starts) else 10**9
            assert ((values >= start) & (values < stop)).sum() >= k
        assert attribute.distribution.on_scale


def test_one_person_more_or_less_is_not_seen_in_shares_before():
    for n in (40, 200, 2000):
        _, slots = chart(["f"] * n + ["m"] * n, [0] * 2 * n, kind="nominal", k=10)
        assert slots is None  # hidden altogether: no name is public
        values = ["f"] * n + ["m"] * (n - 10) + ["f"] * 5 + ["m"] * 5
        groups = [0] * n + [1] * (n - 10) + [2] * 10
        _, slots = chart(values, groups, kind="nominal", k=10)
        step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2) if s * 2 * n >= 10)
        for before, _ in slots.values():
            assert before / step == pytest.approx(round(before / step))


def test_rare_names_are_pooled_and_the_pool_is_not_small():
    before = ["a"] * 50 + ["b"] * 30 + ["c"] * 8 + ["rare"] * 2
    _, slots = chart(before, each(before), kind="nominal", k=5)
    assert slots == {"a": (0.56, 0.56), "b": (0.33, 0.33), "other": (0.11, 0.11)}


def test_a_name_the_release_does_not_show_is_not_shown():
    before = ["a"] * 50 + ["secret"] * 25 + ["hidden"] * 25
    _, slots = chart(before, [0] * 50 + [1] * 50, kind="nominal")
    assert set(slots) == {"a", "other"}
    assert slots["a"] == (0.5, 1.0)  # every cell that says something says this


def test_published_groups_of_values_are_compared_as_groups():
    before = ["8010"] * 20 + ["8011"] * 20 + ["9010"] * 20 + ["9011"] * 20
    _, slots = chart(before, [0] * 40 + [1] * 40, kind="code")
    assert slots == {"801*": (0.5, 0.5), "901*": (0.5, 0.5)}


def test_an_order_is_kept_and_missing_has_a_slot():
    before = ["low"] * 10 + ["high"] * 30 + ["mid"] * 20 + [None] * 20
    _, slots = chart(before, each(before), kind="ordinal", order=["low", "mid", "high"])
    assert list(slots) == ["low", "mid", "high", "missing"]
    groups = [0] * 10 + [1] * 30 + [0] * 20 + [2] * 20
    _, slots = chart(before, groups, kind="ordinal", order=["low", "mid", "high"])
    assert slots == {"high": (0.4, 0.38), "missing": (0.2, 0.25), "other": (0.4, 0.38)}
    _, slots = chart(["1"] * 20 + [None] * 20, [0] * 20 + [1] * 20, kind="numeric")
    assert slots["missing"] == (0.5, 0.5)
    _, slots = chart(["1"] * 20 + [None], [0] * 20 + [1], kind="numeric")
    assert "missing" not in slots


def test_dates_stand_on_the_calendar():
    days = [str(dt.date(2000, 1, 1) + dt.timedelta(days=50 * i)) for i in range(200)]
    attribute, slots = chart(days, [0] * 200, kind="date")
    assert list(slots)[:2] == ["before 2005", "2005–2009"]
    assert attribute.distribution.overlap > 0.9
    years = each(day[:4] for day in days)
    attribute, _ = chart(days, years, kind="date", tree=Calendar())  # years as labels
    assert attribute.distribution.overlap > 0.9


def test_people_are_counted_not_rows():
    before = ["a"] * 50 + ["b"] * 50
    person = [f"p{i}" for i in range(50)] + ["one"] * 50
    _, slots = chart(before, each(before), kind="nominal", person=person)
    assert slots is None  # b is one person, so a alone would give it away
    values = [str(i // 10) for i in range(100)]
    person = [f"p{i // 10}" for i in range(100)]
    _, slots = chart(values, [0] * 100, kind="numeric", person=person)
    assert len(slots) == 2


def test_rows_that_name_nobody_add_no_person():
    person = ["a", "b", "c", None, None, "d", "e", "f", "g", None]
    data = pl.DataFrame({"x": ["1"] * 5 + ["2"] * 5, "p": person})
    table = read_table(data, roles=Roles(quasi_identifiers="x", person="p"))
    summary = sum_up(table, np.repeat([0, 1], 5), k=3)
    assert (summary.group_sizes.smallest, summary.group_sizes.largest) == (3, 4)


def test_exact_widened_and_hidden_cells_are_told_apart():
    attribute, _ = chart(["1", "2", "3", "4", None], [0, 1, 1, 2, 2], kind="numeric")
    assert (attribute.exact, attribute.widened, attribute.hidden) == (0.2, 0.4, 0.4)
    assert attribute.distribution is None  # four people are too few to draw


def test_the_number_of_suppressed_rows_is_told_in_coarse_steps():
    table = read_table(pl.DataFrame({"x": ["a"] * 400}), roles=Roles(quasi_identifiers="x"))

    def suppressed(n, **more):
        return sum_up(table, [-1] * n + [0] * (400 - n), k=10, **more).suppressed

    assert suppressed(0) == 0
    allowed = {n: suppressed(n, suppression=True) for n in (0, 1, 3, 19, 20, 39, 40, 300)}
    assert allowed == {
        **dict.fromkeys((0, 1, 3, 19), "fewer than 5 %"),
        **dict.fromkeys((20, 39), "fewer than 10 %"),
        40: "fewer than 20 %",
        300: "fewer than 100 %",
    }


@pytest.mark.parametrize("total", [10, 23, 400, 30_162])
@pytest.mark.parametrize("least", [5, 10])
def test_every_step_holds_at_least_k_numbers(total, least):
    steps = Counter(suppressed_step(gone, total, least) for gone in range(total))
    assert min(steps.values()) >= least


def test_groups_and_risk_are_counted_on_what_is_published():
    table, recoded, summary = summarized(n=800)
    sizes = recoded.release_frame(table).group_by(ROLES.quasi_identifiers).len()["len"]
    assert summary.group_sizes.groups == len(sizes)
    assert summary.group_sizes.smallest == sizes.min()
    assert summary.group_sizes.largest == sizes.max()
    assert summary.utility["discernibility"] == (sizes**2).sum()
    assert summary.risk["prosecutor_max_risk"] == pytest.approx(1 / sizes.min(), abs=1e-6)
    assert summary.risk["avg_risk_per_record"] == pytest.approx(len(sizes) / 800, abs=1e-6)
    assert sum(slot.groups for slot in summary.group_sizes.slots) == len(sizes)


def test_without_quasi_identifiers_all_rows_are_one_crowd():
    frame = pl.DataFrame({"x": ["a", "b"]})
    assert GroupSizes.count(frame, []).smallest == 2
    assert GroupSizes.count(frame, [], np.array([3, 3])).smallest == 1


def test_a_bound_is_told_in_two_digits_and_rounded_down():
    assert summarized(n=300, bound=0.07699)[2].utility["ngil_bound"] == 0.076
    assert "ngil_bound" not in summarized(n=300, bound=0.07699, suppression=True)[2].utility
    assert "ngil_bound" not in summarized(n=300, bound=0.0)[2].utility


def test_input_order_changes_nothing():
    table, recoded, summary = summarized(n=600)
    order = np.random.default_rng(0).permutation(600)
    shuffled = read_table(table.frame[order], roles=table.roles, kinds=dict(table.kinds))
    again = summarize(
        shuffled,
        recoded.release_frame(table)[order],
        recoded.grouping.labels[order],
        k=10,
        verdict=Verdict(()),
        spaces=Generalize(TREES).spaces(shuffled),
    )
    assert again.attributes == summary.attributes
    assert again.sample == summary.sample


def test_the_sample_is_of_the_release():
    table, recoded, summary = summarized(n=500)
    rows = {tuple(cell or "" for cell in row) for row in recoded.release_frame(table).rows()}
    assert len(summary.sample.rows) == 8
    assert all(row in rows for row in summary.sample.rows)


def test_shapes_must_agree():
    table = read_table(pl.DataFrame({"x": ["a", "b"]}), roles=Roles(quasi_identifiers="x"))
    with pytest.raises(InvalidParameterError):
        summarize(
            table,
            pl.DataFrame({"x": ["a"]}),
            np.array([0, 0]),
            k=2,
            verdict=Verdict(()),
            spaces=build_spaces(table),
        )


@pytest.mark.parametrize(
    "numbers", [[5.0], [0.0, 1e-9], [1e12, 3e12], [-40.0, -3.5, 12.25], list(range(100_000))]
)
def test_edges_are_round_whatever_the_values(numbers):
    numbers = np.array(numbers, dtype=float)
    edges = round_edges(numbers, np.ones(numbers.size, dtype=int), "numeric")
    assert edges.size <= 14
    assert (np.diff(edges) > 0).all()
    assert len(edge_labels(edges, "numeric", whole=False)) == edges.size + 1


@pytest.mark.parametrize("span", [1, 40, 400, 4_000, 40_000, 700_000])
def test_calendar_edges_are_first_days_of_months(span):
    first = dt.date(31, 5, 17).toordinal() if span > 40_000 else dt.date(1970, 5, 17).toordinal()
    days = np.array([first, first + span // 2, first + span], dtype=float)
    edges = round_edges(days, np.ones(3, dtype=int), "date")
    assert all(dt.date.fromordinal(int(edge)).day == 1 for edge in edges)
    assert len(edge_labels(edges, "date", whole=True)) == edges.size + 1


@pytest.mark.parametrize("base", [0, 10**17, 10**30])
def test_a_public_loss_follows_from_published_decimals_however_large(base):
    texts = tuple(str(base + step) for step in (0, 5, 20, 40))
    numbers = np.array([float(text) for text in texts])
    space = IntervalSpace(
        "age", np.arange(4), 4, -1, None, numbers, numbers, texts, texts, 40.0,
        range=(texts[0], texts[-1]),
    )  # fmt: skip
    lo, hi = np.array([0, 1]), np.array([1, 2])  # the last value was suppressed: nobody shows it
    assert space.released_loss(lo, hi).tolist() == [0.25, 0.75]


@pytest.mark.parametrize(
    ("grid", "told"), [(None, True), ({"age": 5}, True), ({"age": 5, "size": 10}, False)]
)
def test_ends_of_intervals_are_told_of_unless_all_of_them_lie_on_a_grid(grid, told):
    frame = pl.DataFrame({"age": range(20, 40), "size": range(150, 170)})
    table = read_table(frame, roles=Roles(quasi_identifiers=["age", "size"]))
    made = Anonymizer(recoding=Generalize(grid=grid), privacy=KAnonymity(5)).fit(table).summary_
    assert ("Interval ends" in [note.title for note in made.not_promised]) == told
