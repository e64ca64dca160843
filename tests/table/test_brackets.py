"""Ranges of numbers are ordinals, and several of them are printed as one range."""

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.table import (
    join_brackets,
    read_again,
    read_bracket,
    read_table,
    span_of,
    suggest_formats,
)
from shoal.utility import GeneralizedEncoder

COLUMNS = {  # case: values from low to high, first to third joined
    "half open": (["[0-10)", "[10-20)", "[20-30)", "[90-100)"], "[0-30)"),
    "closed": (["0-17", "18-29", "30-64", "65+"], "0-64"),
    "open below": (["< 18", "18-29", "30-39", "40-49"], "<= 39"),
    "words": (["under 18", "18 to 29", "30 to 39", "40 and over"], "<= 39"),
    "German": (["unter 18", "18 bis 29", "30 bis 39", "ab 40"], "<= 39"),
    "pandas": (["(20, 30]", "(30, 40]", "(40, 50]", "(50, 60]"], "(20, 50]"),
    "survey": (["Less than 25", "25 - 45", "46 - 60", "Greater than 60"], "<= 60"),
    "income": (
        ["$0 - $24,999", "$25,000 - $49,999", "$50,000 - $99,999", "$100,000+"],
        "$0 - $99,999",
    ),
    "years": (["18-29 years", "30-39 years", "40-49 years", "50+ years"], "18-49 years"),
    "household": (["1", "2", "3", "4+"], "1-3"),
    "thousands": (["0-9,999", "10,000-19,999", "20,000-29,999", ">= 30,000"], "0-29,999"),
}


@pytest.mark.parametrize("case", COLUMNS)
def test_they_are_ordinals_in_the_order_of_their_numbers(case):
    values, joined = COLUMNS[case]
    mixed = [values[i] for i in (2, 0, 3, 1, 0)]
    table = read_table(pl.DataFrame({"x": mixed}))
    assert table.kinds["x"] == "ordinal"
    assert table.column("x").labels == tuple(values)
    assert join_brackets(values[0], values[2]) == joined
    assert span_of(joined, values) == (values[0], values[2])


@pytest.mark.parametrize(
    "values",
    [
        ["2020-05", "2020-06"],
        ["10-20", "15-30"],  # they overlap
        ["555-0101", "555-0102"],
        ["[17, 25]", "[26, 40]"],  # as intervals are published
        ["17", "25"],
        ["18-29", "unknown"],
        ["<=50K", ">50K"],  # two classes
        ["A-8010", "A-1010"],
        ["10, 20", "30, 40"],
    ],
)
def test_these_are_no_brackets(values):
    assert read_table(pl.DataFrame({"x": values})).kinds["x"] != "ordinal"


def test_a_kind_in_a_plan_needs_no_order():
    table = read_table(pl.DataFrame({"x": ["65+", "18-64"]}), kinds={"x": "ordinal"})
    assert table.orders["x"] == ("18-64", "65+")


def test_words_for_missing_among_brackets_are_suggested():
    cells = ["18-29", "30-64", "65+", "unknown", "Prefer not to say"] * 4
    table = read_table(pl.DataFrame({"x": cells}))
    found = suggest_formats(table.cells, table.kinds)["x"]
    assert (found.kind, found.missing) == ("ordinal", ("Prefer not to say", "unknown"))
    again = read_again(table, missing={"x": found.missing}, kinds={"x": "ordinal"})
    assert again.column("x").labels == ("18-29", "30-64", "65+")


def test_a_slip_among_brackets_is_odd_and_said():
    cells = [*["18-29", "30-64", "65+"] * 20, "Kanarie7731"]
    table = read_table(pl.DataFrame({"x": cells}))
    assert table.warnings[0].startswith("Column 'x': 1 of 61 cells is not a range of numbers, so")
    found = suggest_formats(table.cells, table.kinds)["x"]
    assert (found.kind, found.odd, dict(found.format)) == ("ordinal", 1, {"odd": "missing"})
    assert "Kanarie" not in repr(found) + repr(table.warnings)
    again = read_again(table, missing=("",), formats={"x": found.format}, kinds={"x": "ordinal"})
    assert again.column("x").labels == ("18-29", "30-64", "65+")


def test_an_open_end_stays_open():
    assert join_brackets("25 - 45", "Greater than 45") == ">= 25"
    assert join_brackets("30-64", "65+") == "30+"


def test_whatever_is_all_there_is_says_nothing():
    assert join_brackets("< 18", "65+") == "*"
    assert read_bracket("Graz") is None


def people(n=60):
    bands = ("< 18", "18-29", "30-39", "40-64", "65+")
    draw = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "band": [bands[i] for i in draw.integers(0, 5, n)],
            "bracket": [f"[{10 * i}-{10 * i + 10})" for i in draw.integers(0, 10, n)],
            "ill": ["yes", "no"] * (n // 2),
        }
    )


def test_a_release_prints_one_range_and_models_read_it(tmp_path):
    frame = people()
    release = shoal.anonymize(frame, quasi_identifiers=["band", "bracket"], target="ill", k=5)
    texts = set(release.frame["band"]) | set(release.frame["bracket"])
    assert not [text for text in texts if text.count("[") > 1 or ", " in text], texts
    joined = texts - set(frame["band"]) - set(frame["bracket"]) - {"*"}
    assert joined  # some groups hold several brackets
    release.write(tmp_path / "out", ledger="off")
    back = shoal.read_release(tmp_path / "out")
    encoder = back.encoder().fit(back.frame)
    assert encoder.transform(frame).shape[0] == 60  # raw rows mean the same
    assert encoder.n_unseen_ == {"band": 0, "bracket": 0}


def test_ranges_are_spans_of_numbers_for_models():
    encoder = GeneralizedEncoder(quasi_identifiers=["x"], widths=True).fit(
        pl.DataFrame({"x": ["10-19", "20-39"]})
    )
    assert encoder.transform(pl.DataFrame({"x": ["10-39", "20-39"]})).tolist() == [
        [24.5, 29, 0],
        [29.5, 19, 0],
    ]


def test_attackers_read_joined_brackets():
    from shoal.risk.attacks._meanings import read_meaning

    order = ["18-29", "30-39", "40-64"]
    meaning = read_meaning(["30-64"], order, name="x", kind="ordinal", order=order)
    assert meaning.covers(np.array([0, 1, 2]))[:, 0].tolist() == [False, True, True]
