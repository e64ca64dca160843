"""Masks, calendars and intervals against slow twins that write every path out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.exceptions import HierarchyGapError, HierarchyShapeError, InvalidParameterError
from shoal.hierarchies import Calendar, Hierarchy, Intervals, Mask

Path = list[tuple[object, str, int]]  # what tells a node apart, its label, its height


def assert_like_twin(hierarchy: Hierarchy, labels: list[str], path: Callable[[str], Path]) -> None:
    arrangement = hierarchy.arrange(labels)
    for a, first in enumerate(labels):
        for b, last in enumerate(labels):
            node = arrangement.lca(int(arrangement.position[a]), int(arrangement.position[b]))
            above = {key for key, _, _ in path(first)}
            label, height = next((name, h) for key, name, h in path(last) if key in above)
            assert (arrangement.node_labels[node], arrangement.node_heights[node]) == (
                label,
                height,
            )


@given(st.lists(st.text("01x*\0é", max_size=5), unique=True, max_size=12))
def test_mask_agrees_with_the_slow_twin(codes: list[str]) -> None:
    height = max([1, *map(len, codes)])

    def path(code: str) -> Path:
        masked = [
            ((code[: len(code) - i], i), code[: len(code) - i] + "*" * i, i)
            for i in range(len(code))
        ]
        return [*(masked or [(("", 0), "", 0)]), ("root", "*", height)]

    assert_like_twin(Mask(), codes, path)


def test_mask_publishes_the_forms_of_the_design_page() -> None:
    codes = Mask().arrange(["8010", "8011", "8020", "8100", "9000"])
    assert [codes.node_labels[node] for node in codes.gap_nodes] == ["801*", "80**", "8***", "*"]
    assert codes.node_heights[codes.gap_nodes].tolist() == [1, 2, 3, 4]


def test_codes_of_different_length_share_only_the_root() -> None:
    codes = Mask().arrange(["801", "8010", "01234", "1234"])
    assert {codes.node_labels[node] for node in codes.gap_nodes} == {"*"}
    assert codes.height == 5


days = st.dates(dt.date(1995, 11, 1), dt.date(2011, 2, 28))


def calendar_path(label: str) -> Path:
    year, month = int(label[:4]), int(label[5:7])
    names = [label[:7], f"{year:04d}-Q{(month - 1) // 3 + 1}", f"{year:04d}", f"{label[:3]}0s", "*"]
    return [("leaf" + label, label, 0), *((name, name, i + 1) for i, name in enumerate(names))]


@given(st.lists(days.map(str), unique=True, max_size=12))
def test_calendar_agrees_with_the_slow_twin(labels: list[str]) -> None:
    assert_like_twin(Calendar(), labels, calendar_path)


@given(st.lists(st.datetimes(dt.datetime(2019, 12, 30), dt.datetime(2020, 1, 2)), unique=True))
def test_dates_with_a_time_meet_in_the_day_first(moments: list[dt.datetime]) -> None:
    labels = [moment.isoformat(" ") for moment in moments[:12]]

    def path(label: str) -> Path:
        leaf, *above = calendar_path(label)
        return [leaf, (label[:10], label[:10], 1), *((k, name, h + 1) for k, name, h in above)]

    assert_like_twin(Calendar(), labels, path)


def test_calendar_reads_times_and_zones_as_written() -> None:
    labels = ["2020-03-01T23:59:59.5Z", "2020-03-01 00:00+02:00", "2020-03-01", "0999-12-31T00:00"]
    dates = Calendar().arrange(labels)
    assert dates.height == 6
    assert dates.node_labels[4:] == ("2020-03-01", "*")


@pytest.mark.parametrize(
    "text",
    ["2024-02-30", "2023-02-29", "2020-13-01", "2020-00-10", "2020-01-00", "0000-01-01", "2020-03",
     "01/02/2003", "today", "NaT", "2020-01-01T24:00", "2020-01-01T9:00", "٢٠٢٠-01-01", "", "é"],
)  # fmt: skip
def test_what_is_no_date_is_a_gap(text: str) -> None:
    with pytest.raises(HierarchyGapError, match=r"1 of 2 distinct values of column 'born' is not"):
        Calendar().arrange(["2020-02-29", text], column="born")


numbers = st.one_of(
    st.integers(-60, 60).map(str),
    st.decimals(-20, 20, places=2).map(str),
    st.sampled_from(
        ["1e2", "-0.05", "9007199254740993", "9007199254740992", "1e30", ".5", "3.", " 4 "]
    ),
)


@given(st.lists(numbers, max_size=10), st.sampled_from([0, 3, -2.5]))
def test_intervals_agree_with_the_slow_twin(texts: list[str], start: float) -> None:
    labels = list({Fraction(text.strip().rstrip(".")): text for text in texts}.values())
    widths = [0.5, 2, 10]

    def path(label: str) -> Path:
        value = Fraction(label.strip().rstrip("."))
        bins = []
        for i, width in enumerate(map(Fraction, widths)):
            low = Fraction(start) + (value - Fraction(start)) // width * width
            bins.append(((i, low), f"[{plain(low)}, {plain(low + width)})", i + 1))
        return [(("leaf", value), label, 0), *bins, ("root", "*", 4)]

    assert_like_twin(Intervals(widths, start), labels, path)


def plain(number: Fraction) -> str:
    tenths = int(number * 10)  # all bins of these tests begin and end at tenths
    return f"{'-' * (tenths < 0)}{abs(tenths) // 10}.{abs(tenths) % 10}".removesuffix(".0")


def test_bins_of_integers_name_their_first_and_last() -> None:
    ages = Intervals([5, 10.0, 20]).arrange(["20", "24", "25", "-3", "-5", "39"])
    assert ages.node_labels[ages.n_leaves :] == (
        "[-5, -1]",
        "[20, 24]",
        "[20, 29]",
        "[20, 39]",
        "*",
    )
    assert Intervals([5]).arrange(["20", "24.0"]).node_labels[2] == "[20, 25)"
    assert Intervals([10], start=3).arrange([" 3", "12"]).node_labels[2] == "[3, 12]"


def test_integers_stay_exact_and_decimals_do_not_drift() -> None:
    large = Intervals([2]).arrange(["9007199254740993", "9007199254740992"])
    assert large.node_labels[2] == "[9007199254740992, 9007199254740993]"
    tenths = Intervals([0.1, 1]).arrange(["0.3", "0.35", "0.29"])
    assert [tenths.node_labels[node] for node in tenths.gap_nodes] == ["[0, 1)", "[0.3, 0.4)"]


def test_a_bin_one_integer_wide_is_that_integer() -> None:
    assert Intervals([1]).arrange(["7", "007"]).node_labels[2] == "7"


@pytest.mark.parametrize(
    "text", ["", "abc", "nan", "inf", "1_000", "0x1", "1e9999", "1,5", "9" * 5000]
)
def test_what_is_no_number_is_a_gap(text: str) -> None:
    with pytest.raises(HierarchyGapError, match=r"1 of 2 distinct values of column 'age' is not"):
        Intervals([5]).arrange(["1", text], column="age")


@pytest.mark.parametrize("widths", [[5, 12], [10, 5], [5, 5], [0.3, 1]])
def test_widths_must_divide_each_other_upward(widths: list[float]) -> None:
    with pytest.raises(HierarchyShapeError, match="1 of 2 interval widths"):
        Intervals(widths)


@pytest.mark.parametrize("widths", [[], [0], [-5], [float("nan")], [float("inf")], [True]])
def test_widths_must_be_finite_and_positive(widths: list[float]) -> None:
    with pytest.raises(InvalidParameterError):
        Intervals(widths)


def test_values_are_equal_by_content() -> None:
    assert Intervals([5, 10]) == Intervals((5.0, 10), start=0.0)
    assert hash(Mask()) == hash(Mask())
    assert Calendar() == Calendar()


def test_many_labels_stay_in_order() -> None:
    codes = [f"{i:06d}" for i in range(200_000)]
    for hierarchy in (Mask(), Intervals([10, 100])):
        arrangement = hierarchy.arrange(codes)
        assert np.array_equal(arrangement.position, np.arange(200_000))
