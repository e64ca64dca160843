"""From columns to spaces: what a span costs, how it is published, how far it may reach."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.exceptions import HierarchyGapError, InvalidParameterError, UnknownColumnError
from shoal.hierarchies import Calendar, Flat, Intervals, Mask, Taxonomy
from shoal.kernels.losses import FORBIDDEN
from shoal.spaces import (
    IntervalSpace,
    TreeSpace,
    build_spaces,
    default_step,
    normalize_weights,
)
from shoal.table import Roles, read_table

WORK = Taxonomy.from_json(
    {"*": {"Private": ["Firm", "Self"], "Public": {"Local": [], "Federal": ["Army", "Office"]}}}
)


def space_of(cells, kind=None, **options):
    """The space of one column ``q``; options may name its hierarchy, limit, grid and order."""
    order = options.pop("order", None)
    table = read_table(
        pl.DataFrame({"q": cells}),
        roles=Roles(quasi_identifiers="q"),
        kinds=None if kind is None else {"q": kind},
        orders=None if order is None else {"q": order},
    )
    given = {
        {"hierarchy": "hierarchies", "limit": "limits"}.get(name, name): {"q": value}
        for name, value in options.items()
    }
    return build_spaces(table, **given).spaces[0]


def published(space, low, high):
    return space.publish(np.array([low]), np.array([high]))[0]


def lost(space, low, high):
    return float(space.loss(np.array([low]), np.array([high]))[0])


def test_numbers_lose_their_share_of_the_range():
    space = space_of([17, 25, 37, 25])
    assert isinstance(space, IntervalSpace)
    assert [published(space, 0, b) for b in range(3)] == ["17", "[17, 25]", "[17, 37]"]
    assert [lost(space, 0, b) for b in range(3)] == [0.0, 0.4, 1.0]


def test_numbers_are_published_as_they_were_written():
    space = space_of(["1.50", "2", "-3.25"])
    assert published(space, 0, 2) == "[-3.25, 2]"
    assert published(space, 1, 1) == "1.50"


def test_dates_and_grades_are_intervals():
    dates = space_of(pl.Series(["2020-01-01", "2020-12-31", "2021-06-30"]).str.to_date())
    assert published(dates, 0, 1) == "[2020-01-01, 2020-12-31]"
    assert lost(dates, 0, 1) == pytest.approx(365 / 546)
    grades = space_of(["low", "high", "mid"], order=["low", "mid", "high", "top"])
    assert published(grades, 0, 2) == "[low, high]"
    assert (lost(grades, 0, 1), lost(grades, 0, 2)) == (0.5, 1.0)


def test_trees_lose_the_height_of_the_node():
    space = space_of(["Firm", "Self", "Local", "Army", "Office"], hierarchy=WORK)
    assert isinstance(space, TreeSpace)
    by_pair = {
        (published(space, a, b), round(lost(space, a, b), 6))
        for a, b in combinations_with_replacement(range(5), 2)
    }
    assert by_pair == {
        ("Firm", 0), ("Self", 0), ("Local", 0), ("Army", 0), ("Office", 0),
        ("Private", 0.333333), ("Federal", 0.333333), ("Public", 0.666667), ("*", 1),
    }  # fmt: skip


def test_codes_are_masked_and_other_text_is_starred():
    codes = space_of(["8010", "8011", "9020"], kind="code")
    assert [published(codes, 0, 1), published(codes, 0, 2)] == ["801*", "*"]
    text = space_of(["red", "blue"])
    assert (published(text, 0, 1), lost(text, 0, 1)) == ("*", 1.0)


@pytest.mark.parametrize(
    ("cells", "hierarchy"),
    [([1, 2, 3, None], None), (["a", "b", None], Flat()), (["80", "81", None], Mask())],
)
def test_missing_is_a_value_of_its_own_under_the_root(cells, hierarchy):
    space = space_of(cells, **({} if hierarchy is None else {"hierarchy": hierarchy}))
    last = space.missing
    assert last == space.n_codes - 1
    assert space.n_codes == len(cells)
    assert published(space, last, last) is None
    assert lost(space, last, last) == 0
    for code in range(last):
        assert published(space, code, last) == "*"
        assert lost(space, code, last) == 1


@pytest.mark.parametrize("kind", ["numeric", "nominal", "code", "date"])
def test_a_column_of_nothing_publishes_nothing(kind):
    space = space_of(pl.Series([None, None], dtype=pl.String), kind=kind)
    assert (space.n_codes, published(space, 0, 0), lost(space, 0, 0)) == (1, None, 0)
    assert space.span_form(100).values.tolist() == [0]


def test_a_constant_column_costs_nothing():
    for space in (space_of([5, 5]), space_of(["x", "x"]), space_of(["80", "80"])):
        assert lost(space, 0, 0) == 0
        assert published(space, 0, 0) in ("5", "x", "80")


@pytest.mark.parametrize(
    ("cells", "options", "permitted"),
    [
        ([0, 3, 5, 9], {"limit": 4}, {(0, 1), (1, 2), (2, 3)}),
        ([0, 3, 5, 9], {"limit": 0}, set()),
        ([0, 3, 5, None], {"limit": 100}, {(0, 1), (0, 2), (1, 2)}),
        ([1, 4, 12], {"limit": 10, "grid": 5}, {(0, 0)}),
        (["8010", "8011", "8099"], {"kind": "code", "limit": 1}, {(0, 1)}),
        (["8010", "8011", "8099"], {"kind": "code", "limit": 9}, {(0, 1), (0, 2), (1, 2)}),
        (["Firm", "Self", "Army"], {"hierarchy": WORK, "limit": 1}, {(0, 1)}),
    ],
)
def test_limits_say_how_far_a_span_may_reach(cells, options, permitted):
    space = space_of(cells, **options)
    form = space.span_form(1000)
    table = form.values.reshape(form.size, form.size)
    pairs = {
        (a, b) for a in range(form.size) for b in range(a + 1, form.size) if table[a, b] < FORBIDDEN
    }
    assert pairs == {pair for pair in permitted if pair[0] != pair[1]}
    assert all(table[a, a] < FORBIDDEN for a in range(form.size))


@given(
    values=st.lists(st.integers(-500, 500), min_size=1, max_size=30),
    decimals=st.integers(0, 2),
    step=st.sampled_from(["1", "1.5", "2.5", "5", "7", "10", "100", "0.5"]),
)
@settings(max_examples=80, deadline=None, derandomize=True)
def test_a_grid_covers_every_value_and_its_ends_are_on_the_grid(values, decimals, step):
    texts = [f"{Decimal(value).scaleb(-decimals):f}" for value in values]
    size, last = Decimal(step), Decimal(1).scaleb(-decimals)
    if size < last:
        return
    space = space_of(texts, kind="numeric", grid=float(step))
    for text, code in zip(texts, space.codes.tolist(), strict=True):
        low, high = Decimal(space.lows[code]), Decimal(space.highs[code])
        assert low <= Decimal(text) <= high
        assert high - low < size
        cell = Decimal(text) // size if Decimal(text) >= 0 else -(-Decimal(text) // size)
        start = size * (cell - (size * cell > Decimal(text)))
        assert low - last < start <= low  # the first value of the input's decimals in the cell
        assert high < start + size <= high + last


@given(
    st.lists(st.dates(date(200, 1, 1), date(9800, 12, 31)), min_size=1, max_size=30),
    st.sampled_from([1, 3, 5, 12, 120]),
)
def test_a_grid_of_dates_covers_every_day_by_whole_months(days, step):
    space = space_of([day.isoformat() for day in days], kind="date", grid=step)
    for day, code in zip(days, space.codes.tolist(), strict=True):
        low, high = (date.fromisoformat(side[code]) for side in (space.lows, space.highs))
        assert low <= day <= high
        assert low.day == 1
        assert (high + timedelta(days=1)).day == 1
        assert (12 * low.year + low.month - 1) % step == 0
        assert 12 * (high.year - low.year) + high.month - low.month == step - 1
        assert (space.starts[code], space.ends[code]) == (low.toordinal(), high.toordinal())


def test_a_grid_of_dates_ends_where_dates_end():
    space = space_of(["0003-02-01", "9998-02-01"], kind="date", grid=120)
    assert (space.lows[0], space.highs[-1]) == ("0001-01-01", "9999-12-31")


def test_a_preset_chooses_a_unit_of_the_calendar_about_a_twentieth_of_the_dates():
    def step(first, last):
        days = pl.date_range(date(first, 1, 1), date(last, 12, 31), "1mo", eager=True)
        return default_step(read_table(pl.DataFrame({"q": days})).column("q"))

    found = {years: step(1940, 1939 + years) for years in (1, 2, 6, 40, 90, 110, 240)}
    assert found == {1: 1, 2: 1, 6: 3, 40: 12, 90: 12, 110: 12, 240: 120}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grid": 1.5}, "whole number of months"),
        ({"grid": 0.5}, "whole number of months"),
        ({"grid": True}, "whole number of months"),
        ({"grid": 12, "limit": 100}, "narrower than a cell"),
    ],
)
def test_a_grid_of_dates_is_of_whole_months(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        space_of(["2020-01-01", "2021-06-30"], kind="date", **options)


def test_a_limit_of_dates_on_a_grid_counts_days():
    cells = [f"{year}-03-01" for year in range(2000, 2006)]
    assert space_of(cells, kind="date", grid=12, limit=800).reach().tolist() == [1, 2, 3, 4, 5, 5]


def test_grids_do_not_depend_on_who_is_in_the_table():
    some, more = space_of([12, 18, 33], grid=5), space_of([3, 12, 18, 33, 61], grid=5)
    assert set(zip(some.lows, some.highs, strict=True)) < set(
        zip(more.lows, more.highs, strict=True)
    )


def test_large_numbers_stay_exact_on_a_grid():
    big = 10**25
    space = space_of([str(big), str(big + 7), str(big + 12)], kind="numeric", grid=10)
    assert published(space, 0, 1) == f"[{big}, {big + 19}]"


@pytest.mark.parametrize(
    ("cells", "step"),
    [
        ([0, 100], 5),
        (["0.25", "1.25"], 0.05),
        ([17, 90], 5),
        ([0, 3], 2),
        ([5, 5], 2),
        ([1, 10**9], 5e7),
    ],
)
def test_a_step_is_round_and_about_a_twentieth(cells, step):
    column = read_table(pl.DataFrame({"q": cells})).column("q")
    assert default_step(column) == step


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limits": {"x": 1}}, "quasi-identifier to limit"),
        ({"grid": {"x": 1}}, "quasi-identifier to put on a grid"),
        ({"weights": {"x": 1}}, "quasi-identifier to weight"),
        ({"limits": {"age": -1}}, "limit of 'age'"),
        ({"limits": {"age": True}}, "limit of 'age'"),
        ({"limits": {"age": float("nan")}}, "limit of 'age'"),
        ({"grid": {"age": 0}}, "grid of 'age'"),
        ({"grid": {"age": float("inf")}}, "grid of 'age'"),
        ({"grid": {"age": True}}, "grid of 'age'"),
        ({"grid": {"age": 0.1}}, "finer than its values"),
        ({"grid": {"sex": 5}}, "grid needs numbers or dates"),
        ({"grid": {"age": 20}, "limits": {"age": 10}}, "limit of 'age' is narrower than a cell"),
        ({"weights": {"age": -1}}, "weight of 'age'"),
        ({"weights": {"age": float("inf")}}, "weight of 'age'"),
        ({"weights": {"age": 0, "sex": 0}}, "All weights are 0"),
    ],
)
def test_parameters_outside_their_meaning_are_refused(options, message):
    frame = pl.DataFrame({"age": [17, 18], "sex": ["f", "m"]})
    table = read_table(frame, roles=Roles(quasi_identifiers=["age", "sex"]))
    with pytest.raises(InvalidParameterError, match=message) as caught:
        build_spaces(table, **options)
    assert isinstance(caught.value, UnknownColumnError) == ("named 'x'" in str(caught.value))


def test_a_tree_that_lacks_values_tells_how_many():
    with pytest.raises(HierarchyGapError, match="1 of 2 distinct values of column 'q'"):
        space_of(["Firm", "Circus"], hierarchy=WORK)


@pytest.mark.parametrize("hierarchy", [Intervals([5, 10]), Calendar(), Mask(), Flat(), WORK])
def test_any_hierarchy_takes_a_column_of_its_values(hierarchy):
    cells = {
        Intervals: ["3", "7", "12"], Calendar: ["2020-01-02", "2020-01-30", "2031-01-01"],
        Mask: ["80", "81", "90"], Flat: ["a", "b", "c"], Taxonomy: ["Firm", "Self", "Army"],
    }[type(hierarchy)]  # fmt: skip
    space = space_of(cells, hierarchy=hierarchy)
    assert published(space, 0, 2) == "*"
    assert lost(space, 0, 2) == 1
    assert lost(space, 0, 1) <= lost(space, 0, 2)


@given(
    weights=st.lists(st.floats(0.001, 1000), min_size=1, max_size=6),
    factor=st.floats(1e-6, 1e6),
)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_only_the_ratio_of_weights_matters(weights, factor):
    names = [f"q{i}" for i in range(len(weights))]
    plain = normalize_weights(dict(zip(names, weights, strict=True)), names)
    scaled = normalize_weights({n: w * factor for n, w in zip(names, weights, strict=True)}, names)
    assert plain.max() == scaled.max() == 1
    assert np.abs(plain - scaled).max() <= 1e-11


def test_fixed_point_losses_fit_however_many_attributes_there_are():
    frame = pl.DataFrame({f"q{j}": ["a", "b"] for j in range(130)})
    spaces = build_spaces(read_table(frame, roles=Roles(quasi_identifiers=frame.columns)))
    full = spaces.losses.values.astype(np.int64).sum() // 2
    assert full == 130 * spaces.unit < FORBIDDEN


@st.composite
def close_numbers(draw):
    """Numbers of any size that differ only far behind their first digit, as text."""
    exponent = draw(st.sampled_from([-330, -40, -16, 0, 15, 30, 280]))
    base = draw(st.sampled_from([0, 1, 10**16, 10**24 + 1, -(10**17)]))
    steps = draw(st.lists(st.integers(0, 30), min_size=2, max_size=8, unique=True))
    return [f"{base + step}e{exponent}" for step in steps], exponent, draw(st.integers(0, 31))


@given(close_numbers())
def test_limits_and_losses_hold_for_numbers_no_double_can_hold(case):
    cells, exponent, limit = case
    space = space_of(cells, kind="numeric", limit=float(f"{limit}e{exponent}"))
    bound = Fraction(str(space.limit))
    values = [Fraction(text) for text in space.lows]
    reach = space.reach()
    for a, low in enumerate(values):
        assert reach[a] == max(b for b, high in enumerate(values) if b == a or high - low <= bound)
        for b in range(a, len(values)):
            exact = (values[b] - low) / (values[-1] - values[0])
            assert lost(space, a, b) == pytest.approx(float(exact), rel=1e-12, abs=1e-15)


MOMENT = "2020-02-29T12:00:00"


@pytest.mark.parametrize(
    ("limit", "permitted"),
    [(0, set()), (1e-11, set()), (2e-11, {(0, 1)}), (1 / 86_400, {(0, 1), (0, 2), (1, 2)})],
)
def test_limits_hold_for_timestamps_that_no_double_tells_apart(limit, permitted):
    cells = [f"{MOMENT}.000001", f"{MOMENT}.000002", f"{MOMENT}.9"]
    space = space_of(cells, kind="date", limit=limit)
    reach = space.reach().tolist()
    assert {(a, b) for a in range(3) for b in range(a + 1, reach[a] + 1)} == permitted


def test_a_limit_of_nothing_permits_no_span_at_all():
    huge = [str(10**30 + i) for i in range(5)]
    assert space_of(huge, kind="numeric", limit=0).reach().tolist() == [0, 1, 2, 3, 4]
    tenths = ["0.1", "0.2", "0.3", "0.4"]
    assert space_of(tenths, kind="numeric", limit=0.1).reach().tolist() == [1, 2, 3, 3]


def test_a_grid_has_exact_widths_too():
    cells = [str(10**30 + i) for i in range(0, 40, 7)]
    space = space_of(cells, kind="numeric", grid=10, limit=19)
    assert space.reach().tolist() == [1, 2, 3, 3]
    assert lost(space, 0, 0) == pytest.approx(9 / 35)
