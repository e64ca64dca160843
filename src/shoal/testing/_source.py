"""What every source of tables must do, whoever wrote it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from shoal.exceptions import InvalidParameterError, ShoalError
from shoal.table import as_text, read_table
from shoal.table.sources import SOURCES, TableSource, source_file
from shoal.testing._expect import expect

SETTINGS = ("table", "query", "sheet", "delimiter", "encoding")


def check_source(
    source: TableSource, expected: pl.DataFrame, *, secrets: Sequence[str] = ()
) -> None:
    """Read a source and check what sources promise.

    The cells are those expected, as text, with their columns in order, and they are the same when
    it is read again; the file it lies in is not changed; nothing that it tells of itself holds a
    secret; settings that it does not understand are refused rather than ignored; `read_table`
    reads the same, if the source is one of `SOURCES`.

    Parameters
    ----------
    source : TableSource
        Where a table is.
    expected : polars.DataFrame
        That table; cells are compared as text, in any order of rows.
    secrets : sequence of str
        Texts that must not be told.

    Raises
    ------
    AssertionError
        With a sentence that says which promise is broken.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from shoal.table.sources import Place, open_source
    >>> people = pl.DataFrame({"zip": ["01234", "1234"], "age": ["30", None]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "people.csv")
    ...     people.write_csv(file)
    ...     check_source(open_source(Place(file)), people)
    """
    place = source.place
    before = _bytes_of(source)
    first, second = source.read(), source.read()
    expect(first.frame.columns == expected.columns, "The columns are not those of the table.")
    expect(_rows(first.frame) == _rows(expected), "A cell is not that of the table.")
    expect(_rows(first.frame) == _rows(second.frame), "Read again, a cell differs.")
    expect(_bytes_of(source) == before, "Reading changed the file.")
    expect(first.origin.kind == source.kind, "It does not say what kind of source it is.")
    told = " ".join([first.origin.name, source.name, repr(source), *first.notes])
    expect(not any(secret in told for secret in secrets), "It tells a secret.")
    expect(type(source).fits(place), "It does not know its own place.")
    _check_settings(source)
    if type(source) not in SOURCES.values():
        return
    asked = {name: getattr(place, name) for name in SETTINGS}
    table = read_table(place.where, **asked)
    expect(_rows(table.frame) == _rows(expected), "read_table reads something else.")
    expect(table.origin.kind == source.kind, "read_table reads it as something else.")


def _check_settings(source: TableSource) -> None:
    for name in set(SETTINGS) - source.takes:
        try:
            type(source)(replace(source.place, **{name: "x"}))  # type: ignore[arg-type]
        except InvalidParameterError:
            continue
        except ShoalError:
            expect(False, f"{name} is refused in the wrong way.")
        expect(False, f"{name} is ignored.")


def _rows(frame: pl.DataFrame) -> list[tuple[str | None, ...]]:
    texts = frame.select(as_text(series).alias(series.name) for series in frame)
    return sorted(texts.rows(), key=repr)


def _bytes_of(source: TableSource) -> list[str]:
    """Digests of all files a source lies in; a server's are its own affair."""
    where = source.place.where
    server = source.kind == "sqlalchemy" or not isinstance(where, (str, Path))
    lies = None if server else source_file(where)
    if lies is None:
        return []
    files = sorted(lies.rglob("*")) if lies.is_dir() else [lies]
    return [hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()]
