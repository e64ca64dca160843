"""Coded columns: every kind in its order, exact, and the same whatever the row order."""

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.exceptions import UnknownColumnError
from shoal.table import Cells, Distinct, Table, hash_rows, read_table


def column(values, kind=None, **options):
    kinds = {"x": kind} if kind else None
    return read_table(pl.DataFrame({"x": values}), kinds=kinds, **options).column("x")


def test_numbers_are_ordered_by_value_not_by_text():
    coded = column(["10", "9", "-1.5", "1e1", "+9.00"], "numeric")
    assert coded.labels == ("-1.5", "9", "10")
    assert coded.numbers.tolist() == [-1.5, 9.0, 10.0]
    assert coded.codes.tolist() == [2, 1, 0, 2, 1]
    assert coded.codes.dtype == np.int32


def test_equal_numbers_keep_the_shortest_then_the_smallest_text():
    assert column(["1.0", "1", "01", "1."], "numeric").labels == ("1",)
    assert column(["01", "+1", "1."], "numeric").labels == ("+1",)
    assert column(["-0", "0.0", "-0.0"], "numeric").labels == ("-0",)
    assert column(["-0", "0"], "numeric").numbers.tolist() == [0.0]


def test_integers_above_the_doubles_stay_distinct_and_in_order():
    texts = ["9007199254740993", "9007199254740992", "9007199254740994", "9007199254740993.0"]
    coded = column(texts, "numeric")
    assert coded.labels == ("9007199254740992", "9007199254740993", "9007199254740994")
    assert coded.codes.tolist() == [1, 0, 2, 1]
    ints = column([2**62 + 1, None, 2**62, 2**62 + 1])
    assert ints.labels == (str(2**62), str(2**62 + 1))
    assert ints.codes.tolist() == [1, 2, 0, 1]


def test_tiny_and_huge_numbers():
    coded = column(["1e-400", "0", "1e-320", "1e30", "1000000000000000000000000000001"], "numeric")
    assert coded.labels == ("0", "1e-400", "1e-320", "1e30", "1" + "0" * 29 + "1")


def test_blanks_around_a_number_are_no_part_of_it():
    assert column([" 39", "39", "40 "], "numeric").labels == ("39", "40 ")


def test_dates_are_ordered_by_day():
    coded = column(["2020-03-01", "1999-12-31", None, "2020-02-29"])
    assert coded.kind == "date"
    assert coded.labels == ("1999-12-31", "2020-02-29", "2020-03-01")
    days = [date(1999, 12, 31), date(2020, 2, 29), date(2020, 3, 1)]
    assert coded.numbers.tolist() == [day.toordinal() for day in days]
    assert coded.codes.tolist() == [2, 0, 3, 1]


def test_timestamps_have_a_fraction_of_the_day_and_zones_are_respected():
    coded = column(["2020-01-01T18:00", "2020-01-01T06:00:00", "2020-01-01"], "date")
    day = date(2020, 1, 1).toordinal()
    assert coded.numbers.tolist() == [day, day + 0.25, day + 0.75]
    zoned = column(["2020-01-01T00:30+01:00", "2019-12-31T23:15:00.5Z"], "date")
    assert zoned.labels == ("2019-12-31T23:15:00.5Z", "2020-01-01T00:30+01:00")


@pytest.mark.parametrize(
    ("texts", "labels"),
    [
        (["01.02.2003", "31.01.2003"], ("31.01.2003", "01.02.2003")),
        (["2003/2/1", "2003/1/31"], ("2003/1/31", "2003/2/1")),
        (["12/31/2003", "02/01/2003"], ("02/01/2003", "12/31/2003")),
        (["31/12/2003", "02/01/2003"], ("02/01/2003", "31/12/2003")),
        (["31-12-2003", "01-01-2003"], ("01-01-2003", "31-12-2003")),
        (["01/01/2003", "02/02/2003"], ("01/01/2003", "02/02/2003")),  # both readings agree
    ],
)
def test_other_date_formats_where_they_can_be_read_in_one_way(texts, labels):
    assert column(texts, "date").labels == labels


def test_ordinal_follows_the_order_given():
    coded = column(["mid", "low", None, "mid"], orders={"x": ["low", "mid", "high"]})
    assert (coded.kind, coded.labels) == ("ordinal", ("low", "mid"))
    assert coded.numbers.tolist() == [0.0, 1.0]
    assert coded.codes.tolist() == [1, 0, 2, 1]


@pytest.mark.parametrize("kind", ["nominal", "code"])
def test_text_is_ordered_by_code_point(kind):
    coded = column(["b", "a", "é", "z", "B", "10", "9"], kind)
    assert coded.labels == ("10", "9", "B", "a", "b", "z", "é")
    assert coded.numbers is None


def test_missing_has_the_code_after_the_last_label():
    coded = column(["a", None], "nominal")
    assert (coded.missing_code, coded.n_codes, coded.has_missing) == (1, 2, True)
    coded = column(["a", "b"], "nominal")
    assert (coded.missing_code, coded.n_codes, coded.has_missing) == (2, 2, False)


def test_a_column_without_values():
    for values in ([None, None], pl.Series([None], dtype=pl.Float64), [""]):
        coded = column(values)
        assert (coded.labels, coded.codes.max(), coded.has_missing) == ((), 0, True)
    assert column([None], "numeric").numbers.size == 0


VALUES = {
    "integers": ([3, None, 20, 3], ["3", None, "20", "3"]),
    "floats": ([3.0, None, 0.1, 1e-7, -0.0], ["3", None, "0.1", "1e-07", "0"]),
    "nan": ([float("nan"), 2.5], [None, "2.5"]),
    "single floats": (pl.Series([0.1, 2.0, None], dtype=pl.Float32), ["0.1", "2", None]),
    "decimals": ([Decimal("1.50"), None], ["1.50", None]),
    "truths": ([True, None, False], ["true", None, "false"]),
    "dates": ([date(2020, 1, 2), None], ["2020-01-02", None]),
    "midnights": ([datetime(2020, 1, 2), None], ["2020-01-02", None]),
    "timestamps": ([datetime(2020, 1, 2, 3, 4, 5)], ["2020-01-02T03:04:05"]),
    "fractions": ([datetime(2020, 1, 2, 3, 4, 5, 60_000)], ["2020-01-02T03:04:05.060"]),
    "zones": (
        [datetime(2020, 1, 2, 3, tzinfo=timezone(timedelta(0)))],
        ["2020-01-02T03:00:00+00:00"],
    ),
    "durations": ([timedelta(days=1)], ["P1D"]),
    "text": (["a", None, " b"], ["a", None, " b"]),
}


@pytest.mark.parametrize("case", VALUES)
def test_cells_as_published_text(case):
    values, text = VALUES[case]
    table = read_table(pl.DataFrame({"x": values}))
    assert table.text("x").to_list() == text
    assert table.column("x").n_codes == len(set(text))


def test_columns_are_coded_once_and_kept_with_other_roles():
    table = read_table(pl.DataFrame({"x": [1, 2]}))
    assert table.column("x") is table.column("x")
    assert table.with_roles(table.roles).column("x") is table.column("x")
    for ask in (table.column, table.codes, table.text):
        with pytest.raises(UnknownColumnError, match="'y'"):
            ask("y")


def test_a_million_distinct_numbers_are_coded_without_a_loop_over_rows():
    numbers = np.random.default_rng(0).permutation(200_000) / 7
    coded = column(numbers)
    assert np.array_equal(coded.numbers[coded.codes], numbers)


texts = st.lists(st.none() | st.text(max_size=3), min_size=1, max_size=30)
number_texts = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(-100, 100, places=2).map(str),
    st.sampled_from(["1", "1.0", "+1", "01", "1e0", ".5", "5.", "-0", "0", " 7", "7 "]),
)


def read_back(coded):
    return [coded.labels[c] if c < len(coded.labels) else None for c in coded.codes]


@settings(max_examples=100, deadline=None)
@given(texts)
def test_codes_round_trip(values):
    values = [v if v is None or v.isprintable() else "?" for v in values]
    coded = column(pl.Series(values, dtype=pl.String), "nominal", missing=())
    assert read_back(coded) == values
    assert list(coded.labels) == sorted({v for v in values if v is not None})


@settings(max_examples=200, deadline=None)
@given(st.lists(number_texts, min_size=1, max_size=30))
def test_numeric_codes_are_the_ranks_of_the_exact_values(values):
    coded = column(values, "numeric")
    exact = [Decimal(v.strip()) for v in values]
    ranks = {value: rank for rank, value in enumerate(sorted(set(exact)))}
    assert coded.codes.tolist() == [ranks[value] for value in exact]
    assert coded.numbers.tolist() == [float(label) for label in coded.labels]
    for label, number in zip(coded.labels, sorted(ranks), strict=True):
        same = [v for v, value in zip(values, exact, strict=True) if value == number]
        assert label == min(same, key=lambda text: (len(text), text))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.none() | st.dates() | st.datetimes(), min_size=1, max_size=30),
    st.randoms(use_true_random=False),
)
def test_shuffling_rows_permutes_codes(values, random):
    texts = [v.isoformat() if v is not None else None for v in values]
    order = list(range(len(texts)))
    random.shuffle(order)
    one = column(pl.Series(texts, dtype=pl.String), "date")
    other = column(pl.Series([texts[i] for i in order], dtype=pl.String), "date")
    assert one.labels == other.labels
    assert np.array_equal(one.codes[order], other.codes)
    moments = [datetime.fromisoformat(label) for label in one.labels]
    assert moments == sorted(moments)


def test_a_table_is_frozen():
    table = read_table(pl.DataFrame({"x": [1]}))
    assert isinstance(table, Table)
    with pytest.raises(AttributeError):
        table.roles = None


@pytest.mark.parametrize("n", [0, 1, 255, 256, 257, 65_535, 65_536, 65_537])
def test_as_few_bytes_hold_every_text_and_what_is_missing(n):
    told = [*map(str, range(n)), None, *map(str, range(n))]
    distinct = Distinct.of(pl.Series(told, dtype=pl.String))
    assert distinct.codes.itemsize == (1 if n < 1 << 8 else 2 if n < 1 << 16 else 4)
    assert distinct.codes.tolist() == [*range(n), n, *range(n)]
    assert distinct.column().to_list() == told
    assert distinct.column(np.array([n, 0])).to_list() == [None, told[0]]
    assert distinct.counts.tolist() == [2] * n
    assert distinct.n_missing == 1
    ranks, size = distinct.ranks()
    assert size == n + 1
    assert ranks[n] == 0
    order = sorted(range(n), key=str)
    assert [ranks[code] for code in order] == [*range(1, n + 1)]


def test_fewer_texts_take_fewer_bytes():
    told = [*map(str, range(300))]
    wide = Distinct.of(pl.Series(told))
    kept = wide.take(np.arange(7))
    less = wide.without(told[7:])
    assert [each.codes.itemsize for each in (wide, kept, less)] == [2, 1, 1]
    assert kept.column().to_list() == told[:7]
    assert less.column().to_list() == told[:7] + [None] * 293


def test_rows_hash_alike_however_many_bytes_their_codes_take():
    few = pl.Series("a", [*map(str, range(200))])
    many = pl.Series("a", [*few, *map(str, range(200, 70_000))])
    alone, among = (hash_rows(Cells(pl.DataFrame([told]))) for told in (few, many))
    assert alone.tolist() == among[:200].tolist()
