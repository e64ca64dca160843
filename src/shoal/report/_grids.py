"""Histogram edges on round numbers and calendar dates, so that an edge is nobody's value."""

from __future__ import annotations

import math
from datetime import date

import numpy as np

from shoal.report._words import DASH
from shoal.typing import FloatArray, IntArray, Kind

_WANTED = 12
_STEPS = (1.0, 2.0, 5.0)
_MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)


def round_edges(numbers: FloatArray, counts: IntArray, kind: Kind) -> FloatArray:
    """Choose about a dozen edges that cover the bulk of the values; the tails stay open.

    Parameters
    ----------
    numbers : FloatArray
        The distinct values, ascending (days for dates).
    counts : IntArray
        How often each occurs.
    kind : Kind
        ``"date"`` takes edges from the calendar, all others from 1, 2, 5, 10, 20, 50, ...

    Examples
    --------
    >>> ages = np.arange(17, 91)
    >>> round_edges(ages, np.ones(74, dtype=int), "numeric").tolist()
    [20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0]
    """
    reached = np.cumsum(counts) / counts.sum()
    low, high = (float(numbers[np.searchsorted(reached, q)]) for q in (0.01, 0.99))
    if kind == "date":
        return _calendar_edges(low, high)
    whole = bool((numbers == np.floor(numbers)).all())
    step = _round_step((high - low) / _WANTED, whole=whole)
    return np.arange(math.floor(low / step) + 1, math.floor(high / step) + 1) * step


def _round_step(least: float, *, whole: bool) -> float:
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    step = next(factor * power for factor in (*_STEPS, 10.0) if factor * power >= least)
    return max(step, 1.0) if whole else step


def _calendar_edges(low: float, high: float) -> FloatArray:
    months = (high - low) / 30.4
    step = next((s for s in _MONTHS if s * _WANTED >= months), _MONTHS[-1])
    first, last = (_month_of(day) // step for day in (low, high))
    return np.array([_day_of(m * step) for m in range(first + 1, last + 1)], dtype=np.float64)


def _month_of(day: float) -> int:
    moment = date.fromordinal(max(1, int(day)))
    return moment.year * 12 + moment.month - 1


def _day_of(month: int) -> float:
    return float(date(max(1, month // 12), month % 12 + 1, 1).toordinal())


def edge_labels(edges: FloatArray, kind: Kind, *, whole: bool) -> list[str]:
    """Name the slots between edges, the open tails included.

    >>> edge_labels(np.array([20.0, 30.0, 40.0]), "numeric", whole=True)
    ['under 20', '20–29', '30–39', '40 and over']
    """
    if edges.size == 0:
        return ["all"]
    texts = [_edge_text(edge, kind, edges) for edge in edges]
    ends = [_edge_text(edge - 1, kind, edges) for edge in edges] if whole else texts
    between = [
        start if start == end else f"{start}{DASH}{end}"
        for start, end in zip(texts, ends[1:], strict=False)
    ]
    if kind == "date":
        return [f"before {texts[0]}", *between, f"{texts[-1]} and later"]
    return [f"under {texts[0]}", *between, f"{texts[-1]} and over"]


def _edge_text(edge: float, kind: Kind, edges: FloatArray) -> str:
    if kind != "date":
        return f"{edge:,.10g}"
    yearly = all(date.fromordinal(int(e)).strftime("%m-%d") == "01-01" for e in edges)
    moment = date.fromordinal(max(1, int(edge)))
    return f"{moment.year}" if yearly else f"{moment:%Y-%m}"
