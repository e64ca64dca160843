"""Scales: where a published text lies on the line of numbers, dates or ranks."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TypeAlias

from shoal.table import read_bracket, span_of

Span: TypeAlias = tuple[float, float]

_NUMBER = re.compile(r"[ \t]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t]*", re.ASCII)
_INTERVAL = re.compile(r"[\[(](.+)[\])]", re.DOTALL)
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ].+)?", re.ASCII)
_CALENDAR = re.compile(r"(\d{4})(?:-(\d\d)|-Q([1-4])|(s))?", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)


class Scale(ABC):
    """A line with a place for every value."""

    @abstractmethod
    def place(self, text: str) -> float | None:
        """Find the place of a single value; None if it has none."""

    def read(self, text: str) -> Span | None:
        """Find both ends of a published text: a value, or an interval with or without its ends."""
        place = self.place(text)
        if place is not None:
            return place, place
        for one, other in split_interval(text):
            low, high = self.place(one), self.place(other)
            if low is not None and high is not None and low <= high:
                return low, high
        return None


def split_interval(text: str) -> Iterator[tuple[str, str]]:
    """Split an interval at each of its commas: a value may hold commas too.

    >>> list(split_interval("[17, 25)")), list(split_interval("17"))
    ([('17', '25')], [])
    """
    interval = _INTERVAL.fullmatch(text)
    inside = interval[1] if interval else ""
    for comma in re.finditer(", ?", inside):
        yield inside[: comma.start()], inside[comma.end() :]


@dataclass(frozen=True)
class NumberScale(Scale):
    """Numbers; ``named`` gives the span of labels that are not numbers, such as ``20-29``.

    >>> NumberScale().read("[17, 25]"), NumberScale({"young": (0, 30)}).read("young")
    ((17.0, 25.0), (0, 30))
    """

    named: Mapping[str, Span] = field(default_factory=dict)

    def place(self, text: str) -> float | None:
        """Read a finite number."""
        number = float(text) if _NUMBER.fullmatch(text) else math.inf
        return number if math.isfinite(number) else None

    def read(self, text: str) -> Span | None:
        """Look the text up among the named spans, then read it; ``30-49`` is a span too."""
        found = self.named.get(text) or super().read(text)
        bracket = read_bracket(text) if found is None else None
        if bracket is None:
            return found
        ends = [end for end in (bracket.low, bracket.high) if math.isfinite(end)]
        return ends[0], ends[-1]


@dataclass(frozen=True)
class DateScale(Scale):
    """Dates as days since 1970-01-01; months, quarters, years and decades are spans.

    Parameters
    ----------
    form : str, optional
        How dates are written, as ``strptime`` reads them; ISO 8601 if not given.

    Examples
    --------
    >>> scale = DateScale()
    >>> scale.read("1970-01-03"), scale.read("1970-Q1"), scale.read("1970s")
    ((2.0, 2.0), (0.0, 89.0), (0.0, 3651.0))
    >>> DateScale("%d.%m.%Y").read("[01.01.1970, 31.12.1970]")
    (0.0, 364.0)
    """

    form: str | None = None

    def place(self, text: str) -> float | None:
        """Read a date or a timestamp."""
        try:
            if self.form is not None:
                return _days(datetime.strptime(text, self.form))
            return _days(datetime.fromisoformat(text)) if _ISO_DATE.fullmatch(text) else None
        except (ValueError, OverflowError):
            return None

    def read(self, text: str) -> Span | None:
        """Read a label of the calendar, or a date, or an interval of dates."""
        label = _CALENDAR.fullmatch(text)
        if label is None:
            return super().read(text)
        return _calendar_span(*label.groups())


@dataclass(frozen=True)
class RankScale(Scale):
    """Values in an order, each one step from the next.

    >>> RankScale({"low": 0, "mid": 1, "high": 2}).read("[mid, high]")
    (1.0, 2.0)
    """

    ranks: Mapping[str, int]

    def place(self, text: str) -> float | None:
        """Look up the rank."""
        return float(self.ranks[text]) if text in self.ranks else None

    def read(self, text: str) -> Span | None:
        """Read a value, an interval, or a range that covers several: ``30-49``."""
        found = super().read(text)
        ends = span_of(text, list(self.ranks)) if found is None else None
        return found if ends is None else (self.ranks[ends[0]], self.ranks[ends[1]])


def _days(moment: datetime) -> float:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) / _DAY


def _calendar_span(
    year: str, month: str | None, quarter: str | None, decade: str | None
) -> Span | None:
    """First and last day of a label of `shoal.hierarchies.Calendar`."""
    first_year = max(int(year), 1)  # there is no year 0, but the years 1 to 9 are the 0000s
    last_year = int(year) + 9 if decade else first_year
    first_month, last_month = 1, 12
    if month:
        first_month = last_month = int(month)
    elif quarter:
        first_month, last_month = 3 * int(quarter) - 2, 3 * int(quarter)
    if not 1 <= first_month <= 12 or last_year > 9999:
        return None
    leap = date(last_year, 12, 31).timetuple().tm_yday == 366
    last_day = (31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[last_month - 1]
    return (
        _days(datetime(first_year, first_month, 1)),
        _days(datetime(last_year, last_month, last_day)),
    )
