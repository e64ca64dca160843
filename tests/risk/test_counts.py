"""Tables of counts: small cells, and hidden ones that totals give away."""

from __future__ import annotations

import itertools
import json

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.cli import run
from shoal.exceptions import InputError, InvalidParameterError
from shoal.risk import audit_counts

WARD = {"sex": ["f", "m", "Total"], "flu": ["<5", "20", "22"], "gout": ["30", "25", "55"]}


def places(audit):
    return [(cell.row, cell.column, cell.why) for cell in audit.found]


def test_a_small_cell_is_named_by_its_place():
    audit = audit_counts(pl.DataFrame({"ward": ["a", "b"], "flu": ["4", "0"], "gout": ["5", "9"]}))
    assert places(audit) == [(2, "flu", "small")]
    assert "4" not in str(audit.found[0]).replace("Row", "")


def test_a_total_gives_a_lone_hidden_cell_away():
    assert places(audit_counts(pl.DataFrame(WARD))) == [(2, "flu", "worked out")]


def test_a_second_hidden_cell_in_row_and_column_protects_it():
    hidden = WARD | {"flu": ["*", "*", "22"], "gout": ["*", "*", "55"], "Total": ["32", "45", "77"]}
    assert places(audit_counts(pl.DataFrame(hidden))) == []


def test_two_cells_below_five_that_sum_to_eight_are_four_each():
    frame = pl.DataFrame(
        {"ward": ["a", "b", "c"], "flu": ["<5", "<5", "9"], "gout": ["6", "7", "8"]}
    )
    assert places(audit_counts(frame)) == []  # no total, nothing to work with
    total = pl.DataFrame({"ward": ["Gesamt"], "flu": ["17"], "gout": ["21"]})
    found = places(audit_counts(pl.concat([frame, total])))
    assert found == [(2, "flu", "worked out"), (3, "flu", "worked out")]


def test_totals_can_show_that_a_hidden_cell_is_small():
    cells = {"flu": ["*", "*", "9"], "gout": ["*", "*", "0"], "All": ["6", "3", "9"]}
    frame = pl.DataFrame({"ward": ["a", "b", "All"], **cells})
    assert places(audit_counts(frame, 7)) == [
        (2, "flu", "worked out"),
        (2, "All", "small"),
        (3, "flu", "worked out"),
        (3, "All", "small"),
    ]


def test_numbers_that_are_labels_are_no_counts():
    frame = pl.DataFrame({"year": ["2", "3"], "deaths": ["50", "60"]})
    assert audit_counts(frame).cells == 2
    assert audit_counts(frame).holds


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        ({"a": ["x"], "b": ["y"]}, "No column"),
        ({"a": ["x", "y"], "b": ["7", "8"], "c": ["1.5", "8"]}, "neither counts nor hidden"),
        (
            {"a": ["x", "y", "Total"], "b": ["*", "*", "3"], "Total": ["7", "8", "15"]},
            "not the sums",
        ),
    ],
)
def test_what_is_no_table_of_counts_is_refused_in_a_sentence(frame, says):
    with pytest.raises(InputError, match=says):
        audit_counts(pl.DataFrame(frame))


def test_the_least_is_two_or_more():
    with pytest.raises(InvalidParameterError):
        audit_counts(pl.DataFrame(WARD), 1)


@settings(max_examples=25)
@given(
    st.lists(st.lists(st.integers(0, 6), min_size=2, max_size=3), min_size=2, max_size=3).filter(
        lambda rows: len({len(row) for row in rows}) == 1
    ),
    st.data(),
)
def test_what_is_worked_out_is_what_every_possible_table_has(rows, data):
    """The slow twin fills hidden cells with all numbers and keeps what the totals allow."""
    spots = [(i, j) for i in range(len(rows)) for j in range(len(rows[0]))]
    hidden = data.draw(st.lists(st.sampled_from(spots), min_size=1, max_size=4, unique=True))
    sums = [sum(row[j] for row in rows) for j in range(len(rows[0]))]
    shown = [
        [("*" if (i, j) in hidden else str(c)) for j, c in enumerate(row)]
        for i, row in enumerate(rows)
    ]
    frame = pl.DataFrame(
        [[f"r{i}", *row, str(sum(rows[i]))] for i, row in enumerate(shown)]
        + [["Total", *map(str, sums), str(sum(sums))]],
        schema=["label", *(f"c{j}" for j in range(len(rows[0]))), "Total"],
        orient="row",
    )
    possible = []
    for filled in itertools.product(
        range(max([*sums, *(sum(r) for r in rows)]) + 1), repeat=len(hidden)
    ):
        copy = [list(row) for row in rows]
        for (i, j), number in zip(hidden, filled, strict=True):
            copy[i][j] = number
        if [sum(row) for row in copy] == [sum(row) for row in rows] and [
            sum(row[j] for row in copy) for j in range(len(rows[0]))
        ] == sums:
            possible.append(filled)
    expected = set()
    for n, (i, j) in enumerate(hidden):
        values = {filled[n] for filled in possible}
        if len(values) == 1 and 0 < min(values) < 5:
            expected.add((i + 2, f"c{j}", "worked out"))
        elif min(values) > 0 and max(values) < 5:
            expected.add((i + 2, f"c{j}", "narrowed"))
    assert {cell for cell in places(audit_counts(frame)) if cell[2] != "small"} == expected


def test_typed(tmp_path, capsys):
    file = tmp_path / "counts.csv"
    pl.DataFrame(WARD).write_csv(file)
    assert run(["check", str(file), "--counts", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["found"] == [{"row": 2, "column": "flu", "why": "worked out"}]
    assert run(["check", str(file), "--counts", "--least", "2"]) == 0
    assert "No cell tells of fewer than 2 people" in capsys.readouterr().out
    assert run(["check", str(file), "--counts", "--quasi", "sex"]) == 2
    assert run(["check", str(file), "--least", "5"]) == 2
    assert "Add --counts" in capsys.readouterr().err
