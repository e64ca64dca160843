"""Excel workbooks through xlsxwriter: numbers and dates as such, text never as a formula."""

from __future__ import annotations

import datetime as dt
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from shoal.exceptions import InvalidParameterError, MissingExtraError
from shoal.release.renderings._base import Rendering, as_doubles
from shoal.table import as_text
from shoal.table.sources import Codebook

LONGEST = 32_767  # characters of a cell
FIRST = dt.date(1900, 3, 1)  # days before are counted differently by different readers
NO_TIME = dt.datetime(2000, 1, 1)  # every file of the same rows has the same bytes


class ExcelRendering(Rendering):
    """A workbook with one sheet, called as the one that was read."""

    format = "xlsx"
    title = "an Excel workbook"
    most_rows = 1_048_575
    most_columns = 16_384

    def write(self, path: Path, frame: pl.DataFrame, book: Codebook) -> None:
        """Write the names into the first row, and the cells below."""
        try:
            xlsxwriter: Any = import_module("xlsxwriter")
        except ImportError:
            raise MissingExtraError(
                "Workbooks cannot be written here.", hint="pip install 'shoal[files]'"
            ) from None
        safe = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
        with xlsxwriter.Workbook(str(path), {**safe, "constant_memory": False}) as workbook:
            workbook.set_properties({"created": NO_TIME})
            sheet = workbook.add_worksheet(book.label[:31] or None)
            for place, series in enumerate(frame):
                sheet.write_string(0, place, series.name)
                _write_column(workbook, sheet, place, series)


def _write_column(workbook: Any, sheet: Any, place: int, series: pl.Series) -> None:
    plain = _exact(series)
    longest = plain.str.len_chars().max() if plain.dtype == pl.String else 0
    if (longest or 0) > LONGEST:  # type: ignore[operator]
        raise InvalidParameterError(f"A cell of column {series.name!r} is too long for Excel.")
    shape = None
    if plain.dtype.is_temporal():
        shape = "yyyy-mm-dd" if plain.dtype == pl.Date else "yyyy-mm-dd hh:mm:ss"
    form = workbook.add_format({"num_format": shape}) if shape else None
    write = sheet.write_string if plain.dtype == pl.String else sheet.write
    write = sheet.write_datetime if shape else write
    for row, cell in enumerate(plain.to_list(), 1):
        if cell is not None:
            write(row, place, cell, form)


def _exact(series: pl.Series) -> pl.Series:
    """Turn into text what a cell of Excel would round: long numbers, zones, early days."""
    if series.dtype.is_numeric():
        values = series.drop_nulls().unique().to_list()
        kept = as_doubles(series) and all(float(f"{value:.16G}") == value for value in values)
        return series if kept else as_text(series)
    if series.dtype == pl.Date:
        return series if (series >= FIRST).all() else as_text(series)
    if isinstance(series.dtype, pl.Datetime):
        whole = series.dtype.time_zone is None and (series.dt.microsecond() == 0).all()
        return series if whole and (series.dt.date() >= FIRST).all() else as_text(series)
    return series if series.dtype == pl.Boolean else as_text(series)
