"""CSV files as people really write them."""

import csv
import gzip
import io
import tracemalloc

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.exceptions import InputError
from shoal.table import read_table


@pytest.fixture
def write(tmp_path):
    """Write bytes (or text) to a file and give back its path."""

    def _write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return _write


def rows(path, **options):
    return read_table(path, **options).frame.rows()


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_and_line_ends(write, delimiter, line_end):
    lines = [["id", "text"], ["1", f'"a{delimiter}b"'], ["2", '"say ""hi"""']]
    path = write(line_end.join(delimiter.join(line) for line in lines))
    assert rows(path) == [("1", f"a{delimiter}b"), ("2", 'say "hi"')]


def test_mixed_line_ends_and_line_ends_in_quotes(write):
    path = write('a,b\r\n1,"x\ny"\r2,"p\r\nq"\n3,z')
    assert rows(path) == [("1", "x\ny"), ("2", "p\r\nq"), ("3", "z")]


def test_all_columns_are_text_and_text_stays_text(write):
    table = read_table(write("zip,n,c\n01234,9007199254740993,NA\n1234,null,NaN\n"))
    assert table.frame.schema == {"zip": pl.String, "n": pl.String, "c": pl.String}
    assert table.frame.rows() == [("01234", "9007199254740993", "NA"), ("1234", "null", "NaN")]
    assert table.column("zip").labels == ("01234", "1234")
    assert not table.column("c").has_missing


def test_an_empty_cell_is_missing_quoted_or_not(write):
    table = read_table(write('a,b\n,1\n"",2\nx,\n'))
    assert table.frame.rows() == [(None, "1"), (None, "2"), ("x", None)]
    assert table.codes("a").tolist() == [1, 1, 0]
    assert table.column("b").missing_code == 2


def test_missing_texts_stay_in_the_frame_and_are_missing_in_codes_and_text(write):
    table = read_table(write("job,age\n?,1\nBaker,\n"), missing=["?", ""])
    assert table.frame["job"].to_list() == ["?", "Baker"]
    assert table.text("job").to_list() == [None, "Baker"]
    assert table.codes("job").tolist() == [1, 0]
    assert table.kinds["age"] == "numeric"


def test_without_missing_texts_the_empty_cell_is_a_value(write):
    table = read_table(write("a,b\n,1\nx,2\n"), missing=())
    assert table.column("a").labels == ("", "x")
    assert table.frame["a"].to_list() == ["", "x"]


def test_what_was_found_is_said_and_can_be_overridden(write):
    table = read_table(write("a;b\n1,5;2\n"))
    assert table.warnings == ("Columns were split at the semicolon.",)
    told = read_table(write("a;b\n1,5;2\n3,4;5\n"), delimiter=";")
    assert told.warnings == ()
    assert read_table(write("a:b\n1:2\n"), delimiter=":").column_names == ("a", "b")
    assert "Only one column" in read_table(write("a\n1\n")).warnings[0]


def test_empty_lines_are_skipped_and_said(write):
    table = read_table(write("\n\na,b\n1,2\n\n3,4\n\n"))
    assert table.frame.rows() == [("1", "2"), ("3", "4")]
    assert "Empty lines were skipped: 4." in table.warnings


def test_in_one_column_an_empty_line_is_a_record(write):
    assert rows(write("a\n1\n\n2\n")) == [("1",), (None,), ("2",)]


def test_a_record_in_place_of_the_header_is_suspected(write):
    table = read_table(write("39,Private\n50,Federal\n"))
    assert any("header" in warning for warning in table.warnings)


def test_quotes_inside_an_unquoted_field_are_text(write):
    assert rows(write('size,n\n5" pipe,1\na"b"c,2\n')) == [('5" pipe', "1"), ('a"b"c', "2")]


def test_the_last_line_needs_no_end_and_may_end_in_a_delimiter(write):
    assert rows(write("a,b\n1,2\n3,")) == [("1", "2"), ("3", None)]
    assert rows(write('a,b\n1,"2"')) == [("1", "2")]


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-8", None),
        ("utf-8-sig", None),
        ("utf-16", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("latin-1", "Latin-1"),
    ],
)
def test_encodings_are_found_and_said(write, encoding, said):
    table = read_table(write("stadt,n\nLinz,1\nÖblarn,2\n".encode(encoding)))
    assert table.frame["stadt"].to_list() == ["Linz", "Öblarn"]
    assert table.column_names == ("stadt", "n")
    if said is None:
        assert table.warnings == ()
    else:
        assert said in table.warnings[0]


def test_cp1252_is_told_from_latin_1(write):
    table = read_table(write("price\n5 €\n“six”\n".encode("cp1252")))
    assert table.frame["price"].to_list() == ["5 €", "“six”"]
    assert "CP1252" in table.warnings[0]


def test_an_encoding_given_is_used(write):
    path = write("a,b\né,1\n".encode("cp437"))
    assert rows(path, encoding="cp437") == [("é", "1")]
    assert rows(write("\ufeffa,b\né,1\n"), encoding="UTF8") == [("é", "1")]


def test_a_gzip_file_is_unpacked(write):
    path = write(gzip.compress(b"a,b\n1,2\n"), "table.csv.gz")
    assert rows(path) == [("1", "2")]


def test_memory_stays_flat_for_an_endless_field(write):
    path = write(b'a,b\n1,"' + b"x" * (1 << 26))
    tracemalloc.start()
    with pytest.raises(InputError, match="Row 1 has a field longer"):
        read_table(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


def test_many_columns(write):
    names = [f"c{i}" for i in range(2_000)]
    table = read_table(write(",".join(names) + "\n" + ",".join("1" * 2_000) + "\n"))
    assert table.column_names == tuple(names)


plain = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), include_characters='\n\t",;'),
    max_size=6,
)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(2, 4).flatmap(
        lambda width: st.lists(
            st.lists(plain, min_size=width, max_size=width), min_size=1, max_size=8
        )
    ),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([",", ";", "\t", "|"]),
)
def test_whatever_the_csv_module_writes_is_read_back(
    tmp_path_factory, cells, quoting, line_end, delimiter
):
    out = io.StringIO()
    writer = csv.writer(out, quoting=quoting, lineterminator=line_end, delimiter=delimiter)
    writer.writerow([f"column {i}" for i in range(len(cells[0]))])
    writer.writerows(cells)
    path = tmp_path_factory.getbasetemp() / "round_trip.csv"
    path.write_bytes(out.getvalue().encode())
    frame = read_table(path, delimiter=delimiter, missing=()).frame
    assert frame.rows() == [tuple(row) for row in cells]
