"""Reading what was published: numbers, dates, ranks, intervals, calendar labels, kinds."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.hierarchies import Calendar, Intervals
from shoal.utility._features._scales import DateScale, NumberScale, RankScale
from shoal.utility._kinds import original_kind

EPOCH = dt.date(1970, 1, 1)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("17", (17, 17)),
        ("-2.50", (-2.5, -2.5)),
        ("1e3", (1000, 1000)),
        ("[17, 25]", (17, 25)),
        ("[0.5, 1)", (0.5, 1)),
        ("(-5, -1]", (-5, -1)),
        ("[17,25]", (17, 25)),
    ],
)
def test_numbers_and_intervals(text: str, span: tuple[float, float]) -> None:
    assert NumberScale().read(text) == span


@pytest.mark.parametrize(
    "text", ["", "*", "cat", "[25, 17]", "[17]", "[17, 25, 30]", "1_000", "inf", "1e999", "٣"]
)
def test_what_is_no_number(text: str) -> None:
    assert NumberScale().read(text) is None


@given(st.lists(st.integers(-500, 500), min_size=1, max_size=20, unique=True))
def test_every_bin_of_an_interval_ladder_holds_its_numbers(numbers: list[int]) -> None:
    tree = Intervals([5, 20, 100]).arrange([str(number) for number in numbers])
    for first in range(tree.n_leaves):
        for last in range(first, tree.n_leaves):
            label = tree.node_labels[tree.lca(first, last)]
            span = NumberScale().read(label)
            if label == "*":
                continue
            assert span is not None
            held = (float(tree.node_labels[i]) for i in range(first, last + 1))
            assert all(span[0] <= number <= span[1] for number in held)


def days(text: str) -> float:
    return float((dt.date.fromisoformat(text) - EPOCH).days)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2020-03-17", "2020-03-17", "2020-03-17"),
        ("[2020-01-01, 2020-12-31]", "2020-01-01", "2020-12-31"),
        ("2020-02", "2020-02-01", "2020-02-29"),
        ("2021-02", "2021-02-01", "2021-02-28"),
        ("2020-Q4", "2020-10-01", "2020-12-31"),
        ("1987", "1987-01-01", "1987-12-31"),
        ("1980s", "1980-01-01", "1989-12-31"),
        ("0000s", "0001-01-01", "0009-12-31"),
    ],
)
def test_dates_and_calendar_labels(text: str, first: str, last: str) -> None:
    assert DateScale().read(text) == (days(first), days(last))


@pytest.mark.parametrize(
    "text", ["2020-02-30", "2020-13", "2020-Q5", "12", "*", "20200317", "2020-W01"]
)
def test_what_is_no_date(text: str) -> None:
    assert DateScale().read(text) is None


def test_times_and_zones() -> None:
    assert DateScale().read("1970-01-01T12:00") == (0.5, 0.5)
    assert DateScale().read("1970-01-01 12:00:00.123456789") is not None
    assert DateScale().read("1970-01-01T12:00:00+12:00") == (0.0, 0.0)


@given(st.lists(st.dates(dt.date(1995, 11, 1), dt.date(2011, 2, 28)), min_size=2, unique=True))
def test_every_calendar_label_holds_its_dates(dates: list[dt.date]) -> None:
    tree = Calendar().arrange([str(date) for date in dates])
    for first in range(tree.n_leaves - 1):
        label = tree.node_labels[tree.lca(first, first + 1)]
        span = DateScale().read(label)
        if label != "*":
            assert span is not None
            assert span[0] <= days(tree.node_labels[first]) < days(tree.node_labels[first + 1])
            assert days(tree.node_labels[first + 1]) <= span[1]


def test_ranks_may_hold_commas() -> None:
    scale = RankScale({"none": 0, "some, but mild": 1, "severe": 2})
    assert scale.read("[none, some, but mild]") == (0, 1)
    assert scale.read("[some, but mild, severe]") == (1, 2)
    assert scale.read("[severe, none]") is None


@pytest.mark.parametrize(
    ("name", "texts", "kind"),
    [
        ("age", ["17", "[20, 25]", "*"], "numeric"),
        ("zip", ["1234", "*"], "code"),
        ("district", ["80**", "8010", "*"], "code"),
        ("born", ["[2020-01-01, 2020-12-31]", "2021-05-05"], "date"),
        ("born", ["2020-03", "2021", "2020s"], "date"),
        ("place", ["Europe/*", "Asia/Japan"], "nominal"),
        ("pain", ["[low, high]", "low"], "nominal"),
        ("job", ["*"], "nominal"),
        ("job", ["nurse", "clerk"], "nominal"),
    ],
)
def test_kinds_behind_labels(name: str, texts: list[str], kind: str) -> None:
    assert original_kind(name, "nominal", texts) == kind
