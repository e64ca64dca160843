"""Every bad input ends in a typed error that says where, and never shows a cell."""

import gzip
import io
import os
import traceback
import zipfile

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from shoal.exceptions import (
    EmptyTableError,
    EncodingError,
    HeaderError,
    InputError,
    InvalidParameterError,
    RaggedRowError,
    RoleConflictError,
    ShoalError,
    UnknownColumnError,
    ValueKindError,
)
from shoal.table import Roles, read_table

CANARY = "Kanarie7731"  # a value that must never leave a cell
C = CANARY.encode()


def _zip_of(name: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, CANARY)
    return packed.getvalue()


FILES = {  # name of the case: (file name, content, options, error, part of the message)
    "no bytes": ("t.csv", b"", {}, EmptyTableError, "empty"),
    "byte order mark only": ("t.csv", b"\xef\xbb\xbf", {}, EmptyTableError, "empty"),
    "only empty lines": ("t.csv", b"\n\r\n\n", {}, EmptyTableError, "empty lines"),
    "header only": ("t.csv", b"a,b\n", {}, EmptyTableError, "no rows"),
    "duplicate data": ("t.csv", C + b"," + C + b",3\n1,2,3", {}, HeaderError, "same name"),
    "no header, empty cell": (
        "t.csv",
        b"39,," + C + b"\n1,2,3\n",
        {},
        HeaderError,
        "Column 2 of 3",
    ),
    "header of one": (
        "t.csv",
        b"place\n" + C + b",Austria\nLinz,Austria\n",
        {},
        RaggedRowError,
        "Row 1",
    ),
    "two without a name": ("t.csv", b"a,,\n1,2," + C, {}, HeaderError, "Column 2 of 3"),
    "row too long": ("t.csv", b"a,b\n1,2\n1,2," + C, {}, RaggedRowError, "Row 2 has 3 fields"),
    "row too short": ("t.csv", b"a,b,c\n1,2," + C + b"\n1\n2\n", {}, RaggedRowError, "Row 2.*2 su"),
    "unclosed quote": ("t.csv", b'a,b\n1,2\n1,"' + C, {}, InputError, "Row 2 opens a quote"),
    "unclosed quote in header": ("t.csv", b'a,"b\n1,2\n', {}, InputError, "header opens"),
    "text after quote": ("t.csv", b'a,b\n1,"x"' + C, {}, InputError, "Row 1 has text after"),
    "backslash quote": ("t.csv", b'a,b\n1,"\\"' + C + b'\\""', {}, InputError, "closing quote"),
    "nul": ("t.csv", b"a,b\n1," + C + b"\x00\n", {}, EncodingError, "Row 1"),
    "control": ("t.csv", b"a,b\n1,2\n\x1b" + C + b",2\n", {}, EncodingError, "Row 2"),
    "control in quotes": ("t.csv", b'a,b\n1,"\x07' + C + b'"\n', {}, EncodingError, "Row 1"),
    "endless field": ("t.csv", b"a,b\n1," + C * 200_000, {}, InputError, "Row 1.*1,048,576"),
    "endless quote": ("t.csv", b'a,b\n1,"' + C * 200_000, {}, InputError, "Row 1.*longer"),
    "not the encoding": (
        *("t.csv", b"a\n" + C + b"\xe9\n", {"encoding": "utf-8"}),
        *(EncodingError, "byte 13"),
    ),
    "ascii": ("t.csv", "a\né".encode(), {"encoding": "ascii"}, EncodingError, "byte 2"),
    "mixed encodings": ("t.csv", "ö".encode() + b"\n" + C + b"\xe9", {}, EncodingError, "byte 14"),
    "marked and broken": ("t.csv", b"\xef\xbb\xbfa\n\xe9", {}, EncodingError, "byte 5"),
    "no text": ("t.csv", b"a\n" + C + b"\x81\xff\n", {}, EncodingError, "byte 13"),
    "utf-16 cut": ("t.csv", b"\xff\xfea\x00\n\x00b", {}, EncodingError, "byte 6"),
    "utf-16 unmarked": ("t.csv", "a,b\n".encode("utf-16-le"), {}, EncodingError, "header"),
    "no such encoding": ("t.csv", b"a\n1", {"encoding": "klingon"}, InvalidParameterError, "kling"),
    "no text encoding": ("t.csv", b"a\n1", {"encoding": "base64"}, InvalidParameterError, "base64"),
    "long delimiter": ("t.csv", b"a\n1", {"delimiter": "::"}, InvalidParameterError, "one char"),
    "quote delimiter": ("t.csv", b"a\n1", {"delimiter": '"'}, InvalidParameterError, "quote"),
    "line delimiter": ("t.csv", b"a\n1", {"delimiter": "\n"}, InvalidParameterError, "line end"),
    "delimiter of parquet": ("t.parquet", C, {"delimiter": ","}, InvalidParameterError, "CSV"),
    "wrong delimiter": ("t.csv", b"a,b\n1;2,3\n", {"delimiter": ";"}, RaggedRowError, "Row 1"),
    "pdf": ("t.csv", b"%PDF-1.7\n" + C, {}, InputError, "PDF document, not CSV"),
    "zip": ("t.csv", _zip_of("t.csv"), {}, InputError, "ZIP archive"),
    "xlsx": ("t.csv", _zip_of("xl/workbook.xml"), {}, InputError, "Excel workbook"),
    "xls": ("t.csv", b"\xd0\xcf\x11\xe0\xa1\xb1" + C, {}, InputError, "Office"),
    "web page": ("t.csv", b"\n<!DOCTYPE html>" + C, {}, InputError, "web page"),
    "duckdb": ("t.csv", b"\x08\x9fD\xc9\x8b~\x0b\xdfDUCK" + C, {}, InputError, "DuckDB database"),
    "spss": ("t.csv", b"$FL2@(#)" + C, {}, InputError, "SPSS"),
    "stata": ("t.csv", b"<stata_dta>" + C, {}, InputError, "Stata"),
    "binary": ("t.csv", "ö".encode() + b"\x00\xff\x00" + C, {}, EncodingError, "not text"),
    "parquet as csv": ("t.csv", b"PAR1\x15" + C, {}, InputError, "Parquet"),
    "gzip as csv": ("t.csv", gzip.compress(C), {}, InputError, "gzip"),
    "gzip in gzip": ("t.csv.gz", gzip.compress(gzip.compress(C)), {}, InputError, "gzip file, not"),
    "not gzip": ("t.csv.gz", b"a,b\n" + C, {}, InputError, "damaged"),
    "cut gzip": ("t.csv.gz", gzip.compress(C * 99)[:-9], {}, InputError, "damaged"),
    "nothing in gzip": ("t.csv.gz", gzip.compress(b""), {}, EmptyTableError, "empty"),
    "bomb": ("t.csv.gz", gzip.compress(bytes(1 << 26)), {}, InputError, "33,554,432"),
    "not parquet": ("t.parquet", b"a,b\n1," + C, {}, InputError, "not a Parquet file"),
    "cut parquet": ("t.parquet", b"PAR1" + C + b"PAR1", {}, InputError, "damaged"),
    "not arrow": ("t.arrow", b"a,b\n1," + C, {}, InputError, "not an Arrow file"),
    "no role column": (
        *("t.csv", b"age,b\n1," + C, {"roles": Roles(quasi_identifiers="agee")}),
        *(UnknownColumnError, "agee"),
    ),
    "no kind column": ("t.csv", b"a\n1", {"kinds": {"x": "date"}}, UnknownColumnError, "'x'"),
    "no order column": ("t.csv", b"a\n1", {"orders": {"x": ["a", "b"]}}, UnknownColumnError, "'x'"),
    "no such kind": ("t.csv", b"a\n1", {"kinds": {"a": "int"}}, InvalidParameterError, "'int'"),
    "roles as dict": ("t.csv", b"a\n1", {"roles": {"a": 1}}, InvalidParameterError, "Roles"),
    "missing not text": ("t.csv", b"a\n1", {"missing": [1]}, InvalidParameterError, "text"),
    "inf": ("t.csv", b"n\n1\ninf\n-Infinity\n", {"kinds": {"n": "numeric"}}, ValueKindError, "2, "),
    "nan": ("t.csv", b"n\n1\n2\nNaN\n", {"kinds": {"n": "numeric"}}, ValueKindError, "in row 3"),
    "word": ("t.csv", b"n\n1\n" + C, {"kinds": {"n": "numeric"}}, ValueKindError, "'n'.*in row 2"),
    "thousands": ("t.csv", b"n;m\n1,234;1", {"kinds": {"n": "numeric"}}, ValueKindError, "row 1"),
    "underscore": ("t.csv", b"n\n1_000", {"kinds": {"n": "numeric"}}, ValueKindError, "row 1"),
    "too large": ("t.csv", b"n\n1e400", {"kinds": {"n": "numeric"}}, ValueKindError, "row 1"),
    "no date": ("t.csv", b"d\n2024-02-30", {"kinds": {"d": "date"}}, ValueKindError, "row 1"),
    "year 0": ("t.csv", b"d\n0000-01-01", {"kinds": {"d": "date"}}, ValueKindError, "row 1"),
    "two-digit year": ("t.csv", b"d\n01/02/03", {"kinds": {"d": "date"}}, ValueKindError, "row 1"),
    "which month": ("t.csv", b"d\n01/02/2003", {"kinds": {"d": "date"}}, ValueKindError, "one way"),
    "mixed zones": (
        *("t.csv", b"d\n2020-01-01T00:00Z\n2020-01-01T00:00", {"kinds": {"d": "date"}}),
        *(ValueKindError, "one way"),
    ),
    "no order": ("t.csv", b"s\n" + C, {"kinds": {"s": "ordinal"}}, InvalidParameterError, "'s'"),
    "not in order": (
        "t.csv",
        b"s\n" + C,
        {"orders": {"s": ["a", "b"]}},
        ValueKindError,
        "in row 1",
    ),
    "order twice": ("t.csv", b"s\na", {"orders": {"s": ["a", "a"]}}, InvalidParameterError, "once"),
    "order of a date": (
        *("t.csv", b"s\na", {"orders": {"s": ["a", "b"]}, "kinds": {"s": "date"}}),
        *(InvalidParameterError, "order"),
    ),
}

FRAMES = {
    "no rows": (pl.DataFrame({"a": []}), EmptyTableError, "no rows"),
    "no columns": (pd.DataFrame(index=[1, 2]), EmptyTableError, "no rows"),
    "lists": (pl.DataFrame({"a": [[CANARY]]}), InputError, "'a'"),
    "structures": (pl.DataFrame({"a": [{"x": CANARY}]}), InputError, "'a'"),
    "bytes": (pl.DataFrame({"a": [C]}), InputError, "'a'"),
    "objects": (pl.DataFrame({"a": [object()]}), InputError, "'a'"),
    "arrow lists": (pa.table({"a": [[CANARY]]}), InputError, "'a'"),
    "mixed types": (pd.DataFrame({"a": [1, CANARY]}), ValueKindError, "'a' mixes types"),
    "beyond integers": (pd.DataFrame({"a": [10**30, 1]}), ValueKindError, "'a'"),
    "periods": (pd.DataFrame({"a": pd.period_range("2020", periods=2)}), InputError, "'a'"),
    "pandas twice": (pd.DataFrame([[1, CANARY]], columns=["a", "a"]), HeaderError, "same name"),
    "arrow twice": (pa.table([[1], [CANARY]], names=["a", "a"]), HeaderError, "same name"),
    "numbered columns": (pd.DataFrame([[1, CANARY]]), HeaderError, "not text"),
    "unnamed column": (pl.DataFrame({"": [CANARY]}), HeaderError, "no name"),
    "nul": (pl.DataFrame({"a": ["x", f"{CANARY}\0"]}), EncodingError, "'a'.*in row 2"),
    "infinite": (pl.DataFrame({"a": [1.0, np.inf]}), ValueKindError, "'a'.*in row 2"),
    "pandas infinite": (pd.DataFrame({"a": [1.0, -np.inf, np.nan]}), ValueKindError, "1, the"),
    "lazy": (pl.LazyFrame({"a": [CANARY]}), InputError, "LazyFrame"),
    "a dictionary": ({"a": [CANARY]}, InputError, "'dict'"),
    "a series": (pd.Series([CANARY]), InputError, "'Series'"),
    "nothing": (None, InputError, "'NoneType'"),
}


def _assert_silent(error: ShoalError) -> None:
    told = "".join(traceback.format_exception(error))
    assert CANARY not in f"{error} {error.hint}"
    assert CANARY not in told
    assert str(error).endswith(".")
    assert "\n" not in str(error)


@pytest.mark.parametrize("case", FILES)
def test_bad_files(tmp_path, case):
    name, content, options, kind, said = FILES[case]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(kind, match=said) as caught:
        read_table(tmp_path / name, **options)
    _assert_silent(caught.value)


@pytest.mark.parametrize("case", FRAMES)
def test_bad_frames(case):
    source, kind, said = FRAMES[case]
    with pytest.raises(kind, match=said) as caught:
        read_table(source)
    _assert_silent(caught.value)


@pytest.mark.parametrize(
    ("path", "said"),
    [("missing.csv", "no file"), ("", "folder"), ("x\0y.csv", "cannot be"), ("a" * 300, "cannot")],
)
def test_bad_paths(tmp_path, path, said):
    with pytest.raises(InputError, match=said) as caught:
        read_table(str(tmp_path / path))
    _assert_silent(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(InputError, match="pipe"):
        read_table(tmp_path / "pipe.csv")


def test_a_file_without_a_header_is_told_so(tmp_path):
    (tmp_path / "t.csv").write_text(f"39,{CANARY},{CANARY}\n40,x,y\n")
    with pytest.raises(HeaderError, match="same name") as caught:
        read_table(tmp_path / "t.csv")
    assert "line of column names" in caught.value.hint
    _assert_silent(caught.value)


def test_csv_options_do_not_fit_a_frame():
    with pytest.raises(InvalidParameterError, match="CSV"):
        read_table(pl.DataFrame({"a": [1]}), delimiter=",")


def test_role_conflicts_are_input_of_the_user_not_of_the_table():
    with pytest.raises(RoleConflictError):
        read_table(pl.DataFrame({"a": [1]}), roles=Roles(sensitive="a", identifiers="a"))


def test_a_bad_kind_is_told_for_columns_without_a_role_too(tmp_path):
    frame = pl.DataFrame({"a": [CANARY], "b": [CANARY]})
    with pytest.raises(ValueKindError, match="'b'") as caught:
        read_table(frame, roles=Roles(sensitive="a"), kinds={"b": "numeric"})
    _assert_silent(caught.value)


def test_tables_and_columns_do_not_show_cells_when_printed():
    table = read_table(pl.DataFrame({"a": [CANARY, "x"]}), roles=Roles(identifiers="a"))
    shown = f"{table!r} {table.column('a')!r} {table.cells!r} {table.warnings}"
    assert CANARY not in shown
    assert "1 identifier" in shown


def test_a_file_that_is_not_there_is_answered_with_one_that_looks_alike(tmp_path, monkeypatch):
    (tmp_path / "patients.csv").write_text("age\n1\n")
    monkeypatch.chdir(tmp_path)
    for given, hint in {
        "patient.csv": "Did you mean 'patients.csv'?",
        "xyz": "Names are read from the folder you are in",
        "no/patients.csv": "The folder 'no' is not there either",
    }.items():
        with pytest.raises(InputError, match="There is no file") as caught:
            read_table(given)
        assert hint in caught.value.hint
