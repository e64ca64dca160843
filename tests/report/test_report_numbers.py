from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest
from crowded_town import ROLES, summarized

from shoal.exceptions import InvalidParameterError
from shoal.privacy import Verdict
from shoal.report import summarize
from shoal.report._grids import edge_labels, round_edges
from shoal.report._sizes import GroupSizes
from shoal.table import Roles, read_table


def chart(before, after, *, kind=None, order=None, k=5, person=None):
    """Sum up one column and return its chart as a dict of label -> (before, after)."""
    data = {"x": before} | ({} if person is None else {"p": person})
    roles = Roles(quasi_identifiers="x", person=None if person is None else "p")
    kinds = {"x": kind} if kind else None
    table = read_table(
        pl.DataFrame(data), roles=roles, kinds=kinds, orders={"x": order} if order else None
    )
    released = pl.DataFrame({"x": after})
    labels = np.zeros(len(before), dtype=int)
    summary = summarize(table, released, labels, k=k, verdict=Verdict(()), losses={"x": 0.5})
    attribute = summary.attributes[0]
    if attribute.distribution is None:
        return attribute, None
    return attribute, {s.label: (s.before, s.after) for s in attribute.distribution.slots}


def test_an_interval_counts_as_uniform_over_its_width():
    _, slots = chart(["20"] * 10 + ["39"] * 10, ["[20, 39]"] * 20, kind="numeric")
    assert slots == {"under 22": (0.5, 0.1), "22 and over": (0.5, 0.9)}


def test_whole_numbers_fall_into_round_slots():
    ages = [str(a) for a in range(20, 60) for _ in range(10)]
    _, slots = chart(ages, ["[20, 59]"] * 400, kind="numeric")
    assert all(after == pytest.approx(before, abs=0.001) for before, after in slots.values())
    assert next(iter(slots)) == "under 25"


def test_no_slot_stands_for_fewer_people_than_k():
    rng = np.random.default_rng(1)
    for k in (5, 20, 90):
        values = np.round(rng.lognormal(3, 1.5, 300)).astype(int)
        _, slots = chart([str(v) for v in values], ["*"] * 300, kind="numeric", k=k)
        assert all(before * 300 >= k - 0.1 for before, _ in slots.values())


def test_rare_names_are_pooled_and_the_pool_is_not_small():
    before = ["a"] * 50 + ["b"] * 30 + ["c"] * 8 + ["rare"] * 2
    _, slots = chart(before, before, kind="nominal", k=5)
    assert slots == {"a": (0.5556, 0.5556), "b": (0.3333, 0.3333), "other": (0.1111, 0.1111)}


def test_a_name_the_release_does_not_show_is_not_shown():
    before = ["a"] * 50 + ["secret"] * 50
    _, slots = chart(before, ["a"] * 50 + ["*"] * 50, kind="nominal")
    assert set(slots) == {"a", "other"}
    assert slots["a"] == (0.5, 0.75)  # the hidden half may be either


def test_published_groups_of_values_are_compared_as_groups():
    before = ["8010"] * 20 + ["8011"] * 20 + ["9010"] * 20 + ["9011"] * 20
    after = ["801*"] * 40 + ["901*"] * 40
    _, slots = chart(before, after, kind="code")
    assert slots == {"801*": (0.5, 0.5), "901*": (0.5, 0.5)}


def test_an_order_is_kept_and_missing_has_a_slot():
    before = ["low"] * 10 + ["high"] * 30 + ["mid"] * 20 + [None] * 20
    _, slots = chart(before, before, kind="ordinal", order=["low", "mid", "high"])
    assert list(slots) == ["low", "mid", "high", "missing"]
    _, slots = chart(["1"] * 20 + [None] * 20, ["1"] * 20 + [None] * 20, kind="numeric")
    assert slots["missing"] == (0.5, 0.5)
    _, slots = chart(["1"] * 20 + [None], ["1"] * 20 + [None], kind="numeric")
    assert "missing" not in slots


def test_dates_stand_on_the_calendar():
    days = [str(dt.date(2000, 1, 1) + dt.timedelta(days=50 * i)) for i in range(200)]
    attribute, slots = chart(days, [f"[{days[0]}, {days[-1]}]"] * 200, kind="date")
    assert list(slots)[:2] == ["before 2005", "2005–2009"]
    assert attribute.distribution.overlap > 0.98
    attribute, _ = chart(days, [day[:4] for day in days], kind="date")  # years as labels
    assert attribute.distribution.overlap == 1


def test_people_are_counted_not_rows():
    before = ["a"] * 50 + ["b"] * 50
    person = [f"p{i}" for i in range(50)] + ["one"] * 50
    _, slots = chart(before, before, kind="nominal", person=person)
    assert slots is None  # b is one person, so a alone would give it away
    _, slots = chart(
        [str(i // 10) for i in range(100)],
        ["*"] * 100,
        kind="numeric",
        person=[f"p{i // 10}" for i in range(100)],
    )
    assert len(slots) == 2


def test_rows_that_name_nobody_add_no_person():
    person = ["a", "b", "c", None, None, "d", "e", "f", "g", None]
    data = pl.DataFrame({"x": ["1"] * 5 + ["2"] * 5, "p": person})
    table = read_table(data, roles=Roles(quasi_identifiers="x", person="p"))
    labels = np.repeat([0, 1], 5)
    summary = summarize(table, data.select("x"), labels, k=3, verdict=Verdict(()), losses={})
    assert (summary.group_sizes.smallest, summary.group_sizes.largest) == (3, 4)


def test_exact_widened_and_hidden_cells_are_told_apart():
    attribute, _ = chart(["1", "2", "3", "4"], ["1", "[2, 3]", "[2, 3]", "*"], kind="numeric")
    assert (attribute.exact, attribute.widened, attribute.hidden) == (0.25, 0.5, 0.25)
    assert attribute.distribution is None  # four people are too few to draw


def test_small_numbers_of_suppressed_rows_are_not_told():
    table = read_table(pl.DataFrame({"x": ["a"] * 40}), roles=Roles(quasi_identifiers="x"))

    def suppressed(n):
        labels = np.array([-1] * n + [0] * (40 - n))
        released = pl.DataFrame({"x": ["a"] * (40 - n)})
        verdict = Verdict(())
        summary = summarize(table, released, labels, k=10, verdict=verdict, losses={})
        return summary.suppressed

    assert [suppressed(n) for n in (0, 1, 9, 10)] == [0, "fewer than 10", "fewer than 10", 10]


def test_groups_and_risk_are_counted_on_what_is_published():
    _, released, summary = summarized(n=800)
    sizes = released.group_by(ROLES.quasi_identifiers).len()["len"]
    assert summary.group_sizes.groups == len(sizes)
    assert summary.group_sizes.smallest == sizes.min()
    assert summary.group_sizes.largest == sizes.max()
    assert summary.risk["prosecutor_max_risk"] == pytest.approx(1 / sizes.min(), abs=1e-6)
    assert summary.risk["avg_risk_per_record"] == pytest.approx(len(sizes) / 800, abs=1e-6)
    assert sum(slot.groups for slot in summary.group_sizes.slots) == len(sizes)


def test_without_quasi_identifiers_all_rows_are_one_crowd():
    frame = pl.DataFrame({"x": ["a", "b"]})
    assert GroupSizes.count(frame, []).smallest == 2
    assert GroupSizes.count(frame, [], np.array([3, 3])).smallest == 1


def test_input_order_changes_nothing():
    table, released, summary = summarized(n=600)
    order = np.random.default_rng(0).permutation(600)
    shuffled = read_table(table.frame[order], roles=table.roles, kinds=dict(table.kinds))
    again = summarize(
        shuffled,
        released[order],
        np.zeros(600, dtype=int),
        k=10,
        verdict=Verdict(()),
        losses={a.name: a.loss for a in summary.attributes},
    )
    assert again.attributes == summary.attributes
    assert again.sample == summary.sample


def test_the_sample_is_of_the_release():
    _, released, summary = summarized(n=500)
    rows = {tuple(cell or "" for cell in row) for row in released.rows()}
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
            losses={},
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
