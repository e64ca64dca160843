"""Excel workbooks through fastexcel: a sheet, part of one, or a range with a name."""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from shoal.exceptions import EmptyTableError, HeaderError, InputError
from shoal.table._frames import read_frame
from shoal.table._header import TITLES, find_titles, name_columns
from shoal.table._read import existing
from shoal.table._reading import Origin, Reading
from shoal.table.sources._base import Place, TableSource
from shoal.table.sources._codebook import Codebook
from shoal.table.sources._sql import needing, no_table
from shoal.table.sources._statistics import EXACT

_CELLS = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})(?::\$?([A-Z]{1,3})\$?([0-9]{1,7}))", re.I)


class ExcelWorkbook(TableSource):
    """A workbook: its only sheet, or the one that is named; names stand above, below a title."""

    kind = "excel"
    format = "xlsx"
    takes = frozenset({"sheet"})

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell by the end of the name."""
        return place.suffix in {".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"}

    def fetch(self) -> Reading:
        """Read numbers, text, truths and dates; formulas by what they last came to."""
        file = existing(Path(self.place.where))
        with needing("files"):
            fastexcel: Any = import_module("fastexcel")
        try:
            with _quiet():
                book = fastexcel.read_excel(str(file))
                sheet, part = self._chosen(book, file.name)
                names, typed, texts, titles = _cells(book, sheet, part)
        except (InputError, HeaderError):
            raise
        except Exception:  # a reader's message may quote what it found
            raise InputError(
                f"{file.name!r} is not a workbook, or it is damaged or locked with a password."
            ) from None
        if not typed.height:
            raise EmptyTableError(f"The sheet {sheet!r} has no rows.")
        named, notes = name_columns(names, texts.get_columns())
        if titles:
            notes.insert(0, f"Lines above the header were left out: {titles}.")
        columns: list[pl.Series] = []
        for name, cells_typed, cells_text in zip(named, typed, texts, strict=True):
            if name:
                columns.append(_column(cells_typed, cells_text).alias(name))
                if columns[-1].dtype == pl.String != cells_typed.dtype:
                    notes.append(f"Column {name!r} mixes types and is read as text.")
        frame = read_frame(_without_empty_rows(pl.DataFrame(columns))).frame
        return Reading(frame, tuple(notes), origin=Origin(codebook=Codebook(sheet)))

    def _chosen(self, book: Any, name: str) -> tuple[str, str | None]:
        """Find the sheet, and the part of it, that was asked for."""
        asked, sheets = self.place.sheet, list(book.sheet_names)
        if asked is None:
            if len(sheets) != 1:
                raise InputError(
                    f"{name!r} has {len(sheets)} sheets.",
                    hint=f"sheet= one of: {', '.join(sheets)}.",
                )
            return sheets[0], None
        if asked in sheets:
            return asked, None
        ranges = {one.name: one.formula for one in book.defined_names()}
        sheet, _, part = ranges.get(asked, asked).rpartition("!")
        sheet = sheet.strip("'").replace("''", "'")
        if sheet not in sheets or not _CELLS.fullmatch(part):
            error = no_table(asked, [*sheets, *ranges])
            raise InputError(f"There is no sheet or range {asked!r} in {name!r}.", hint=error.hint)
        _check_order(part)
        return sheet, part


def sheet_names(file: Path) -> list[str]:
    """Name the sheets of a workbook, in their order."""
    with needing("files"):
        fastexcel: Any = import_module("fastexcel")
    try:
        with _quiet():
            return list(fastexcel.read_excel(str(file)).sheet_names)
    except Exception:  # a reader's message may quote what it found
        raise InputError(
            f"{file.name!r} is not a workbook, or it is damaged or locked with a password."
        ) from None


def _cells(
    book: Any, sheet: str, part: str | None
) -> tuple[list[str], pl.DataFrame, pl.DataFrame, int]:
    """Read the header as it stands, cells as what they are, as text, and count rows of a title.

    The reader would number what has no name, or another's, without a word.
    """
    first, most, columns = _window(part) if part else (0, None, None)
    try:
        texts = _load(book, sheet, first, most, columns, "string")
        header, titles = (0, 0) if part else _header_of(texts)
        most = None if most is None else most - 1
        typed = _load(book, sheet, first + header + 1, most, columns, None)
    except Exception:
        if part is None:
            raise
        told = f"The sheet {sheet!r} has no cells in part of the range {part!r}."
        raise InputError(told) from None  # the workbook was opened, so it is whole
    names = ["" if name is None else name.strip() for name in texts.row(header)]
    return names, typed, texts[header + 1 :], titles


def _header_of(texts: pl.DataFrame) -> tuple[int, int]:
    """Find the row with the names, and how many rows of a title stand above it."""
    top = [["" if cell is None else cell for cell in row] for row in texts.head(4 * TITLES).rows()]
    header, titles = find_titles(top)
    if not titles:  # then names are in the first row with cells, wherever it stands
        header = int(
            texts.select(~pl.all_horizontal(pl.all().is_null())).to_series().arg_max() or 0
        )
    return header, titles


def _check_order(part: str) -> None:
    found = _CELLS.fullmatch(part)
    assert found is not None  # it was chosen
    first, top, last, bottom = found.groups()
    if _number(first) > _number(last) or int(top) >= int(bottom):
        raise InputError(
            f"The range {part!r} has no rows below its first one.",
            hint="From the upper left cell to the lower right one, such as A3:F200.",
        )


def _number(column: str) -> int:
    """Count columns as a workbook does.

    >>> _number("A"), _number("ab")
    (1, 28)
    """
    return functools.reduce(lambda n, letter: 26 * n + ord(letter) - 64, column.upper(), 0)


def _window(part: str) -> tuple[int, int, str]:
    """Tell the reader which cells: rows before, rows, columns.

    >>> _window("B3:D9")
    (2, 7, 'B:D')
    """
    found = _CELLS.fullmatch(part)
    assert found is not None  # it was chosen
    first, top, last, bottom = found.groups()
    return int(top) - 1, int(bottom) - int(top) + 1, f"{first.upper()}:{last.upper()}"


def _load(
    book: Any, sheet: str, skip: int, most: int | None, columns: str | None, dtypes: str | None
) -> pl.DataFrame:
    how = {"header_row": None, "skip_rows": skip, "n_rows": most, "use_columns": columns}
    loaded = book.load_sheet(sheet, schema_sample_rows=None, dtypes=dtypes, **how)
    frame: pl.DataFrame = loaded.to_polars()
    return frame


def _column(typed: pl.Series, texts: pl.Series) -> pl.Series:
    """Take the typed cells, unless one of them was lost by its type."""
    if typed.null_count() > texts.null_count():
        return texts
    if typed.dtype.is_float():
        whole = ((typed == typed.floor()) & (typed.abs() <= EXACT)).all()
        return typed.cast(pl.Int64) if whole and typed.null_count() < len(typed) else typed
    if isinstance(typed.dtype, pl.Datetime) and (typed.dt.date().cast(typed.dtype) == typed).all():
        return typed.dt.date()
    return typed


def _without_empty_rows(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(~pl.all_horizontal(pl.all().is_null())) if frame.width else frame


@contextmanager
def _quiet() -> Iterator[None]:
    """Let the reader log nothing: it would speak of columns while they are tried."""
    logger = logging.getLogger("fastexcel")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
