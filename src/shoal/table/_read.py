"""Reading a table: from a file or a frame, with kinds and roles checked before anything else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from shoal.exceptions import (
    EmptyTableError,
    InvalidParameterError,
    UnknownColumnError,
    ValueKindError,
)
from shoal.table._cells import Cells
from shoal.table._files import read_file
from shoal.table._frames import NativeFrame, read_frame
from shoal.table._kinds import guess_kinds, kinds_of
from shoal.table._oddities import refuse_control_characters
from shoal.table._reading import Reading
from shoal.table._roles import Roles
from shoal.table._table import Table
from shoal.typing import KINDS, Kind


def read_table(
    source: str | os.PathLike[str] | NativeFrame,
    *,
    roles: Roles | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] = ("",),
) -> Table:
    """Read a table of people from a file or a frame.

    Text stays text (``01234`` is not ``1234``, ``NA`` is a value), and what cannot be read
    without guessing ends in an `InputError` that names the column and the row, never a cell.
    Rows count from 1, below the header.

    Parameters
    ----------
    source : path or frame
        A CSV file (``.gz`` too), a Parquet or Arrow file, or a pandas, polars or pyarrow frame.
    roles : Roles, optional
        Who is named, described or exposed by which column.
    kinds : mapping of str to Kind, optional
        Kinds of some columns; the others are inferred from all their values.
    orders : mapping of str to sequence of str, optional
        Values of ordinal columns from low to high; such a column needs no kind.
    delimiter, encoding : str, optional
        Of a CSV file; found if not given, and `Table.warnings` tells what was found.
    missing : sequence of str
        Texts that mean "no value", in files and frames alike; by default only the empty cell
        (list it too where it should stay missing beside others).

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
    """
    if not isinstance(roles or Roles(), Roles):
        raise InvalidParameterError("roles must be given as Roles(...).")
    tokens = _texts(missing, "missing")
    reading = _read(source, delimiter, encoding, tokens)
    if reading.frame.height == 0:
        raise EmptyTableError("The table has no rows.")
    cells = Cells(reading.frame, tokens)
    refuse_control_characters(cells)
    given = _check_kinds(cells, kinds or {})
    all_orders = _check_orders(cells, given, reading.orders, orders or {})
    names = reading.frame.columns
    guessed = kinds_of(guess_kinds(cells, all_orders, [n for n in names if n not in given]))
    found = {name: given[name] if name in given else guessed[name] for name in names}
    _refuse_infinite(cells, found)
    table = Table(cells, roles or Roles(), found, all_orders, reading.native, reading.notes)
    for name in {**given, **(orders or {})}:
        table.column(name)  # a kind that does not fit is told now, not halfway
    return table


def _read(
    source: object, delimiter: str | None, encoding: str | None, missing: tuple[str, ...]
) -> Reading:
    if isinstance(source, (str, os.PathLike)):
        return read_file(source, delimiter=delimiter, encoding=encoding, missing=missing)
    if delimiter is not None or encoding is not None:
        raise InvalidParameterError("A delimiter or an encoding is only for CSV files.")
    return read_frame(source)


def _texts(values: Iterable[str], what: str) -> tuple[str, ...]:
    texts = (values,) if isinstance(values, str) else tuple(values)
    if not all(isinstance(text, str) for text in texts):
        raise InvalidParameterError(f"The values of {what} must be text.")
    return texts


def _check_kinds(cells: Cells, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    for name, kind in kinds.items():
        if name not in cells.frame.columns:
            raise UnknownColumnError.among(name, cells.frame.columns)
        if kind not in KINDS:
            raise InvalidParameterError(
                f"Column {name!r} cannot be {kind!r}.", hint=f"Kinds are {', '.join(KINDS)}."
            )
    return dict(kinds)


def _check_orders(
    cells: Cells,
    kinds: Mapping[str, Kind],
    found: Mapping[str, tuple[str, ...]],
    given: Mapping[str, Sequence[str]],
) -> dict[str, tuple[str, ...]]:
    for name, order in given.items():
        if name not in cells.frame.columns:
            raise UnknownColumnError.among(name, cells.frame.columns)
        if kinds.get(name, "ordinal") != "ordinal":
            raise InvalidParameterError(f"Column {name!r} has an order but is {kinds[name]}.")
        if len(set(_texts(order, "an order"))) < max(2, len(order)):
            raise InvalidParameterError(
                f"The order of column {name!r} must name two or more values, each once."
            )
    orders = {**found, **{name: _texts(order, "an order") for name, order in given.items()}}
    return {n: order for n, order in orders.items() if kinds.get(n, "ordinal") == "ordinal"}


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
