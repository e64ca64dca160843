"""Calendars: dates that lose their day first, then month, quarter, year and decade."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.hierarchies._base import (
    Arrangement,
    Hierarchy,
    arrange_sorted,
    distinct_labels,
    gap_error,
    meeting_heights,
)
from shoal.typing import BoolArray, IntArray

_ISO = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)


@dataclass(frozen=True)
class Calendar(Hierarchy):
    """Dates by month, quarter, year and decade; dates with a time by day before that.

    Reads ISO 8601 text: ``2020-03-17``, or with a time ``2020-03-17T09:30``; the day is the one
    written, whatever the time zone.

    >>> dates = Calendar().arrange(["2020-03-17", "2020-03-02", "2020-01-30", "2021-05-05"])
    >>> dates.height, dates.node_labels[dates.n_leaves:]
    (5, ('2020-03', '2020-Q1', '2020s', '*'))
    >>> Calendar().arrange(["2020-03-17T09:30", "2020-03-17T17:00"]).node_labels[2:]
    ('2020-03-17', '*')
    """

    #: By height a decade loses as much as eighty years would; see decision 27.
    loss: ClassVar[str] = "leaves"

    def arrange(self, labels: Sequence[str], *, column: str | None = None) -> Arrangement:
        """Arrange the dates in time."""
        labels = distinct_labels(labels, column)
        is_iso = np.fromiter(map(bool, map(_ISO.fullmatch, labels)), bool, count=len(labels))
        days = [label[:10] for label in labels]
        is_date = is_iso & _in_calendar(days, is_iso)
        if not is_date.all():
            hint = "Dates are read as ISO text such as 2020-03-17, with or without a time."
            raise gap_error(int((~is_date).sum()), len(labels), column, hint=hint)
        with_time = any(len(label) > 10 for label in labels)
        order = np.array(sorted(range(len(labels)), key=labels.__getitem__), dtype=np.int64)
        return _arrange_dates(labels, order, _numbers(days)[order], with_time=with_time)


def _arrange_dates(
    labels: list[str], order: IntArray, dates: IntArray, *, with_time: bool
) -> Arrangement:
    year, month, day = dates.T
    months = year * 12 + month - 1
    keys = [months, months // 3, year, year // 10]
    names = [_month, _quarter, _year, _decade]
    if with_time:
        keys, names = [months * 31 + day, *keys], [_day, *names]

    def name(height: int, leaf: int) -> str:
        return names[height - 1](*dates[leaf].tolist())

    gap_heights = meeting_heights(keys)
    return arrange_sorted(labels, order, gap_heights, height=len(keys) + 1, name=name)


def _in_calendar(days: list[str], is_iso: BoolArray) -> BoolArray:
    """Tell which dates exist; what is not ISO text does not."""
    year, month, day = _numbers(
        [text if iso else "0000-00-00" for text, iso in zip(days, is_iso.tolist(), strict=True)]
    ).T
    first = (year - 1970) * 12 + np.clip(month, 1, 12) - 1
    next_month = (first + 1).astype("datetime64[M]").astype("datetime64[D]")
    length = (next_month - first.astype("datetime64[M]").astype("datetime64[D]")).astype(np.int64)
    exists: BoolArray = (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= length)
    return exists


def _numbers(days: list[str]) -> IntArray:
    """Year, month and day of texts like 2020-03-17, one row each."""
    text = np.array(days, dtype="U10").view(np.uint32).reshape(-1, 10)
    digits = text.astype(np.int64) - ord("0")
    year = digits[:, :4] @ np.array([1000, 100, 10, 1])
    month = digits[:, 5:7] @ np.array([10, 1])
    day = digits[:, 8:] @ np.array([10, 1])
    return np.stack([year, month, day], axis=1)


def _day(year: int, month: int, day: int) -> str:
    return f"{year:04d}-{month:02d}-{day:02d}"


def _month(year: int, month: int, day: int) -> str:
    return f"{year:04d}-{month:02d}"


def _quarter(year: int, month: int, day: int) -> str:
    return f"{year:04d}-Q{(month + 2) // 3}"


def _year(year: int, month: int, day: int) -> str:
    return f"{year:04d}"


def _decade(year: int, month: int, day: int) -> str:
    return f"{year // 10 * 10:04d}s"
