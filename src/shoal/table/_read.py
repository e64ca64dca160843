"""Reading a table: from a file or a frame, with kinds and roles checked before anything else."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from os.path import isdir
from pathlib import Path
from typing import Any, cast

import numpy as np

from shoal.exceptions import (
    EmptyTableError,
    InputError,
    InvalidParameterError,
    UnknownColumnError,
    ValueKindError,
)
from shoal.kernels.delimited import Bytes
from shoal.table._brackets import find_order
from shoal.table._cells import Cells
from shoal.table._csv import read_csv
from shoal.table._formats import Lists, apply_formats, for_all, formats_of
from shoal.table._frames import NativeFrame, read_frame
from shoal.table._kinds import COLUMN_KINDS, guess_kinds
from shoal.table._reading import Origin, Reading
from shoal.table._roles import Roles
from shoal.table._table import Table
from shoal.table._warnings import refuse_control_characters
from shoal.typing import Kind


def read_table(
    source: str | os.PathLike[str] | NativeFrame,
    *,
    roles: Roles | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    missing: Lists = ("",),
    clean: Lists = (),
    formats: Mapping[str, Mapping[str, Any]] | None = None,
    table: str | None = None,
    query: str | None = None,
    sheet: str | None = None,
) -> Table:
    """Read a table of people from a file, a database or a frame.

    Text stays text (``01234`` is not ``1234``, ``NA`` is a value), and what cannot be read
    without guessing ends in an `InputError` that names the column and the row, never a cell.
    Rows count from 1, below the header.

    Parameters
    ----------
    source : path, address, connection or frame
        A file or a folder of parts, the address of a database (``postgresql://host/db``,
        ``sqlite:///file.db``), an open connection to one, or a pandas, polars or pyarrow frame;
        see `shoal.table.sources`.
    roles : Roles, optional
        Who is named, described or exposed by which column.
    kinds : mapping of str to Kind, optional
        Kinds of some columns; the others are inferred from all their values.
    orders : mapping of str to sequence of str, optional
        Values of ordinal columns from low to high; such a column needs no kind.
    delimiter, encoding : str, optional
        Of a CSV file; found if not given, and `Table.warnings` tells what was found.
    missing : sequence of str, or mapping of str to it
        Texts that mean "no value", in files and frames alike; by default only the empty cell
        (list it too where it should stay missing beside others). A mapping has a list for each
        column, and under ``"*"`` the one for all.
    clean : sequence of str, or mapping of str to it
        ``"trim"``, ``"case"``, ``"accents"``: spellings that become one, in all columns or some.
    formats : mapping of str to mapping, optional
        How numbers and dates of a column are written: ``{"unit": "cm"}``, ``{"decimal": ","}``,
        ``{"date": "%d.%m.%Y"}``; ``{"odd": "missing"}`` for cells that are neither.
    table, query : str, optional
        What to read of a database: a table or view by name, or a query in its own SQL.
    sheet : str, optional
        What to read of a workbook: a sheet, ``sheet!A1:F200``, or something with a name.

    Returns
    -------
    Table
        The table; `Table.warnings` lists what a careful reader should know.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"zip": ["01234", "1234"], "pain": ["high", "low"]})
    >>> table = read_table(frame, orders={"pain": ["low", "high"]})
    >>> table.kinds
    {'zip': 'code', 'pain': 'ordinal'}
    >>> table.column("pain").labels
    ('low', 'high')
    >>> frame = pl.DataFrame({"height": ["170 cm", "1,8 m", "181"]})
    >>> read_table(frame, formats={"height": {"unit": "cm", "odd": "missing"}}).kinds
    {'height': 'numeric'}
    """
    if not isinstance(roles or Roles(), Roles):
        raise InvalidParameterError("roles must be given as Roles(...).")
    tokens = for_all(missing) if isinstance(missing, Mapping) else _texts(missing, "missing")
    plain = isinstance(source, (str, os.PathLike)) and _PLAIN.match(os.fspath(source))
    if plain and not (table or query or sheet or isdir(plain[0])):
        reading = read_file(plain[0], delimiter=delimiter, encoding=encoding, missing=tokens)
    else:
        reading = _read(source, delimiter, encoding, tokens, (table, query, sheet))
    frame = reading.given
    if frame.height == 0:
        raise EmptyTableError("The table has no rows.")
    names = [*frame.columns]
    said: list[str] = []
    if isinstance(missing, Mapping) or clean or formats:
        written = formats_of(names, missing, clean, formats or {})
        frame, said = apply_formats(reading.frame, written, kinds or {})
    cells = Cells(frame, tokens, reading.missing)
    refuse_control_characters(cells)
    given = dict(kinds or {})
    all_orders = {n: o for n, o in reading.orders.items() if given.get(n, "ordinal") == "ordinal"}
    if given:
        _check_kinds(cells, given)
    if orders:
        all_orders |= _check_orders(cells, given, orders)
    guesses = guess_kinds(cells, all_orders, [n for n in names if n not in given])
    guessed = {name: cast(Kind, guess.choice) for name, guess in guesses.items()}
    found = {name: given[name] if name in given else guessed[name] for name in names}
    for name in (n for n, kind in found.items() if kind == "ordinal" and n not in all_orders):
        order = find_order(cells.distinct(name).texts)
        all_orders |= {name: order} if order else {}
    if any(dtype.is_float() for dtype in cells.dtypes.values()):
        _refuse_infinite(cells, found)
    about = (found, all_orders, reading.native, (*reading.notes, *said))
    origin, path = reading.origin, None
    if isinstance(source, (str, os.PathLike)):
        path = Path(source).absolute()
        origin = Origin("csv", path.name) if origin.kind == "frame" else origin
        path = _lies_in(source) if "://" in str(source) else path
    made = Table(cells, roles or Roles(), *about, source=path, origin=origin)
    for name in {**given, **(orders or {})}:
        made.column(name)  # a kind that does not fit is told now, not halfway
    return made


def read_again(
    table: Table,
    *,
    missing: Lists,
    clean: Lists = (),
    formats: Mapping[str, Mapping[str, Any]] | None = None,
    kinds: Mapping[str, Kind] | None = None,
) -> Table:
    """Read the cells of a table once more, told how they are written."""
    again = read_table(
        table.frame,
        roles=table.roles,
        kinds=kinds,
        orders=table.orders,
        missing=missing,
        clean=clean,
        formats=formats,
    )
    notes = (*table.notes, *again.notes)
    told: dict[str, Any] = {"source": table.source, "origin": table.origin}
    if table.cells.missing_in:
        told["cells"] = Cells(again.frame, again.cells.missing, table.cells.missing_in)
        told["_columns"] = {}
    return replace(again, notes=notes, native=table.native, **told)


def _read(
    source: object,
    delimiter: str | None,
    encoding: str | None,
    missing: tuple[str, ...],
    asked: tuple[str | None, ...],
) -> Reading:
    """Read a frame, or whatever has a source of its own."""
    is_path = isinstance(source, (str, os.PathLike))
    if is_path or any(asked) or any(hasattr(source, m) for m in ("cursor", "execution_options")):
        from shoal.table.sources import Place, open_source

        told = dict(zip(("table", "query", "sheet"), asked, strict=True))
        how = {"delimiter": delimiter, "encoding": encoding}
        return open_source(Place(source, **told, **how, missing=missing)).read()
    if delimiter is not None or encoding is not None:
        raise InvalidParameterError("A delimiter or an encoding is only for CSV files.")
    return read_frame(source)


#: Names of files that are text with a delimiter, whatever stands in them.
_PLAIN = re.compile(r"^(?![\w+.:-]+://)(?:.*\.(?:csv|tsv|txt|tab|dat)|[^.]*)$", re.I | re.S)


def _lies_in(address: object) -> Path | None:
    """Find the file of a database that is one, which no release may replace."""
    from shoal.table.sources import source_file

    return source_file(address)


def _texts(values: Iterable[str], what: str) -> tuple[str, ...]:
    texts = (values,) if isinstance(values, str) else tuple(values)
    if not all(isinstance(text, str) for text in texts):
        raise InvalidParameterError(f"The values of {what} must be text.")
    return texts


def _check_kinds(cells: Cells, kinds: Mapping[str, Kind]) -> None:
    for name, kind in kinds.items():
        if name not in cells.names:
            raise UnknownColumnError.among(name, cells.names)
        if kind not in COLUMN_KINDS:
            raise InvalidParameterError(
                f"Column {name!r} cannot be {kind!r}.", hint=f"Kinds are {', '.join(COLUMN_KINDS)}."
            )


def _check_orders(
    cells: Cells,
    kinds: Mapping[str, Kind],
    given: Mapping[str, Sequence[str]],
) -> dict[str, tuple[str, ...]]:
    for name, order in given.items():
        if name not in cells.names:
            raise UnknownColumnError.among(name, cells.names)
        if kinds.get(name, "ordinal") != "ordinal":
            raise InvalidParameterError(f"Column {name!r} has an order but is {kinds[name]}.")
        if len(set(_texts(order, "an order"))) < max(2, len(order)):
            raise InvalidParameterError(
                f"The order of column {name!r} must name two or more values, each once."
            )
    return {name: _texts(order, "an order") for name, order in given.items()}


def _refuse_infinite(cells: Cells, kinds: Mapping[str, Kind]) -> None:
    for series in cells.frame:
        if not series.dtype.is_float() or kinds[series.name] != "numeric":
            continue
        infinite = series.is_infinite().fill_null(False).to_numpy()
        if infinite.any():
            raise ValueKindError(
                f"Column {series.name!r} holds infinite numbers: {infinite.sum():,}, "
                f"the first in row {int(np.argmax(infinite)) + 1}.",
                hint="Replace them, or make them missing.",
            )


SIGNATURES = {  # first bytes -> what it is, what to do
    b"PAR1\x15": ("a Parquet file", "Name it .parquet."),
    b"ARROW1\x00": ("an Arrow file", "Name it .arrow."),
    b"\x1f\x8b": ("a gzip file", "Name it .csv.gz, or unpack it."),
    b"PK\x03\x04": ("a ZIP archive or an Excel workbook", "Name it .zip or .xlsx, as it is."),
    b"\xd0\xcf\x11\xe0": ("an old Office document", "Name it .xls if it is a workbook."),
    b"%PDF": ("a PDF document", "Export the table as CSV."),
    b"SQLite format 3\x00": ("an SQLite database", "Read it as sqlite:///FILE with table=."),
    b"BZh91AY&SY": ("a bzip2 file", "Unpack it."),
    b"\xfd7zXZ": ("an xz file", "Unpack it."),
    b"7z\xbc\xaf": ("a 7-Zip archive", "Unpack it."),
    b"\x28\xb5\x2f\xfd": ("a Zstandard file", "Name it .csv.zst, or unpack it."),
    b"\x89PNG": ("an image", "Export the table as CSV."),
    b"\xff\xd8\xff": ("an image", "Export the table as CSV."),
    b"<!doctype": ("a web page", "Save the table as CSV."),
    b"<html": ("a web page", "Save the table as CSV."),
    b"<?xml": ("an XML document", "Save the table as CSV."),
    b"$FL2": ("an SPSS file", "Name it .sav."),
    b"<stata_dta>": ("a Stata file", "Name it .dta."),
    b"HEADER RECORD*******LIBRARY": ("a SAS transport file", "Name it .xpt."),
    b"\x00" * 12 + b"\xc2\xea\x81\x60": ("a SAS file", "Name it .sas7bdat."),
    b"RDX3\n": ("an R workspace", "Write the table with write.csv."),
    b"\x89HDF": ("an HDF5 file", "Export the table as CSV."),
    b"\x93NUMPY": ("a NumPy array", "Export the table as CSV."),
    b"\x80\x04\x95": ("a Python pickle", "Write the table with to_csv or to_parquet."),
    b"Obj\x01": ("an Avro file", "Write it as Parquet or CSV."),
    b"{\\rtf": ("a text document (RTF)", "Save the table as CSV."),
}
DUCKDB = slice(8, 12)  # after a checksum


def read_file(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None,
    encoding: str | None,
    missing: Sequence[str],
) -> Reading:
    """Read a file of text with a delimiter; one of another kind is told by its first bytes."""
    file = existing(path)
    data = np.asarray(np.memmap(file, np.uint8, "r"))
    refuse_other_types(data, file.name)
    return read_csv(data, delimiter=delimiter, encoding=encoding, missing=missing)


def no_file(path: str | os.PathLike[str]) -> InputError:
    """Build the error for a file that is not there, naming one beside it that looks alike.

    >>> no_file("no/such/folder/data.csv").hint
    "The folder 'no/such/folder' is not there either."
    """
    file = Path(path)
    try:
        beside = [entry.name for entry in file.parent.iterdir()]
    except (OSError, ValueError):
        hint = f"The folder {str(file.parent)!r} is not there either."
    else:
        alike = get_close_matches(file.name, beside, n=1)
        hint = f"Did you mean {str(file.with_name(alike[0]))!r}?" if alike else _LOOK
    return InputError(f"There is no file {str(file)!r}.", hint=hint)


_PIPED = "A table is read from a file, not from standard input: it is looked at more than once."
_SAVED = "Save it first, with > table.csv at the end of the command that makes it, and name that."
_LOOK = "Names are read from the folder you are in; look there with ls, or give the whole path."


def existing(path: str | os.PathLike[str]) -> Path:
    """Refuse a file that cannot be opened, is none, or is empty."""
    file = Path(path)
    try:
        state = file.stat()
        if stat.S_ISREG(state.st_mode):
            file.open("rb").close()
    except FileNotFoundError:
        piped = str(path) == "-"
        raise InputError(_PIPED, hint=_SAVED) if piped else no_file(file) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise InputError(f"{file.name!r} cannot be opened: {reason}.") from None
    if not stat.S_ISREG(state.st_mode):  # opening a pipe could wait forever
        if not stat.S_ISDIR(state.st_mode):
            raise InputError(f"{file.name!r} is a pipe or a device, not a file.", hint=_SAVED)
        raise InputError(f"{file.name!r} is a folder, not a file.")
    if state.st_size == 0:
        raise EmptyTableError(f"The file {file.name!r} is empty.")
    return file


def refuse_other_types(data: Bytes, name: str) -> None:
    """Say what a file is that is no CSV."""
    head = data[:32].tobytes()
    if name.lower().endswith(".json"):
        raise InputError(
            f"{name!r} is JSON, which is read line by line only.",
            hint="Write one object a line, in a file that ends in .ndjson.",
        )
    if head[DUCKDB] == b"DUCK":
        raise InputError(f"{name!r} is a DuckDB database, not CSV.", hint=_FROM_DUCKDB)
    for signature, (what, hint) in SIGNATURES.items():
        if head.startswith(signature) or head.lstrip().lower().startswith(signature):
            raise InputError(f"{name!r} is {what}, not CSV.", hint=hint)


_FROM_DUCKDB = "Read it as duckdb:///FILE with table=."
