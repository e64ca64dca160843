"""Sheets as people really keep them: a title above, an index without a name, a name twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from shoal import read_table

ROWS = [[1, 34, "f", 2.5], [2, 51, "m", 3], [3, 17, "f", 4]]


def _sheet(path: Path, rows: list[list[Any]], left: int = 0) -> Path:
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Ward")
        for place, row in enumerate(rows):
            sheet.write_row(place, left, row)
    return path


@pytest.mark.parametrize("above", [[], [[]], [[], [], []]])
def test_a_title_above_the_header_is_left_out_and_said(above, tmp_path: Path) -> None:
    title = [*above, ["Patients of the first half of 2026"], []]
    names = ["no", "age", "sex", "pay"]
    table = read_table(_sheet(tmp_path / "t.xlsx", [*title, names, *ROWS]))
    assert table.column_names == tuple(names)
    assert table.text("age").to_list() == ["34", "51", "17"]
    assert table.notes == ("Lines above the header were left out: 1.",)


def test_a_table_that_begins_somewhere_in_the_sheet_is_found(tmp_path: Path) -> None:
    rows = [[], [], [], ["no", "age", "sex", "pay"], *ROWS]
    table = read_table(_sheet(tmp_path / "t.xlsx", rows, left=2))
    assert table.column_names == ("no", "age", "sex", "pay")
    assert (table.n_rows, table.notes) == (3, ())


def test_an_index_and_a_repeated_name_are_named_and_said(tmp_path: Path) -> None:
    file = _sheet(tmp_path / "t.xlsx", [["", "age", "sex", "age"], *ROWS])
    table = read_table(file)
    assert table.column_names == ("index", "age", "sex", "age_2")
    assert table.text("age_2").to_list() == ["2.5", "3", "4"]
    assert len(table.notes) == 2
    part = read_table(file, sheet="Ward!B1:D4")
    assert part.column_names == ("age", "sex", "age_2")


def test_a_first_row_of_people_is_no_title(tmp_path: Path) -> None:
    """Taken for a title, it would make names of a row of people."""
    table = read_table(_sheet(tmp_path / "t.xlsx", [["age"], [34], [51]]))
    assert table.text("age").to_list() == ["34", "51"]
