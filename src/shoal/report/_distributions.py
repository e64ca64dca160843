"""One attribute before and after, in slots that each hold enough people to be shown.

Before is the original; after is what a reader of the release expects: a published span counts as
uniform over its width, a published set of values as uniform over the values. A slot with fewer
people than asked is pooled with its neighbour (numbers, dates) or as "other" (names), and "other"
itself is never small. A name is shown only if the release shows it too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from shoal.report._crowd import GroupPicture
from shoal.report._grids import edge_labels, round_edges
from shoal.report._published import HIDDEN, PublishedColumn, spans
from shoal.typing import BoolArray, FloatArray, IntArray, Kind

MISSING, OTHER = "missing", "other"
_MOST_NAMES = 8
_FAIR_PART = 0.6  # of the rows, before a chart by value is worth drawing


class ColumnLike(Protocol):
    """What is needed of a coded column (`shoal.table.Column`)."""

    @property
    def kind(self) -> Kind: ...
    @property
    def codes(self) -> IntArray: ...
    @property
    def labels(self) -> tuple[str, ...]: ...
    @property
    def numbers(self) -> FloatArray | None: ...


@dataclass(frozen=True)
class Slot:
    """A bar of a chart: its name, and its share of the rows before and after."""

    label: str
    before: float
    after: float


@dataclass(frozen=True)
class Distribution:
    """An attribute before and after; the slots of an ``on_scale`` one stand side by side."""

    slots: tuple[Slot, ...]
    on_scale: bool

    @property
    def overlap(self) -> float:
        """Share of the rows that lie in the same slot before and after: 1 is a perfect match.

        >>> Distribution((Slot("f", 0.5, 0.4), Slot("m", 0.5, 0.6)), on_scale=False).overlap
        0.9
        """
        return round(1 - sum(abs(slot.before - slot.after) for slot in self.slots) / 2, 4)


@dataclass(frozen=True, eq=False)
class ColumnComparison:
    """An original column beside what was published of it.

    Parameters
    ----------
    column : ColumnLike
        The original, coded.
    published : Published
        The released column, one text per kept row.
    kept : BoolArray
        Which original rows are in the release.
    crowd : Crowd
        The people behind the original rows.
    """

    column: ColumnLike
    published: PublishedColumn
    kept: BoolArray
    crowd: GroupPicture

    def distribution(self) -> Distribution | None:
        """Compare before and after; None if too few people are left to show anything."""
        numbers = self.column.numbers
        if self.column.kind in ("numeric", "date") and numbers is not None and numbers.size:
            return _on_scale(self, numbers)
        return _by_name(self)


def _on_scale(case: ColumnComparison, numbers: FloatArray) -> Distribution | None:
    codes, kind = case.column.codes, case.column.kind
    here = codes < numbers.size
    if not case.crowd.enough(here):
        return None
    edges = round_edges(numbers, np.bincount(codes[here], minlength=numbers.size), kind)
    edges = edges[_edges_to_keep(case.crowd, _slots(edges, numbers, codes), edges.size)]
    places = _slots(edges, numbers, codes)
    before = np.bincount(places[here], minlength=edges.size + 1)
    whole = bool((numbers == np.floor(numbers)).all())
    after = _spread_over_spans(case, numbers, edges, whole=whole)
    rows = [*zip(edge_labels(edges, kind, whole=whole), before, after, strict=True)]
    if case.crowd.enough(~here):
        rows.append((MISSING, (~here).sum(), case.published.count(None)))
    return _distribution(rows, on_scale=True)


def _slots(edges: FloatArray, numbers: FloatArray, codes: IntArray) -> IntArray:
    """Number the slot of each row; -1 where the cell is missing."""
    places = np.searchsorted(edges, numbers, side="right")
    return np.append(places, -1)[codes]


def _edges_to_keep(crowd: GroupPicture, places: IntArray, n_edges: int) -> BoolArray:
    """Tell which edges leave enough people on both of their sides."""
    keep = np.zeros(n_edges, dtype=np.bool_)
    start = 0
    for edge in range(n_edges):
        inside = (places >= start) & (places <= edge)
        if crowd.enough(inside) and crowd.enough(places > edge):
            keep[edge] = True
            start = edge + 1
    return keep


def _spread_over_spans(
    case: ColumnComparison, numbers: FloatArray, edges: FloatArray, *, whole: bool
) -> FloatArray:
    codes = case.column.codes[case.kept]
    lows, highs = spans(case.published, codes, numbers, case.column.kind)
    known = np.isfinite(lows)
    lows, highs = lows[known], highs[known] + (1.0 if whole else 0.0)  # 17 covers 17 to 18
    counts = case.published.counts[known]
    widths = np.maximum(highs - lows, 1e-300)
    under = [float((counts * np.clip((edge - lows) / widths, 0, 1)).sum()) for edge in edges]
    return np.diff([0.0, *under, float(counts.sum())])


def _by_name(case: ColumnComparison) -> Distribution | None:
    """Compare value by value, or by published groups of values where most values are in one."""
    codes, labels = case.column.codes, case.column.labels
    before = np.bincount(codes, minlength=len(labels) + 1)
    after = _spread_over_names(case.published, codes[case.kept], len(labels))
    names: list[str | None] = [*labels, None]
    shown = _names_to_show(case, names, codes, before)
    if before[shown].sum() < _FAIR_PART * before.sum():
        names, blocks = _blocks(case.published, codes[case.kept], labels)
        codes = blocks[codes]
        before = np.bincount(codes, minlength=len(names))
        after = np.bincount(blocks, weights=after, minlength=len(names)).astype(np.float64)
        shown = _names_to_show(case, names, codes, before)
    if not shown:
        return None
    rows = [(names[i] or MISSING, before[i], after[i]) for i in shown]
    rest = before.sum() - before[shown].sum()
    if rest:
        rows.append((OTHER, rest, after.sum() - after[shown].sum()))
    return _distribution(rows, on_scale=False)


def _names_to_show(
    case: ColumnComparison, names: list[str | None], codes: IntArray, before: IntArray
) -> list[int]:
    """Choose the commonest names that are public, so that the rest is nobody or a crowd."""
    crowd, public = case.crowd, set(case.published.texts) - {HIDDEN}
    heads = crowd.by_code(codes, before.size)
    fit = [i for i, name in enumerate(names) if heads[i] >= crowd.least and name in public]
    fit = sorted(fit, key=lambda i: (-before[i], i))[:_MOST_NAMES]
    while fit and 0 < crowd.size(~np.isin(codes, fit)) < crowd.least:
        fit.pop()
    return sorted(fit) if case.column.kind == "ordinal" else fit


def _blocks(
    published: PublishedColumn, codes: IntArray, labels: tuple[str, ...]
) -> tuple[list[str | None], IntArray]:
    """Give each value to the widest text it was published under; ``*`` is none.

    Returns the names of the blocks, and the block of each value (missing included).
    """
    size = len(labels) + 1
    pairs = np.unique(published.ids * size + codes)
    texts, values = pairs // size, pairs % size
    width = np.bincount(texts, minlength=len(published.texts))
    by_text = sorted(range(len(published.texts)), key=lambda i: published.texts[i] or "")
    place = np.argsort(by_text)  # ties go by text, never by the order of rows
    order = np.lexsort((place[texts], width[texts]))
    names: list[str | None] = [*published.texts, HIDDEN]
    blocks = np.full(size, len(published.texts))
    order = order[[published.texts[text] != HIDDEN for text in texts[order]]]
    blocks[values[order]] = texts[order]  # the widest comes last and stays
    return names, blocks


def _spread_over_names(published: PublishedColumn, codes: IntArray, size: int) -> FloatArray:
    """Spread the rows of each text evenly over the values found under it; ``*`` over all."""
    pairs = np.unique(published.ids * (size + 1) + codes)
    texts, values = pairs // (size + 1), pairs % (size + 1)
    under = np.bincount(texts, minlength=len(published.texts))
    hidden = published.texts.index(HIDDEN) if HIDDEN in published.texts else -1
    seen = texts != hidden
    mass = (published.counts / under)[texts[seen]]
    after = np.bincount(values[seen], weights=mass, minlength=size + 1).astype(np.float64)
    if hidden >= 0 and size:
        after[:size] += published.counts[hidden] / size
    return after


def _distribution(rows: list[tuple[str, float, float]], *, on_scale: bool) -> Distribution:
    all_before = float(sum(before for _, before, _ in rows)) or 1.0
    all_after = float(sum(after for _, _, after in rows)) or 1.0
    slots = [
        Slot(label, round(float(before) / all_before, 4), round(float(after) / all_after, 4))
        for label, before, after in rows
    ]
    return Distribution(tuple(slots), on_scale)
