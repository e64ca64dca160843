"""Kernels that read bytes, against slow twins, compiled and as plain Python."""

import csv
import io
import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.kernels import compiling, delimited

COMMAS = delimited.classify(",")


def as_array(data: bytes):
    return np.frombuffer(data, dtype=np.uint8)


def slow_scan(data: bytes):
    """Decode byte by byte: (first invalid offset, invalid bytes, multi-byte characters)."""
    first, bad, wide, i = -1, 0, 0, 0
    while i < len(data):
        for length in (1, 2, 3, 4):
            try:
                data[i : i + length].decode()
            except UnicodeDecodeError:
                continue
            wide += length > 1
            i += length
            break
        else:
            first = i if bad == 0 else first
            bad += 1
            i += 1
    return first, bad, wide


byte_texts = st.binary(max_size=12) | st.text(max_size=6).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)


@settings(max_examples=500, deadline=None)
@given(st.lists(byte_texts, max_size=3).map(b"".join))
def test_utf8_scan(data):
    assert delimited.scan_utf8(as_array(data)) == slow_scan(data)


@pytest.mark.parametrize("data", [b"", b"a", "é€😀".encode(), b"\xed\xa0\x80", b"\xf4\x90\x80\x80"])
def test_utf8_scan_as_plain_python(data):
    length = delimited._length
    delimited._length = length.py_func
    try:
        assert delimited.scan_utf8.py_func(as_array(data)) == slow_scan(data)
    finally:
        delimited._length = length


def split_rows(data: bytes, piece: int = delimited.PIECE):
    facts, places = delimited.inspect(as_array(data), COMMAS, 1000, piece)
    assert facts.fault == delimited.SOUND
    assert facts.ragged == 0
    rows = []
    for first, last in pairwise(places):
        text, starts, bounds = delimited.split(as_array(data), COMMAS, first, last)
        columns = []
        for column, begin in enumerate(starts[:-1]):
            cuts = bounds[column] + begin
            columns.append([text[a:b].tobytes() for a, b in pairwise(cuts)])
        rows += [list(row) for row in zip(*columns, strict=True)]
    return rows


fields = st.text('ab,"\n\r x', max_size=5)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(fields, fields, fields), min_size=1, max_size=8),
    st.sampled_from("\n\r"),
    st.integers(1, 40),
)
def test_split_agrees_with_the_csv_module(rows, line_end, piece):
    out = io.StringIO()
    csv.writer(out, lineterminator=line_end, quoting=csv.QUOTE_ALL).writerows(rows)
    assert split_rows(out.getvalue().encode(), piece) == [[f.encode() for f in row] for row in rows]


@settings(max_examples=300, deadline=None)
@given(st.text('ab,"\n', max_size=30), st.integers(1, 40))
def test_whatever_the_bytes_the_parser_stays_inside_them(text, piece):
    data = text.encode()
    facts, places = delimited.inspect(as_array(data), COMMAS, 1000, piece)
    assert 0 <= facts.offset <= len(data)
    assert places[-1, 2:].sum() <= len(data)
    if facts.fault == delimited.SOUND and facts.ragged == 0 and facts.records:
        strict = list(csv.reader(io.StringIO(text, newline="")))
        wide = [row for row in strict if row]
        if facts.columns > 1:
            assert split_rows(data, piece) == [[f.encode() for f in row] for row in wide]


FAULTS = {
    b'a,b\n1,"2': (delimited.UNCLOSED, 1),
    b'a,b\n1,"2"x\n': (delimited.AFTER_QUOTE, 1),
    b"a,b\n1,2\n3,\x00\n": (delimited.CONTROL_BYTE, 2),
    b'a,b\n1,"\x7f"\n': (delimited.CONTROL_BYTE, 1),
    b"a,b\n1," + b"x" * 11: (delimited.TOO_LONG, 1),
    b'a,b\n1,"' + b"x" * 11: (delimited.TOO_LONG, 1),
}


@pytest.mark.parametrize("data", FAULTS)
def test_faults_are_placed(data):
    facts, _ = delimited.inspect(as_array(data), COMMAS, 10, delimited.PIECE)
    assert (facts.fault, facts.records) == FAULTS[data]


def test_ragged_records_are_counted():
    data = as_array(b"a,b\n1,2\n1\n1,2,3\n1,2,\n")
    facts, _ = delimited.inspect(data, COMMAS, 10, delimited.PIECE)
    assert (facts.ragged, facts.first_ragged, facts.first_fields) == (3, 2, 1)


@pytest.fixture
def folder_of(monkeypatch):
    """Where compiled code goes, where the package is writable or not."""

    def asked(package_is_writable):
        real = os.access
        package = str(compiling.PACKAGE)
        answers = {package: package_is_writable}
        monkeypatch.setattr(
            os, "access", lambda path, mode: answers.get(str(path), real(path, mode))
        )
        compiling.cache_folder.cache_clear()
        return compiling.cache_folder()

    yield asked
    compiling.cache_folder.cache_clear()


def test_importing_kernels_changes_nothing_of_the_process():
    code = (
        "import os, numba, polars; before = dict(os.environ), numba.config.CACHE_DIR;"
        "import shoal.grouping, shoal.kernels.growing;"
        "assert (dict(os.environ), numba.config.CACHE_DIR) == before"
    )
    bare = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    subprocess.run([sys.executable, "-c", code], check=True, env=bare)


def test_a_cache_folder_already_chosen_is_honoured(monkeypatch, tmp_path):
    monkeypatch.setattr(compiling.config, "CACHE_DIR", str(tmp_path))
    made = compiling.njit(cache=True)(_twice)
    assert str(made._cache.cache_path).startswith(str(tmp_path))


def test_kernels_are_compiled_beside_their_source_only(monkeypatch):
    monkeypatch.setattr(compiling.config, "CACHE_DIR", "")
    made = compiling.njit(cache=True)(_twice)
    assert str(made._cache.cache_path).startswith(str(compiling.cache_folder()))
    assert compiling.config.CACHE_DIR == ""


def test_compiled_code_goes_to_the_user_when_the_package_is_read_only(
    folder_of, monkeypatch, tmp_path
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    beside = folder_of(package_is_writable=True)
    assert beside.is_relative_to(compiling.PACKAGE)
    elsewhere = folder_of(package_is_writable=False)
    assert not elsewhere.is_relative_to(compiling.PACKAGE)
    assert elsewhere.name == beside.name
    assert elsewhere.is_dir()


def _twice(number):
    return 2 * number
