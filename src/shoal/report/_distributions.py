"""Distributions: one attribute before and after, in slots that each hold enough people.

Before is what the released people had; those left out have no part in it. After is what a reader
of the release sees: a published interval counts as spread evenly over its width, a label as what
it says, ``*`` as nothing. A slot with fewer people than asked is pooled with its neighbour
(numbers, dates) or as "other" (names), and "other" itself is never small. A name is shown only if
the release shows it too. Shares before are rounded so that one person more or less is not seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date

import numpy as np

from shoal.report._published import People, PublishedColumn
from shoal.report._words import DASH
from shoal.spaces import IntervalSpace
from shoal.table import Column
from shoal.typing import FloatArray, IntArray, Kind

MISSING, OTHER = "missing", "other"
_MOST_NAMES = 8
_FAIR_PART = 0.6  # of the cells that say something, before a chart by value is worth drawing
_ROUNDINGS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_WANTED = 12  # edges of a scale
_STEPS = (1.0, 2.0, 5.0)
_MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)


@dataclass(frozen=True)
class Slot:
    """A bar of a chart: its name, and its share of the rows before and after."""

    label: str
    before: float
    after: float


@dataclass(frozen=True)
class Distribution:
    """An attribute before and after; the slots of an ``on_scale`` one stand side by side.

    ``overlap`` is the share of the rows that lie in the same slot before and after: 1 is a
    perfect match.
    """

    slots: tuple[Slot, ...]
    on_scale: bool
    overlap: float = 0.0  # not in what earlier versions kept


@dataclass(frozen=True, eq=False)
class ColumnComparison:
    """An original column beside what was published of it, for the released rows.

    Parameters
    ----------
    column : Column
        The original, coded.
    codes : IntArray
        Its codes in the released rows.
    published : PublishedColumn
        The released column, one text per released row.
    people : People
        The people behind the released rows.
    whole : bool
        Whether every cell is published as it was.
    """

    column: Column
    codes: IntArray
    published: PublishedColumn
    people: People
    whole: bool = False

    def distribution(self) -> Distribution | None:
        """Compare before and after; None if too few people are left to show anything."""
        numbers, published = self.column.numbers, self.published
        if self.column.kind in ("numeric", "date") and numbers is not None and numbers.size:
            told = ~published.hidden & [text is not None for text in published.texts]
            lows, highs = (ends[told] for ends in published.ends(self.column))
            if lows.size and np.isfinite(lows).all():  # all that is told can be placed
                return _on_scale(self, numbers, lows, highs, published.counts[told])
        return _by_name(self)


def _on_scale(
    case: ColumnComparison,
    numbers: FloatArray,
    lows: FloatArray,
    highs: FloatArray,
    counts: IntArray,
) -> Distribution | None:
    """Compare by slots of a scale; published cells count as spread evenly over their width."""
    codes, kind, people, published = case.codes, case.column.kind, case.people, case.published
    here = codes < numbers.size
    if people.count(here) < people.least:
        return None
    ends, which = np.unique(np.concatenate([lows, highs]), return_inverse=True)
    edges = round_edges(ends, np.bincount(which, np.tile(counts, 2)), kind)
    places = np.append(np.searchsorted(edges, numbers, side="right"), -1)[codes]
    kept, start = np.zeros(edges.size, dtype=np.bool_), 0
    for edge in range(edges.size):  # each must leave enough people on both of its sides
        inside = (places >= start) & (places <= edge)
        if people.count(inside) >= people.least and people.count(places > edge) >= people.least:
            kept[edge], start = True, edge + 1
    edges = edges[kept]
    slots = np.searchsorted(edges, numbers, side="right")[codes[here]]
    before = np.bincount(slots, minlength=edges.size + 1)
    half_open = any(text and text.endswith(")") for text in published.texts)
    whole = not half_open and bool((ends == np.floor(ends)).all())  # then 17 covers 17 to 18
    widths = np.maximum(highs + (1.0 if whole else 0.0) - lows, 1e-300)
    shares = (np.clip((edge - lows) / widths, 0, 1) for edge in edges)
    under = [float((counts * share).sum()) for share in shares]
    after = np.diff([0.0, *under, float(counts.sum())])
    rows = [*zip(edge_labels(edges, kind, whole=whole), before, after, strict=True)]
    if people.count(~here) >= people.least:
        empty = published.counts[published.texts.index(None)] if None in published.texts else 0
        rows.append((MISSING, (~here).sum(), empty))
    return _distribution(rows, case, on_scale=True)


def _by_name(case: ColumnComparison) -> Distribution | None:
    """Compare value by value, or by published labels where few cells show a value."""
    published, codes = case.published, case.codes
    names: list[str | None] = [*case.column.labels, None]
    cells = dict(zip(published.texts, published.counts.tolist(), strict=True))
    after: FloatArray = np.array([cells.get(name, 0) for name in names], dtype=np.float64)
    boxes, ranks = published.boxes, case.column.numbers
    if boxes is not None and isinstance(boxes.space, IntervalSpace) and ranks is not None:
        lows, highs = published.ends(case.column)
        for low, high, held in zip(lows, highs, published.counts, strict=True):
            if high > low:  # an interval of ranks is spread over its ranks
                after[:-1][(ranks >= low) & (ranks <= high)] += held / (high - low + 1)
    shown = _names_to_show(case, names, codes)
    told = published.counts[~published.hidden].sum()
    if after[shown].sum() < _FAIR_PART * told and boxes is not None:
        names, codes, after = _labels(case)
        shown = _names_to_show(case, names, codes)
    if not shown:
        return None
    before = np.bincount(codes, minlength=len(names))
    rows = [(names[i] or MISSING, before[i], after[i]) for i in shown]
    rest = before.sum() - before[shown].sum()
    if rest:
        rows.append((OTHER, rest, told - after[shown].sum()))
    return _distribution(rows, case, on_scale=False)


def _names_to_show(case: ColumnComparison, names: list[str | None], codes: IntArray) -> list[int]:
    """Choose the commonest names that are public, so that the rest is nobody or enough people."""
    people, public = case.people, {*case.published.texts}
    heads = people.by_code(codes, len(names))
    fit = [i for i, name in enumerate(names) if heads[i] >= people.least and name in public]
    before = np.bincount(codes, minlength=len(names))
    fit = sorted(fit, key=lambda i: (-before[i], names[i] or ""))[:_MOST_NAMES]
    while fit and 0 < people.count(~np.isin(codes, fit)) < people.least:
        fit.pop()
    return sorted(fit) if case.column.kind == "ordinal" else fit


def _labels(case: ColumnComparison) -> tuple[list[str | None], IntArray, FloatArray]:
    """Put every released row under the widest label around it that is published, ``*`` aside.

    Returns the labels, the label of each row, and the cells that say this or something narrower.
    """
    published = case.published
    lo, hi = published.spans
    widest = sorted(
        np.flatnonzero(~published.hidden).tolist(),
        key=lambda i: (hi[i] - lo[i], published.texts[i] or ""),
    )
    assert published.boxes is not None
    around = np.full(published.boxes.space.n_codes + 1, len(published.texts))
    for text in widest:  # the widest comes last and stays
        around[lo[text] : hi[text] + 1] = text
    names: list[str | None] = [*published.texts, OTHER]
    inside = np.where(published.hidden, len(published.texts), around[lo])
    after = np.bincount(inside, weights=published.counts, minlength=len(names)).astype(np.float64)
    return names, around[published.boxes.codes], after


def _distribution(
    rows: list[tuple[str, float, float]], case: ColumnComparison, *, on_scale: bool
) -> Distribution:
    """Round shares, so that one person more or less is not seen; two digits if all is published."""
    all_before = float(sum(before for _, before, _ in rows)) or 1.0
    all_after = float(sum(after for _, _, after in rows)) or 1.0
    ids, least = case.people.ids, case.people.least
    heads = all_before if ids is None else np.unique(ids[ids >= 0]).size
    enough = (step for step in _ROUNDINGS if case.whole or step * heads >= least)
    step = next(enough, _ROUNDINGS[-1])
    slots = []
    for label, before, after in rows:
        rounded = round(round(float(before / all_before) / step) * step, 2)
        slots.append(Slot(label, rounded, round(round(float(after / all_after) / 0.01) * 0.01, 2)))
    apart = sum(abs(slot.before - slot.after) for slot in slots) / 2
    return Distribution(tuple(slots), on_scale, round(min(1.0, max(0.0, 1 - apart)), 2))


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
    least, step = (high - low) / _WANTED, 1.0
    if least > 0:
        power = 10.0 ** math.floor(math.log10(least))
        step = next(factor * power for factor in (*_STEPS, 10.0) if factor * power >= least)
        step = max(step, 1.0) if (numbers == np.floor(numbers)).all() else step
    return np.arange(math.floor(low / step) + 1, math.floor(high / step) + 1) * step


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
    sides = (edges, edges - 1 if whole else edges)  # where slots begin, and where they end
    if kind == "date":
        yearly = all(date.fromordinal(int(e)).strftime("%m-%d") == "01-01" for e in edges)
        days = [[date.fromordinal(max(1, int(edge))) for edge in side] for side in sides]
        texts, ends = ([f"{d.year}" if yearly else f"{d:%Y-%m}" for d in side] for side in days)
    else:
        texts, ends = ([f"{edge:,.10g}" for edge in side] for side in sides)
    between = [
        start if start == end else f"{start}{DASH}{end}"
        for start, end in zip(texts, ends[1:], strict=False)
    ]
    if kind == "date":
        return [f"before {texts[0]}", *between, f"{texts[-1]} and later"]
    return [f"under {texts[0]}", *between, f"{texts[-1]} and over"]
