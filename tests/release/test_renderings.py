"""What they had is kept: a workbook gives a workbook, an SPSS file one with its labels."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import fastexcel
import polars as pl
import pyreadstat
import pytest

from shoal.anonymizer import anonymize
from shoal.cli import run
from shoal.exceptions import InputError, InvalidParameterError, ReleaseRefusedError
from shoal.release.renderings import RENDERINGS, Rendering
from shoal.table import read_table
from shoal.table.sources import Place, open_source
from shoal.testing import check_source

ROWS = 40
PEOPLE = pl.DataFrame(
    {
        "id": range(ROWS),
        "sex": [1 + i // 20 for i in range(ROWS)],
        "age": [float(20 + i) for i in range(ROWS)],
        "pain": [1 + i % 3 if i % 10 else -1 for i in range(ROWS)],
        "income": [99.0 if i == 7 else 1.5 * i for i in range(ROWS)],
        "city": ["Graz" if i % 4 else "" for i in range(ROWS)],
        "seen": [dt.date(2020, 1, 1 + i % 28) for i in range(ROWS)],
        "at": [dt.datetime(2020, 1, 1, 12, i) for i in range(ROWS)],
    }
)
LABELS = {
    "sex": {1: "male", 2: "female", 3: "Kanarie7731"},
    "pain": {1: "low", 2: "mid", 3: "high", -1: "not asked"},
    "income": {99: "refused"},
}
ASKED: dict[str, Any] = {
    "quasi_identifiers": ["sex", "age"],
    "identifiers": "id",
    "publish_as_is": ["pain", "income", "city", "seen", "at"],
    "k": 4,
}


def write_spss(path: Path) -> Path:
    pyreadstat.write_sav(
        PEOPLE,
        path,
        file_label="Visits",
        column_labels={"sex": "Sex of the person", "income": "Net, in thousands"},
        variable_value_labels=LABELS,
        missing_ranges={"income": [99], "pain": [{"lo": -9, "hi": -1}]},
        variable_measure={"sex": "nominal", "pain": "ordinal"},
        variable_format={"income": "F8.1"},
    )
    return path


def write_stata(path: Path) -> Path:
    pyreadstat.write_dta(
        PEOPLE, path, column_labels={"sex": "Sex of the person"}, variable_value_labels=LABELS
    )
    return path


def write_workbook(path: Path) -> Path:
    PEOPLE.write_excel(path, worksheet="People")
    return path


def shown(frame: pl.DataFrame = PEOPLE) -> pl.DataFrame:
    """The table as it is read: labels in place of codes, no empty text."""
    return frame.with_columns(
        *(
            pl.col(name).replace_strict(LABELS[name], return_dtype=pl.String)
            for name in ("sex", "pain")
        ),
        pl.col("city").replace("", None),
    )


@pytest.mark.parametrize("name", ["people.sav", "people.zsav", "people.dta", "people.xpt"])
def test_statistics_files_pass_the_battery(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    if file.suffix == ".xpt":
        pyreadstat.write_xport(PEOPLE, file, table_name="T")
        check_source(
            open_source(Place(file)), PEOPLE.with_columns(pl.col("city").replace("", None))
        )
        return
    (write_stata if file.suffix == ".dta" else write_spss)(file)
    check_source(open_source(Place(file)), shown())


def test_a_workbook_passes_the_battery_by_sheet_range_and_name(tmp_path: Path) -> None:
    import xlsxwriter

    with xlsxwriter.Workbook(tmp_path / "wards.xlsx") as book:
        book.add_worksheet("Read me").write(0, 0, "See the other sheet")
        sheet = book.add_worksheet("Wards 2020")
        for row, cells in enumerate(
            [["a report"], [], ["", "ward", "zip"], ["", 1, "01"], ["", 2, "1"]]
        ):
            for column, cell in enumerate(cells):
                sheet.write(row, column, cell)
        sheet.write(5, 1, "Total")
        book.define_name("wards", "='Wards 2020'!$B$3:$C$5")
    wards = pl.DataFrame({"ward": [1, 2], "zip": ["01", "1"]})
    for asked in ("wards", "Wards 2020!B3:C5", "'Wards 2020'!$B$3:$C$5"):
        check_source(open_source(Place(tmp_path / "wards.xlsx", sheet=asked)), wards)
    with pytest.raises(InputError, match="has 2 sheets") as error:
        read_table(tmp_path / "wards.xlsx")
    assert "Wards 2020" in str(error.value.hint)
    with pytest.raises(InputError, match="no sheet or range 'Ward'"):
        read_table(tmp_path / "wards.xlsx", sheet="Ward")
    whole = read_table(tmp_path / "wards.xlsx", sheet="Wards 2020")
    assert (whole.column_names, whole.n_rows) == (("ward", "zip"), 3)
    assert "Lines above the header were left out: 1." in whole.notes
    (tmp_path / "bad.xlsx").write_bytes(b"PK\x03\x04 not a workbook")
    with pytest.raises(InputError, match="not a workbook"):
        read_table(tmp_path / "bad.xlsx")


def test_a_cell_of_another_type_is_not_lost_in_a_workbook(tmp_path: Path) -> None:
    import xlsxwriter

    with xlsxwriter.Workbook(tmp_path / "mixed.xlsx") as book:
        sheet = book.add_worksheet()
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.write_row(0, 0, ["day", "n"])
        sheet.write_datetime(1, 0, dt.datetime(2020, 1, 1), day)
        sheet.write(2, 0, "unknown")
        sheet.write_column(1, 1, ["1", "2", "3"])
    table = read_table(tmp_path / "mixed.xlsx")
    assert table.text("day").to_list() == ["2020-01-01 00:00:00", "unknown", None]


def test_labels_missing_codes_and_orders_are_understood(tmp_path: Path) -> None:
    table = read_table(write_spss(tmp_path / "people.sav"))
    assert table.orders["pain"] == ("low", "mid", "high")
    assert table.kinds["sex"] == "nominal"
    assert table.text("pain").null_count() == 4
    assert table.text("income")[7] is None
    assert table.frame["income"][7] == 99.0
    assert table.kinds["income"] == "numeric"
    assert table.take(table.codes("income") > 0).text("income").null_count() == 1


def released(tmp_path: Path, source: Path, **how: Any) -> Path:
    release = anonymize(read_table(source), **ASKED)
    release.write(tmp_path / "out", ledger="off", **how)
    return tmp_path / "out"


def test_an_spss_file_comes_out_with_the_labels_of_what_is_still_labelled(tmp_path: Path) -> None:
    out = released(tmp_path, write_spss(tmp_path / "people.sav"))
    frame, facts = pyreadstat.read_sav(out / "data.sav", output_format="polars", user_missing=True)
    assert frame.columns == PEOPLE.columns[1:]
    assert facts.variable_value_labels == {
        "sex": {1.0: "male", 2.0: "female"},
        "pain": {1.0: "low", 2.0: "mid", 3.0: "high", -1.0: "not asked"},
        "income": {99.0: "refused"},
    }
    assert facts.missing_ranges["income"] == [{"lo": 99.0, "hi": 99.0}]
    assert facts.original_variable_types["income"] == "F8.1"
    assert facts.variable_measure["pain"] == "ordinal"
    assert facts.column_names_to_labels["sex"] == "Sex of the person"
    assert facts.file_label == "Visits"
    assert frame.schema["seen"] == pl.Date
    assert frame.schema["age"] == pl.String
    assert sorted(frame["income"].to_list()) == sorted(PEOPLE["income"].to_list())
    assert b"Kanarie7731" not in (out / "data.sav").read_bytes()
    done = subprocess.run(
        [sys.executable, str(out / "verify.py")], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout
    manifest = json.loads((out / "manifest.json").read_text())
    assert (manifest["file"], "data.sav" in manifest["files"]) == ("data.csv", True)


def test_a_column_whose_codes_were_merged_is_text_without_their_labels(tmp_path: Path) -> None:
    table = read_table(write_spss(tmp_path / "people.sav"))
    release = anonymize(table, **{**ASKED, "k": 30})
    release.write(tmp_path / "out", ledger="off")
    frame, facts = pyreadstat.read_sav(tmp_path / "out" / "data.sav", output_format="polars")
    assert frame["sex"].unique().to_list() == ["*"]
    assert "sex" not in facts.variable_value_labels


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("people.sav", "data.sav"),
        ("people.dta", "data.dta"),
        ("people.xpt", "data.xpt"),
        ("people.xlsx", "data.xlsx"),
        ("people.ndjson", "data.ndjson"),
        ("people.arrow", "data.arrow"),
        ("people.parquet", "data.parquet"),
        ("people.csv", "data.csv"),
    ],
)
def test_the_type_you_give_is_the_type_you_get(name: str, expected: str, tmp_path: Path) -> None:
    file = tmp_path / name
    write = {
        ".sav": write_spss,
        ".dta": write_stata,
        ".xpt": lambda path: pyreadstat.write_xport(PEOPLE, path, table_name="T"),
        ".xlsx": write_workbook,
        ".ndjson": PEOPLE.write_ndjson,
        ".arrow": PEOPLE.write_ipc,
        ".parquet": PEOPLE.write_parquet,
        ".csv": PEOPLE.write_csv,
    }
    write[file.suffix](file)
    out = released(tmp_path, file)
    plain = {"manifest.json", "report.html", "verify.py"}
    data = {path.name for path in out.iterdir()} - plain
    assert data == {expected} | ({"data.csv"} if expected != "data.parquet" else set())
    again = anonymize(read_table(file), **ASKED)
    again.write(tmp_path / "again", ledger="off")
    assert (tmp_path / "again" / expected).read_bytes() == (out / expected).read_bytes()
    back = read_table(out / expected)
    assert back.n_rows == ROWS
    if expected != "data.csv":
        kept = back.frame.schema["at"].is_temporal()
        assert kept == (expected != "data.ndjson")


def test_a_workbook_keeps_its_sheet_and_never_runs_a_cell(tmp_path: Path) -> None:
    evil = PEOPLE.with_columns(pl.lit("=1+1").alias("city"))
    evil.write_excel(tmp_path / "evil.xlsx", worksheet="Ward 7", column_formats=None)
    out = released(tmp_path, tmp_path / "evil.xlsx")
    book = fastexcel.read_excel(out / "data.xlsx")
    assert book.sheet_names == ["Ward 7"]
    assert read_table(out / "data.xlsx").text("city").unique().to_list() == ["=1+1"]


def test_exact_numbers_that_a_double_cannot_hold_become_text(tmp_path: Path) -> None:
    large = [2**60 + i for i in range(ROWS)]
    frame = PEOPLE.select("sex", "age", pl.Series("big", large), pl.lit(1 / 3).alias("third"))
    frame.write_parquet(tmp_path / "big.parquet")
    for form in ("xlsx", "sav", "dta", "xpt", "arrow", "ndjson"):
        release = anonymize(
            read_table(tmp_path / "big.parquet"),
            quasi_identifiers=["sex", "age"],
            publish_as_is=["big", "third"],
            k=4,
        )
        release.write(tmp_path / form, format=form, ledger="off")
        back = read_table(tmp_path / form / f"data.{form}")
        assert sorted(back.text("big").to_list()) == sorted(map(str, large))


def test_what_a_format_cannot_hold_is_said_before_the_work_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_spss(tmp_path / "people.sav")
    named = ["--quasi", "sex,age", "--identifier", "id", "-k", "4", "--ledger", "off"]
    code = run(
        ["anonymize", str(tmp_path / "people.sav"), *named, "-o", str(tmp_path / "a"), "--json"]
    )
    told = capsys.readouterr()
    assert code == 0, told.err
    assert "holds no ranges" in told.err
    assert any("sex and age" in warning for warning in json.loads(told.out)["warnings"])
    assert json.loads(told.out)["source"] == {"kind": "spss", "name": "people.sav"}
    PEOPLE.rename({"city": "home town"}).write_csv(tmp_path / "people.csv")
    words = ["anonymize", str(tmp_path / "people.csv"), *named, "-o", str(tmp_path / "b")]
    assert run([*words, "--format", "sav"]) == 2
    assert "no room for a column named 'home town'" in capsys.readouterr().err
    assert run([*words, "--format", "tiff"]) == 2
    assert not (tmp_path / "b").exists()
    with pytest.raises(InvalidParameterError, match="at most 1,048,575 rows"):
        RENDERINGS["xlsx"].refuse(["a"], 2_000_000)
    with pytest.raises(InvalidParameterError, match="upper from lower case"):
        RENDERINGS["dta"].refuse(["a", "A"], 2)


def test_a_rendering_that_changes_a_cell_is_refused_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forgetful(type(RENDERINGS["ndjson"])):  # type: ignore[misc]
        def write(self, path: Path, frame: pl.DataFrame, book: Any) -> None:
            super().write(path, frame.with_columns(pl.lit("Wien").alias("city")), book)

    forgetful: Rendering = Forgetful()
    monkeypatch.setitem(RENDERINGS, "ndjson", forgetful)
    PEOPLE.write_ndjson(tmp_path / "people.ndjson")
    with pytest.raises(ReleaseRefusedError, match="cells of city"):
        released(tmp_path, tmp_path / "people.ndjson")
    assert not (tmp_path / "out").exists()
