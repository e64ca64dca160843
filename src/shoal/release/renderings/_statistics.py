"""SPSS, Stata and SAS files through pyreadstat, with the labels of what is still labelled."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from shoal._words import listing
from shoal.exceptions import InvalidParameterError, MissingExtraError
from shoal.release.renderings._base import Rendering, as_doubles
from shoal.table import Table, as_text
from shoal.table.sources import Codebook, Variable


@dataclass
class Columns:
    """Columns as a statistics file holds them, and what goes beside them."""

    cells: list[pl.Series] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    values: dict[str, dict[float, str]] = field(default_factory=dict)
    missing: dict[str, list[Any]] = field(default_factory=dict)
    forms: dict[str, str] = field(default_factory=dict)
    measures: dict[str, str] = field(default_factory=dict)

    def add(self, series: pl.Series, known: Variable) -> None:
        """Take a column: codes where all its cells still have one, else numbers, dates or text."""
        name, codes = series.name, _codes(series, known)
        cells = series if codes is None else codes
        self.cells.append(_held(cells))
        if known.label:
            self.labels[name] = known.label
        if codes is None and not _same_type(series, known):
            return
        used = {float(v) for v in cells.drop_nulls().unique().to_list() if cells.dtype.is_numeric()}
        kept = {code: text for code, text in known.values.items() if code in used}
        self.values |= {name: kept} if kept else {}
        self.missing |= {name: [dict(one) for one in known.missing]} if known.missing else {}
        self.forms |= {name: known.form} if known.form else {}
        self.measures |= {name: known.measure} if known.measure else {}


class StatisticsRendering(Rendering):
    """A file of a statistics program."""

    name: ClassVar[re.Pattern[str]] = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
    longest_name: ClassVar[int] = 32

    def refuse(self, names: Sequence[str], rows: int) -> None:
        """Refuse names that the program does not allow, too."""
        super().refuse(names, rows)
        if len({name.lower() for name in names}) < len(names):
            raise InvalidParameterError(
                f"{self.title} does not tell upper from lower case in names of columns.",
                hint="Rename one of them, or write it as CSV: --format csv.",
            )
        for name in names:
            if not self.name.fullmatch(name) or len(name.encode()) > self.longest_name:
                raise InvalidParameterError(
                    f"{self.title} has no room for a column named {name!r}.",
                    hint="Use letters, digits and underscores, or write it as CSV: --format csv.",
                )

    def losses(self, table: Table) -> list[str]:
        """Name the columns that hold numbers, dates or codes and will hold ranges."""
        book = table.origin.codebook or Codebook()
        typed = [
            name
            for name in table.roles.quasi_identifiers
            if table.frame.schema[name] != pl.String or book.of(name).labelled
        ]
        if not typed:
            return []
        where = f"{self.title} holds no ranges in columns of numbers, dates or codes"
        return [f"{where}: where {listing(typed)} are generalized, they will be text."]

    def write(self, path: Path, frame: pl.DataFrame, book: Codebook) -> None:
        """Write cells, labels and formats; the time of writing is left out."""
        columns = Columns()
        for series in frame:
            columns.add(series, book.of(series.name))
        try:
            writer: Any = import_module("pyreadstat")
        except ImportError:
            raise MissingExtraError(
                "Such files cannot be written here.", hint="pip install 'shoal[files]'"
            ) from None
        told = {"file_label": book.label, "column_labels": columns.labels}
        cells = pl.DataFrame(columns.cells)
        self._write(writer, cells, str(path), told, columns)
        path.write_bytes(self._timeless(path.read_bytes()))

    @abstractmethod
    def _write(
        self, writer: Any, cells: pl.DataFrame, path: str, told: Mapping[str, Any], columns: Columns
    ) -> None: ...

    @abstractmethod
    def _timeless(self, data: bytes) -> bytes: ...


class SpssRendering(StatisticsRendering):
    """An SPSS file."""

    format = "sav"
    title = "an SPSS file"
    name = re.compile(r"[^\W\d_#$][\w.#$@]*(?<![._])")
    longest_name = 64

    def _write(
        self, writer: Any, cells: pl.DataFrame, path: str, told: Mapping[str, Any], columns: Columns
    ) -> None:
        writer.write_sav(
            cells,
            path,
            **told,
            variable_value_labels=columns.values,
            missing_ranges=columns.missing,
            variable_measure=columns.measures,
            variable_format=columns.forms,
        )

    def _timeless(self, data: bytes) -> bytes:
        return data[:92] + b"01 Jan 0000:00:00" + data[109:]


class StataRendering(StatisticsRendering):
    """A Stata file."""

    format = "dta"
    title = "a Stata file"

    def _write(
        self, writer: Any, cells: pl.DataFrame, path: str, told: Mapping[str, Any], columns: Columns
    ) -> None:
        whole = {n: v for n, v in columns.values.items() if all(c == int(c) for c in v)}
        values = {n: {int(c): text for c, text in v.items()} for n, v in whole.items()}
        forms = columns.forms
        writer.write_dta(cells, path, **told, variable_value_labels=values, variable_format=forms)

    def _timeless(self, data: bytes) -> bytes:
        at = data.index(b"<timestamp>") + len(b"<timestamp>")
        return data[: at + 1] + b"01 Jan 2000 00:00" + data[at + 1 + data[at] :]


class SasRendering(StatisticsRendering):
    """A SAS transport file: it has no labels of codes, so labels are its cells."""

    format = "xpt"
    title = "a SAS transport file"

    def _write(
        self, writer: Any, cells: pl.DataFrame, path: str, told: Mapping[str, Any], columns: Columns
    ) -> None:
        dated = {n: f for n, f in columns.forms.items() if cells.schema[n].is_temporal()}
        writer.write_xport(cells, path, **told, table_name="RELEASE", variable_format=dated)

    def _timeless(self, data: bytes) -> bytes:
        head = re.sub(rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d", b"01JAN00:00:00:00", data[:720])
        return head + data[720:]


def _codes(series: pl.Series, known: Variable) -> pl.Series | None:
    """Turn labels back into codes, if every cell is one; a generalized label has no code."""
    if not known.labelled or series.dtype != pl.String:
        return None
    back = {text: code for code, text in known.values.items()}
    held = series.drop_nulls().unique()
    if not len(held) or not held.is_in([*back]).all():
        return None
    return series.replace_strict(back, default=None, return_dtype=pl.Float64)


def _same_type(series: pl.Series, known: Variable) -> bool:
    """Tell whether a column still is what its format and labels speak of."""
    return series.dtype != pl.String or (not known.values and not known.labelled and _texty(known))


def _texty(known: Variable) -> bool:
    return bool(re.fullmatch(r"A\d*|%-?\d*s|\$\w*", known.form))


def _held(series: pl.Series) -> pl.Series:
    """Turn into text what these files have no exact type for."""
    dated = series.dtype in (pl.Date, pl.Time) or series.dtype == pl.Datetime("us")
    if dated or (series.dtype.is_numeric() and as_doubles(series)):
        return series
    if isinstance(series.dtype, pl.Datetime) and series.dtype.time_zone is None:
        return series.cast(pl.Datetime("us"))
    return as_text(series)
