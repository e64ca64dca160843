"""What a careful reader is told: odd text, formulas, doubtful roles. Counts only."""

import polars as pl
import pytest

from shoal.table import Roles, read_table

ODD = {  # cells: what is said of how many of them
    "blanks": (["a ", "\tb", "c"], "2 of 3 cells begin or end with a blank"),
    "zero width": (["a\u200b", "b"], "1 of 2 cells hold invisible"),
    "right to left": (["a\u202eb", "b"], "1 of 2 cells hold invisible"),
    "damage": (["a\ufffd", "b"], "1 of 2 cells hold the replacement character"),
    "decomposed": (["e\u0301", "f"], "1 of 2 cells are not in Unicode's composed form"),
    "mixed forms": (["é", "e\u0301", "f"], "2 of 3 cells look like another value"),
    "case": (["Graz", "graz", "GRAZ", "Linz"], "3 of 4 cells look like another value"),
    "formula": (["=1+1", "@x", "-a", "+b", "-5", "c"], "4 of 6 cells begin like a spreadsheet"),
    "nothing": ([None, None], "no values at all"),
}


@pytest.mark.parametrize("case", ODD)
def test_odd_cells_are_counted_not_changed(case):
    cells, said = ODD[case]
    table = read_table(pl.DataFrame({"x": pl.Series(cells, dtype=pl.String)}))
    assert any(said in warning and "'x'" in warning for warning in table.warnings)
    assert table.frame["x"].to_list() == cells


def test_counts_are_of_rows_not_of_values():
    table = read_table(pl.DataFrame({"x": ["=a", "=a", "b"]}))
    assert table.warnings == (
        "Column 'x': 2 of 3 cells begin like a spreadsheet formula (=, +, -, @).",
    )


def test_blanks_around_column_names_are_said():
    table = read_table(pl.DataFrame({"age": [1], " sex": ["f"]}))
    assert table.warnings == ("Column names that begin or end with a blank: 1.",)


def test_negative_numbers_are_no_formulas():
    table = read_table(pl.DataFrame({"n": ["-1", "+2"], "m": [-1, 2], "d": ["-1", "x"]}))
    assert table.warnings == ()


def test_without_roles_nothing_is_suspected():
    frame = pl.DataFrame({"mail": ["a@x", "b@x"]})
    assert read_table(frame).warnings == ()
    assert read_table(frame, roles=Roles(identifiers="mail")).warnings == ()


def test_roles_raise_suspicions():
    frame = pl.DataFrame({"id": ["1", "1", None], "mail": ["a@x", "b@x", "c@x"], "age": [1, 2, 3]})
    table = read_table(frame, roles=Roles(identifiers="id", quasi_identifiers="age"))
    assert len(table.warnings) == 2
    assert "'mail'" in table.warnings[0]
    assert table.warnings[1].startswith("2 rows share their 'id'")
    assert table.with_roles(Roles(quasi_identifiers="age", drop=["id", "mail"])).warnings == ()
    people = table.with_roles(Roles(identifiers="mail", person="id"))
    assert people.warnings == (
        "2 rows belong to people with several rows; people are counted once.",
        "1 rows have no 'id'; together they count as one person.",
    )


@pytest.mark.parametrize("role", ["drop", "identifiers"])
def test_of_what_is_left_out_nothing_odd_is_said(role):
    frame = pl.DataFrame({"x": [" a", "b", "B"], "y": ["u ", "v", "w"]})
    warnings = read_table(frame, roles=Roles(**{role: "x"})).warnings
    assert not [warning for warning in warnings if "cells" in warning and "'x'" in warning]
    assert any("'y'" in warning for warning in warnings)


def test_a_surname_is_no_key_of_a_person():
    frame = pl.DataFrame(
        {"last": ["Brook", "Cole"] * 5, "no": ["P1", "P2"] * 5, "age": [*range(10)]}
    )
    table = read_table(frame, roles=Roles(["last", "no"], ["age"]))
    said = " ".join(table.warnings)
    assert "give person='no'" in said
    assert "'last'" not in said


def test_of_names_that_repeat_the_one_most_like_a_key_is_told():
    frame = pl.DataFrame({"doctor": ["Brook", "Cole"] * 5, "name": [*"abcdefghi", "a"]})
    said = read_table(frame, roles=Roles(["doctor", "name"])).warnings
    assert [line.split(";")[0] for line in said] == ["2 rows share their 'name' with another row"]


def test_where_a_number_is_new_in_every_row_names_that_repeat_are_no_keys():
    frame = pl.DataFrame({"no": [f"4{i:02}" for i in range(10)], "first": ["Ann", "Bo"] * 5})
    assert read_table(frame, roles=Roles(["no", "first"])).warnings == ()
    stays = frame.with_columns(patient=pl.Series(["P1", "P2"] * 5))
    assert "give person='patient'" in str(read_table(stays, roles=Roles(stays.columns)).warnings)
