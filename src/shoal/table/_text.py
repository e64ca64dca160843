"""Cells as text: the one printed form of a value, whatever type its column has."""

from __future__ import annotations

import numpy as np
import polars as pl

SECONDS = "%Y-%m-%dT%H:%M:%S"


def as_text(series: pl.Series) -> pl.Series:
    """Print every cell as it is published; null is missing, and so is NaN.

    The same value prints the same from any type: 17 and 17.0 are ``17``, a date is ISO, a
    timestamp at midnight is its date.

    >>> as_text(pl.Series([17.0, 0.5, float("nan"), None])).to_list()
    ['17', '0.5', None, None]
    """
    if series.dtype.is_float():
        return _floats(series)
    if isinstance(series.dtype, pl.Datetime):
        return _timestamps(series)
    if isinstance(series.dtype, pl.Duration):
        return series.dt.to_string("iso")
    return series.cast(pl.String)


def _floats(series: pl.Series) -> pl.Series:
    """Print floats as Python does (the shortest text that reads back), but 17.0 as ``17``.

    Every distinct value is printed once, by Python and not by polars, whose text may change.
    """
    values = series.to_numpy() + 0.0  # null is NaN now, and negative zero is zero
    distinct, codes = np.unique(values, return_inverse=True)
    printed: list[str | None] = [str(value).removesuffix(".0") for value in distinct]
    if distinct.size and np.isnan(distinct[-1]):  # sorted last
        printed[-1] = None
    return pl.Series(series.name, printed, dtype=pl.String).gather(pl.Series(codes))


def _timestamps(series: pl.Series) -> pl.Series:
    zone = "+00:00" if series.dtype.time_zone else ""  # type: ignore[attr-defined]
    moments = series.dt.convert_time_zone("UTC") if zone else series
    if not zone and (moments.dt.date().cast(series.dtype) == moments).all():
        return moments.dt.strftime("%Y-%m-%d")
    fraction = "%.f" if (moments.dt.nanosecond() != 0).any() else ""
    return moments.dt.strftime(SECONDS + fraction + zone)
