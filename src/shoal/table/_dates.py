"""Columns of dates: ISO first, another format only where it can be read in one way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.exceptions import ValueKindError
from shoal.table._cells import Distinct
from shoal.table._column import Column, ColumnKind, Values, number_texts, refuse_texts
from shoal.typing import BoolArray, IntArray

ISO = (
    r"^(?<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ](?<h>[0-9]{2}):(?<m>[0-9]{2})(?::(?<s>[0-9]{2})(?:\.(?<f>[0-9]{1,9}))?)?"
    r"(?:(?<z>Z)|(?<zs>[+-])(?<zh>[0-9]{2}):?(?<zm>[0-9]{2}))?)?$"
)
FORMATS = {  # shape of the text -> how it may be read
    r"^[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}$": ("%Y/%m/%d",),
    r"^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}$": ("%d.%m.%Y",),
    r"^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}$": ("%d/%m/%Y", "%m/%d/%Y"),
    r"^[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}$": ("%d-%m-%Y", "%m-%d-%Y"),
}
EPOCH_ORDINAL = 719_163  # datetime.date(1970, 1, 1).toordinal()
MICROSECONDS_PER_DAY = 86_400_000_000


@dataclass(frozen=True, eq=False)
class Dates:
    """Texts read as moments: microseconds since year 1 began, which were read, and how.

    >>> dates = read_dates(pl.Series(["2020-01-31", "2020-02-30"]))
    >>> dates.valid.tolist(), dates.ambiguous
    ([True, False], False)
    >>> read_dates(pl.Series(["01/02/2003"])).ambiguous
    True
    """

    moments: IntArray
    valid: BoolArray
    ambiguous: bool = False  # can be read in two ways that disagree

    @property
    def sure(self) -> bool:
        """Tell whether every text is a date, and in one way only."""
        return bool(self.valid.all()) and not self.ambiguous


def read_dates(texts: pl.Series) -> Dates:
    """Read ISO dates and timestamps, else the one common format that fits every text."""
    dates = _read_iso(texts)
    if dates.valid.any():
        return dates
    for shape, formats in FORMATS.items():
        if texts.str.contains(shape).all():
            return _agree([_read_format(texts, form) for form in formats])
    return dates


def _agree(readings: list[Dates]) -> Dates:
    full = [reading for reading in readings if reading.valid.all()]
    if not full:
        return max(readings, key=lambda reading: int(reading.valid.sum()))
    same = all(np.array_equal(full[0].moments, other.moments) for other in full[1:])
    return Dates(full[0].moments, full[0].valid, ambiguous=not same)


def _read_format(texts: pl.Series, form: str) -> Dates:
    days = texts.str.to_date(form, strict=False)
    return _dates(days.cast(pl.Int64), pl.Series(np.zeros(len(texts), dtype=np.int64)))


def _read_iso(texts: pl.Series) -> Dates:
    parts = texts.str.extract_groups(ISO).struct.unnest()
    days = parts["day"].str.to_date("%Y-%m-%d", strict=False).cast(pl.Int64)
    hours, minutes, seconds, zone_hours, zone_minutes = (
        parts[name].cast(pl.Int64).fill_null(0) for name in ("h", "m", "s", "zh", "zm")
    )
    micros = parts["f"].str.pad_end(6, "0").str.head(6).cast(pl.Int64).fill_null(0)
    sign = pl.Series(np.where((parts["zs"] == "-").fill_null(False).to_numpy(), -1, 1))
    offset = sign * (zone_hours * 60 + zone_minutes)
    within = ((hours * 60 + minutes - offset) * 60 + seconds) * 1_000_000 + micros
    legal = (hours < 24) & (minutes < 60) & (seconds < 60) & (zone_hours < 24) & (zone_minutes < 60)
    zoned = parts["z"].is_not_null() | parts["zs"].is_not_null()
    mixed = bool(zoned.any()) and not bool(zoned.all())  # with and without a zone: no one order
    return _dates(days.set(~legal, None), within, ambiguous=mixed)


def _dates(days: pl.Series, within_day: pl.Series, *, ambiguous: bool = False) -> Dates:
    valid = (days.is_not_null() & (days + EPOCH_ORDINAL >= 1)).to_numpy()  # there is no year 0
    moments = (days.fill_null(0) + EPOCH_ORDINAL) * MICROSECONDS_PER_DAY + within_day
    return Dates(moments.to_numpy(), valid, ambiguous)


def _recognize(values: Values) -> str | None:
    if not values.are_text:
        dated = isinstance(values.dtype, (pl.Date, pl.Datetime))
        return "The frame holds dates." if dated else None
    if not values.all_match(lambda some: bool(read_dates(some).valid.all())):
        return None
    sure = read_dates(values.texts).sure
    return f"Its distinct values ({len(values.texts):,}) are all dates." if sure else None


def _code(name: str, distinct: Distinct, order: Sequence[str]) -> Column:
    dates = read_dates(distinct.texts)
    refuse_texts(name, "date", distinct, ~dates.valid, "are not dates")
    if dates.ambiguous:
        raise ValueKindError(
            f"The dates of column {name!r} can be read in more than one way.",
            hint="Write them as YYYY-MM-DD, timestamps all with or all without a time zone.",
        )
    places = np.argsort(dates.moments, kind="stable")
    moments, numbers = np.unique(dates.moments[places], return_inverse=True)
    column = number_texts(name, "date", distinct, places, numbers)
    return replace(column, numbers=moments / MICROSECONDS_PER_DAY)


DATE = ColumnKind(
    "date",
    _recognize,
    _code,
    ordered=True,
    measured=True,
    read_together=True,
    looks=r"[0-9][-./][0-9]",
)
