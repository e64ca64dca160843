from __future__ import annotations

import csv
import json
import math
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verifier_twin import measure

from shoal.exceptions import EmptyTableError, InputError, UnknownColumnError
from shoal.verifier import MEASURES, recount
from thorough import times

GOLDEN = Path(__file__).parents[1] / "golden" / "privacy_cases.json"
CASES = [
    case
    for case in json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]
    if case.get("table", {}).get("rows")
]


def write_csv(path, rows, columns):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(columns)
        writer.writerows([["" if cell is None else cell for cell in row] for row in rows])
    return path


def write_parquet(path, rows, columns):
    cells = [
        [None if cell is None else str(cell) for cell in column]
        for column in zip(*rows, strict=True)
    ]
    arrays = [pa.array(column, pa.string()) for column in cells]
    pq.write_table(pa.Table.from_arrays(arrays, names=columns), path)
    return path


def worst(measures, name):
    if name == "recursive_c":
        return measures[name]
    return MEASURES[name].value(measures[name], 0)


def number(value):
    if isinstance(value, dict):
        return Fraction(value["exact"]) if "exact" in value else value["float"]
    return math.inf if value == "inf" else value


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_golden_cases(case, suffix, tmp_path):
    write = write_csv if suffix == "csv" else write_parquet
    path = write(tmp_path / f"data.{suffix}", case["table"]["rows"], case["table"]["columns"])
    roles, expected = case["roles"], case["expected"]
    ordered = roles["sensitive_kind"] == "ordered"
    sensitive = roles["sensitive"][:1]
    orders = dict.fromkeys(sensitive, "numeric") if ordered else {}
    got = recount(
        path,
        quasi_identifiers=roles["quasi_identifiers"],
        sensitive=sensitive,
        orders=orders,
    )
    assert (got.rows, got.groups) == (expected["n"], expected["n_classes"])
    assert got.k == expected["k"]
    if not sensitive:
        return
    measures = got.sensitive[sensitive[0]]
    for name in ["distinct_l", "entropy_l", "t_equal", "alpha", "basic_beta", "enhanced_beta"]:
        assert worst(measures, name) == pytest.approx(number(expected[name]), abs=1e-9), name
    if ordered:
        assert measures["t_ordered"] == number(expected["t_ordered"])
    delta = number(expected["delta_disclosure_ln_strict"])
    assert measures["delta_disclosure"] == pytest.approx(delta, abs=1e-9)
    present = number(expected["delta_disclosure_ln_present_only"])
    assert measures["delta_disclosure_present"] == pytest.approx(present, abs=1e-9)
    for l, c in expected["recursive_c_infimum_by_l"].items():
        assert measures["recursive_c"].get(int(l), math.inf) == number(c)


@st.composite
def tables(draw):
    n = draw(st.integers(1, 14))
    cell = st.sampled_from(["1", "2", "10", "-3", "7.5", None])
    rows = [
        {"q": draw(st.sampled_from(["a", "A", None])), "r": draw(st.sampled_from(["x", "*"]))}
        for _ in range(n)
    ]
    for row in rows:
        row["s"] = draw(cell)
    people = draw(st.none() | st.lists(st.integers(-1, 6), min_size=n, max_size=n))
    return rows, people


@settings(max_examples=times(50), deadline=None)
@given(tables(), st.sampled_from(["csv", "parquet"]))
def test_agrees_with_the_slow_twin(tmp_path_factory, table, suffix):
    rows, people = table
    path = tmp_path_factory.mktemp("twin") / f"data.{suffix}"
    write = write_csv if suffix == "csv" else write_parquet
    write(path, [list(row.values()) for row in rows], ["q", "r", "s"])
    got = recount(
        path,
        quasi_identifiers=["q", "r"],
        sensitive=["s"],
        orders={"s": "numeric"},
        people=people,
    )
    want = measure(rows, ["q", "r"], "s", order=["-3", "1", "2", "7.5", "10"], people=people)
    assert (got.groups, got.k) == (want.pop("groups"), want.pop("k"))
    measures = got.sensitive["s"]
    for name in ("entropy_l", "delta_disclosure", "delta_disclosure_present"):
        assert worst(measures, name) == pytest.approx(want.pop(name), abs=1e-9), name
    for name, value in want.items():
        assert worst(measures, name) == value, name


def test_a_given_order_is_used_and_must_be_complete(tmp_path):
    rows = [["a", "low"], ["a", "mid"], ["b", "high"], ["b", "high"]]
    path = write_csv(tmp_path / "data.csv", rows, ["q", "s"])
    counted = recount(
        path,
        quasi_identifiers=["q"],
        sensitive=["s"],
        orders={"s": ("low", "mid", "high")},
    )
    assert counted.sensitive["s"]["t_ordered"] == Fraction(3, 8)
    with pytest.raises(InputError, match=r"^2 cells of a sensitive column have no place"):
        recount(path, quasi_identifiers=["q"], sensitive=["s"], orders={"s": ("low", "mid")})
    with pytest.raises(InputError, match=r"^4 cells"):
        recount(path, quasi_identifiers=["q"], sensitive=["s"], orders={"s": "numeric"})


def test_numbers_that_are_equal_are_one_value_and_large_ones_stay_apart(tmp_path):
    cells = ["1", "1.0", "9007199254740993", "9007199254740992"]
    path = write_csv(tmp_path / "data.csv", [["a", cell] for cell in cells], ["q", "s"])
    counted = recount(path, quasi_identifiers=["q"], sensitive=["s"], orders={"s": "numeric"})
    assert counted.sensitive["s"]["distinct_l"] == 3


@pytest.mark.parametrize("folder", ["[ab]", "a*b?", "it's"])
def test_odd_paths_names_and_cells_are_read_as_they_are(tmp_path, folder):
    odd = ['say "hi"', "two\nlines", "cr\rlf\r\n", "a,b", " blank ", "NA", "null", "é\u200b", "\\N"]
    (tmp_path / folder).mkdir()
    columns = ["Age", "age", "x y; drop"]
    rows = [[cell, "same", cell] for cell in odd for _ in range(2)]
    path = write_csv(tmp_path / folder / "data.csv", rows, columns)
    counted = recount(path, quasi_identifiers=["Age"], sensitive=["x y; drop"])
    assert (counted.rows, counted.groups, counted.k) == (18, 9, 2)
    assert recount(path, quasi_identifiers=["age"]).k == 18


def test_missing_is_a_value_and_rows_of_stars_count(tmp_path):
    rows = [["a"], ["a"], [None], ["*"], ["*"], ["*"]]
    path = write_csv(tmp_path / "data.csv", [[*row, "x"] for row in rows], ["q", "o"])
    counted = recount(path, quasi_identifiers=["q"])
    assert (counted.groups, counted.k) == (3, 1)


def test_parquet_tells_missing_from_empty(tmp_path):
    path = write_parquet(tmp_path / "data.parquet", [["", "x"], [None, "x"]], ["q", "o"])
    assert recount(path, quasi_identifiers=["q"]).groups == 2


def test_no_cell_value_in_errors(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('q,s\na,CANARY\na,"CANARY\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        recount(path, quasi_identifiers=["q"])
    assert "CANARY" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_what_cannot_be_counted_is_said(tmp_path):
    empty = write_csv(tmp_path / "data.csv", [], ["q"])
    with pytest.raises(EmptyTableError):
        recount(empty, quasi_identifiers=["q"])
    with pytest.raises(UnknownColumnError):
        recount(empty, quasi_identifiers=["other"])
    with pytest.raises(InputError):
        recount(tmp_path / "none.csv", quasi_identifiers=["q"])
    (tmp_path / "blank.csv").touch()
    with pytest.raises(InputError):
        recount(tmp_path / "blank.csv", quasi_identifiers=["q"])
    (tmp_path / "no.parquet").write_text("no")
    with pytest.raises(InputError):
        recount(tmp_path / "no.parquet", quasi_identifiers=["q"])


def test_without_an_order_what_needs_one_is_not_measured(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("q,s\na,1\na,2\n", encoding="utf-8")
    found = recount(path, quasi_identifiers=["q"], sensitive=["s"]).sensitive["s"]
    assert "t_ordered" not in found
    assert "t_equal" in found
    ordered = recount(path, quasi_identifiers=["q"], sensitive=["s"], orders={"s": "numeric"})
    assert "t_ordered" in ordered.sensitive["s"]


def test_lines_longer_than_usual_are_counted(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("q,s\n" + "".join(f'a,"{"x" * 3_000_000}"\n' for _ in range(2)))
    assert recount(path, quasi_identifiers=["q"], sensitive=["s"]).k == 2
