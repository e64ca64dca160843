"""Formats: how the cells of a column are written, and what they become before kinds are looked at.

Nothing here is done unless somebody asked for it: in a plan (``[missing]``, ``[clean]``,
``[formats]``), as options or as arguments of `read_table`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any, TypeAlias

import polars as pl

from shoal._checks import choice, did_you_mean, number, text, texts, truth
from shoal._words import listing
from shoal.exceptions import InvalidParameterError, UnknownColumnError, ValueKindError
from shoal.table._brackets import read_bracket
from shoal.table._cells import as_text
from shoal.table._dates import read_dates
from shoal.table._numbers import are_numbers
from shoal.table._spelling import CLEANERS, clean_texts
from shoal.typing import Kind

ALL = "*"  # for every column
Lists: TypeAlias = Sequence[str] | Mapping[str, Sequence[str]]
THOUSANDS = "['’ \u00a0\u202f{}]"
NUMBER = r"^[+-]?(?:[0-9]{{1,3}}(?:{0}[0-9]{{3}})+|[0-9]+)(?:{1}[0-9]+)?$"
THOUSANDFOLD = {
    **dict.fromkeys(("k", "tsd", "thousand"), 1_000),
    **dict.fromkeys(("m", "mn", "mio", "million", "millions"), 1_000_000),
    **dict.fromkeys(("bn", "mrd", "billion", "billions"), 1_000_000_000),
}
SHORT = rf"(?i)\s*({'|'.join(sorted(THOUSANDFOLD, key=len, reverse=True))})\.?$"
PARTS = {  # of a date's format -> its shape
    "%Y": "[0-9]{4}",
    "%y": "[0-9]{2}",
    "%b": "[^\\W\\d]{3,}",
    "%B": "[^\\W\\d]{3,}",
    "%m": "[0-9]{1,2}",
    "%d": "[0-9]{1,2}",
    "%H": "[0-9]{1,2}",
    "%I": "[0-9]{1,2}",
    "%M": "[0-9]{2}",
    "%S": "[0-9]{2}",
    "%p": "[AaPp][Mm]",
}
DAYS, MOMENTS = "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"


@dataclass(frozen=True)
class CellFormat:
    """How the cells of one column are written; what is not said is read as it stands.

    Parameters
    ----------
    missing : sequence of str
        Texts that mean "no value" in this column, beside those of the table.
    clean : sequence of str
        ``trim`` (blanks around a value), ``case`` and ``accents`` (values that differ only in
        these become the most frequent of them).
    unit : str, optional
        What stands before or after a number: ``cm``, ``€``; a number without it is one too.
    short : bool
        Whether k, m and bn (Tsd, Mio, Mrd) after a number stand for thousands, millions, billions.
    decimal : {",", "."}, optional
        The decimal mark; then the other one, blanks and apostrophes may group thousands.
    round : float, optional
        Numbers are rounded to multiples of it: what is published exactly tells people apart.
    date : sequence of str
        How dates are written: ``%d.%m.%Y``, ``%m/%d/%y %H:%M``; the first that fits counts.
    odd : {"missing"}, optional
        What becomes of a cell that is no number, no date, or no range in an ordinal of ranges:
        without it, the table is refused.

    Examples
    --------
    >>> euros = CellFormat(unit="€", decimal=",", odd="missing")
    >>> euros.read(pl.Series("pay", ["1.234,50 €", "99", "a lot"])).to_list()
    ['1234.50', '99', None]
    >>> CellFormat(unit="$", short=True).read(pl.Series("pay", ["$59k", "1.2m", "$700"])).to_list()
    ['59000', '1200000', '700']
    >>> CellFormat(round=0.5).read(pl.Series("hba1c", ["7.2", "5.81", "6"])).to_list()
    ['7.0', '6.0', '6.0']
    >>> CellFormat(date=["%m/%d/%y %H:%M"]).read(pl.Series("start", ["5/10/18 4:01"])).to_list()
    ['2018-05-10T04:01:00']
    """

    missing: Sequence[str] = ()
    clean: Sequence[str] = ()
    unit: str | None = None
    short: bool = False
    decimal: str | None = None
    round: float | None = None
    date: Sequence[str] = ()
    odd: str | None = None

    def __post_init__(self) -> None:
        for part in fields(self):
            value = getattr(self, part.name)
            if value not in (None, (), False):
                object.__setattr__(self, part.name, CHECKS[part.name](part.name, value))

    def read(
        self, cells: pl.Series, kind: Kind | None = None, rows: pl.Series | None = None
    ) -> pl.Series:
        """Rewrite the cells of a column; what is missing is null.

        ``rows`` says how often each cell stands in the table, where every text is given once.
        """
        cells = cells.set(as_text(cells).is_in(list(self.missing)).fill_null(False), None)
        written = self._is_number or self.date or self.odd
        if not written and (not self.clean or cells.dtype != pl.String):
            return cells
        if cells.dtype != pl.String:
            raise InvalidParameterError(f"Column {cells.name!r} is not text: it has no format.")
        cells = clean_texts(cells, self.clean, rows)
        what, read = self._read(cells, kind)
        if read is None:
            return cells
        odd = cells.is_not_null() & read.is_null()
        if odd.any() and self.odd is None:
            raise ValueKindError(
                f"Column {cells.name!r} has cells that are no {what} in its format: "
                f"{odd.sum():,}, the first in row {odd.arg_max() + 1}.",  # type: ignore[operator]
                hint='Say which texts mean missing, or odd = "missing" for all of them.',
            )
        return read

    @property
    def _is_number(self) -> bool:
        return bool(self.unit or self.short or self.decimal or self.round)

    def _read(self, cells: pl.Series, kind: Kind | None) -> tuple[str, pl.Series | None]:
        if self.date:
            return "dates", _as_dates(cells, self.date)
        if self._is_number or (self.odd and kind == "numeric"):
            read = _as_numbers(cells, self.unit, self.short, self.decimal)
            return "numbers", read if self.round is None else _rounded(read, self.round)
        if self.odd and kind == "date":
            known = cells.filter(cells.is_not_null())
            bad = known.filter(pl.Series(~read_dates(known).valid, dtype=pl.Boolean))
            return "dates", cells.set(cells.is_in(bad.implode()).fill_null(False), None)
        if self.odd and kind == "ordinal":
            return "ranges", _only_brackets(cells)
        if self.odd and kind is None:
            raise InvalidParameterError(
                f"Column {cells.name!r} has odd cells only if it is numeric or a date.",
                hint=f'Say so: --kind {cells.name}=numeric, or [kinds] {cells.name} = "date".',
            )
        return "", None


def _only_brackets(cells: pl.Series) -> pl.Series:
    known = cells.drop_nulls().unique()
    bad = [text for text in known.to_list() if read_bracket(text) is None]
    return cells.set(cells.is_in(bad).fill_null(False), None)


def _as_numbers(cells: pl.Series, unit: str | None, short: bool, decimal: str | None) -> pl.Series:
    bare = cells.str.strip_chars()
    if unit is not None:
        mark = re.escape(unit)
        bare = bare.str.replace(rf"(?i)^([+-]?)\s*{mark}\s*|\s*{mark}$", "$1")
    if short:
        words = bare.str.extract(SHORT).str.to_lowercase()
        plain = _as_numbers(bare.str.replace(SHORT, ""), None, False, decimal)
        return _written_out(plain, words)
    if decimal is not None:
        other = THOUSANDS.format("." if decimal == "," else ",")
        shaped = bare.str.contains(NUMBER.format(other, re.escape(decimal))).fill_null(False)
        bare = (
            bare.set(~shaped, None)
            .str.replace_all(other, "")
            .str.replace(decimal, ".", literal=True)
        )
    known = bare.fill_null("")
    return bare.set(pl.Series(~are_numbers(known), dtype=pl.Boolean), None)


def _written_out(numbers: pl.Series, words: pl.Series) -> pl.Series:
    """Write 1.2 and "m" as 1200000: each pair once, in decimal digits."""
    pairs = pl.DataFrame({"number": numbers, "word": words}).unique().drop_nulls("number")
    told = [
        number if word is None else f"{Decimal(number) * THOUSANDFOLD[word]:f}"
        for number, word in pairs.iter_rows()
    ]
    long = [text.rstrip("0").rstrip(".") if "." in text else text for text in told]
    known = pairs.with_columns(pl.Series("long", long, dtype=pl.String))
    joined = pl.DataFrame({"number": numbers, "word": words}).join(
        known, on=["number", "word"], how="left", nulls_equal=True, maintain_order="left"
    )
    return joined.get_column("long").alias(numbers.name)


def _rounded(numbers: pl.Series, step: float) -> pl.Series:
    """Round each distinct number in decimal digits, halves to the even multiple."""
    unit = Decimal(str(step))
    told = {
        text: f"{(Decimal(text) / unit).to_integral_value(ROUND_HALF_EVEN) * unit:f}"
        for text in numbers.drop_nulls().unique().to_list()
    }
    return numbers.replace_strict(told, return_dtype=pl.String) if told else numbers


def _as_dates(cells: pl.Series, formats: Sequence[str]) -> pl.Series:
    bare = cells.str.strip_chars()
    read = pl.Series(cells.name, [None] * len(cells), dtype=pl.String)
    for form in formats:
        fits = bare.set(~bare.str.contains(shape_of(form)).fill_null(False), None)
        timed = any(part in form for part in ("%H", "%I"))
        if timed:
            moments = fits.str.to_datetime(form, strict=False).dt.strftime(MOMENTS)
        else:
            moments = fits.str.to_date(form, strict=False).dt.strftime(DAYS)
        read = pl.select(pl.coalesce(read, moments)).to_series().alias(cells.name)
    return read


def shape_of(form: str) -> str:
    """Give the shape of a text that holds a date in this format.

    >>> shape_of("%d.%m.%Y")
    '^[0-9]{1,2}\\\\.[0-9]{1,2}\\\\.[0-9]{4}$'
    """
    parts = re.split("(%[a-zA-Z])", form)
    unknown = [part for part in parts[1::2] if part not in PARTS]
    if unknown or not {"%d", "%m"} & set(parts) | {"%b", "%B"} & set(parts):
        raise InvalidParameterError(
            f"A date cannot be written as {form!r}.", hint=f"Parts are {' '.join(PARTS)}."
        )
    return f"^{''.join(PARTS.get(part, re.escape(part)) for part in parts)}$"


def _formats(name: str, value: object) -> tuple[str, ...]:
    forms = texts(name, value)
    for form in forms:
        shape_of(form)
    return forms


def _cleaners(name: str, value: object) -> tuple[str, ...]:
    return tuple(choice(CLEANERS)(name, word) for word in texts(name, value))


CHECKS = {
    "missing": texts,
    "clean": _cleaners,
    "unit": text,
    "short": truth,
    "decimal": choice((",", ".")),
    "round": number(0.0, above=True),
    "date": _formats,
    "odd": choice(("missing",)),
}
READ = ("unit", "short", "decimal", "round", "date", "odd")


def check_format(name: str, value: object) -> dict[str, Any]:
    """Take what ``[formats]`` may say of a column, for plans."""
    if not isinstance(value, Mapping):
        raise InvalidParameterError(
            f"{name} must be written as {{ {', '.join(f'{key} = ...' for key in READ)} }}."
        )
    for key in value:
        if key not in READ:
            raise InvalidParameterError(
                f"{name} has no {key!r}.", hint=did_you_mean(str(key), READ)
            )
    return {key: CHECKS[key](f"{key} of {name}", part) for key, part in value.items()}


def check_clean(name: str, value: object) -> dict[str, tuple[str, ...]]:
    """Take what ``[clean]`` may say: a list for all columns, or one for each."""
    lists = value if isinstance(value, Mapping) else {ALL: value}
    return {column: _cleaners(f"{name} of {column!r}", part) for column, part in lists.items()}


def formats_of(
    names: Sequence[str], missing: Lists, clean: Lists, formats: Mapping[str, Mapping[str, Any]]
) -> dict[str, CellFormat]:
    """Gather what was said of each column; columns of which nothing was said have no format."""
    lists = missing if isinstance(missing, Mapping) else {}
    absent = {name: part for name, part in lists.items() if name != ALL}
    cleaned = check_clean("clean", clean) if clean else {}
    said = {**absent, **formats, **cleaned}
    for name in said:
        if name not in names and name != ALL:
            raise UnknownColumnError.among(name, names)
    tokens = for_all(missing)
    return {
        name: CellFormat(
            missing=(*tokens, *texts(f"missing of {name!r}", absent.get(name, ()))),
            clean=cleaned.get(name, cleaned.get(ALL, ())),
            **check_format(f"format of {name!r}", formats.get(name, {})),
        )
        for name in names
        if name in said or ALL in cleaned
    }


def for_all(missing: Lists) -> tuple[str, ...]:
    """Return the texts that mean missing in every column.

    >>> for_all(["", "?"]), for_all({"age": ["unknown"]})
    (('', '?'), ('',))
    """
    lists = missing.get(ALL, ("",)) if isinstance(missing, Mapping) else missing
    return texts("missing", lists if isinstance(lists, str) else tuple(lists))


def apply_formats(
    frame: pl.DataFrame, formats: Mapping[str, CellFormat], kinds: Mapping[str, Kind]
) -> tuple[pl.DataFrame, list[str]]:
    """Rewrite the columns that have a format, and say what became of how many cells."""
    absent: dict[str, int] = {}
    rewritten: dict[str, int] = {}
    for name, form in formats.items():
        before = frame.get_column(name)
        after = form.read(before, kinds.get(name))
        absent[name] = after.null_count() - before.null_count()
        rewritten[name] = int((before != after).sum())
        frame = frame.with_columns(after)
    missing, other = _counted(absent), _counted(rewritten)
    said = [f"Read as missing: cells of {missing}."] if missing else []
    return frame, said + ([f"Rewritten: cells of {other}."] if other else [])


def _counted(counts: Mapping[str, int]) -> str:
    told = [f"{name!r} ({n:,})" for name, n in counts.items() if n]
    return listing(told) if told else ""
