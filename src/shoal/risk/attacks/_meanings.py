"""What published cells may stand for, as an attacker reads them.

``[17, 25]`` stands for every age in it, a tree label for the values below it, ``80**`` for codes
that begin so, ``*`` for anything, a plain value for itself. A text that is neither a value of the
column nor a known label stands for anything: an attacker without the tree learns nothing from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from shoal.exceptions import HierarchyError, InputError
from shoal.hierarchies import Hierarchy
from shoal.table import COLUMN_KINDS, Table
from shoal.typing import BoolArray, FloatArray, IntArray, Kind
from shoal.utility import LineFeatures, TreeFeatures, is_star, learn_features

Span: TypeAlias = tuple[float, float]
_NOWHERE: Span = (np.nan, np.nan)


@dataclass(frozen=True, eq=False)
class Meaning:
    """A column of the release against the values that people can have.

    Every value and every text has two ends on a line: numbers on their own, leaves of a tree in
    its order. A missing value lies nowhere (NaN); what stands for anything has ``anything`` set.

    Attributes
    ----------
    values : float array
        Place of each value, one more (NaN) for a missing one.
    lows, highs : float array
        Ends of each published text, one more (NaN) for an empty cell.
    anything : bool array
        Which texts stand for anything, a missing value included.
    nominal : bool
        Whether places are leaves of a tree, with no distance between them.
    unknown : int
        How many texts are neither values nor known labels.
    """

    values: FloatArray
    lows: FloatArray
    highs: FloatArray
    anything: BoolArray
    nominal: bool
    unknown: int = 0

    def covers(self, values: IntArray) -> BoolArray:
        """Tell which texts (columns) may stand for each of these values (rows)."""
        at = self.values[values][:, None]
        inside = (at >= self.lows) & (at <= self.highs)
        inside[:, -1] = np.isnan(at[:, 0])  # the empty cell says that the value is missing
        return inside | self.anything

    def fits(self, values: IntArray, texts: IntArray) -> BoolArray:
        """Tell pair by pair whether a text may stand for a value."""
        at = self.values[values]
        inside = (at >= self.lows[texts]) & (at <= self.highs[texts])
        both_missing = np.isnan(at) & (texts == self.lows.size - 1)
        pairs: BoolArray = inside | both_missing | self.anything[texts]
        return pairs

    def distances(self, values: IntArray) -> FloatArray:
        """How far each value is expected to be from what is behind each text, 0 to 1.

        A text is as likely to stand for any place between its ends. For two plain values this is
        Gower's distance: the share of the range, or whether they differ.
        """
        return self._far(values, self.lows, self.highs, np.arange(self.lows.size))

    def distance_to(self, values: IntArray, text: int) -> FloatArray:
        """How far each value is expected to be from what is behind one text."""
        only = np.array([text])
        return self._far(values, self.lows[only], self.highs[only], only)[:, 0]

    def _far(
        self, values: IntArray, lows: FloatArray, highs: FloatArray, texts: IntArray
    ) -> FloatArray:
        at = self.values[values][:, None]
        if self.nominal:
            inside = (at >= lows) & (at <= highs)
            far = np.where(inside, 1 - 1 / (highs - lows + 1), 1.0)
        else:
            far = _expected_gap(at, lows, highs) / self._range
        empty = texts == self.lows.size - 1
        gone = np.isnan(at)
        far = np.where(gone != empty, 1.0, far)  # something and nothing are as far as can be
        far = np.where(gone & empty, 0.0, far)
        gaps: FloatArray = np.where(np.isnan(far), 1.0, far)
        return gaps

    @property
    def spans(self) -> BoolArray:
        """Which texts are a span or a label, neither one value nor anything."""
        wide: BoolArray = (self.highs > self.lows) & ~self.anything
        return wide

    @property
    def plain(self) -> bool:
        """Whether every text is a value like the original's, none a span, a label or a star."""
        return not self.anything.any() and bool((self.lows[:-1] == self.highs[:-1]).all())

    @property
    def granule(self) -> float:
        """Smallest step between values: 1 for leaves and whole numbers."""
        known = np.unique(self.values[~np.isnan(self.values)])
        if self.nominal or known.size < 2 or (known == np.floor(known)).all():
            return 1.0
        return float(np.diff(known).min())

    @property
    def _range(self) -> float:
        known = self.values[~np.isnan(self.values)]
        return float(np.ptp(known)) or 1.0 if known.size else 1.0


def read_meaning(
    texts: Sequence[str],
    values: Sequence[str],
    *,
    name: str,
    kind: Kind,
    hierarchy: Hierarchy | None = None,
    order: Sequence[str] = (),
) -> Meaning:
    """Read published texts as statements about values.

    >>> ages = read_meaning(["[17, 25]", "*"], ["17", "30"], name="age", kind="numeric")
    >>> ages.covers(np.array([0, 1, 2])).tolist()  # the last value, and text, is missing
    [[True, True, False], [False, True, False], [False, True, True]]
    """
    read, line = _reader([*values, *texts], name, kind, hierarchy, order)
    spans = [None if is_star(text) else read(text) for text in texts]
    if not line and hierarchy is None:  # a label of a tree we do not have looks like one more leaf
        known = {*values}
        spans = [
            span if text in known or (COLUMN_KINDS[kind].prefixed and text.endswith("*")) else None
            for span, text in zip(spans, texts, strict=True)
        ]
    told = (not is_star(text) for text in texts)
    unknown = sum(span is None and tells for span, tells in zip(spans, told, strict=True))
    places = np.array([*(read(value) or _NOWHERE for value in values), _NOWHERE])[:, 0]
    anything = np.array([*(span is None for span in spans), False], dtype=np.bool_)
    ends = np.array([*(span or _NOWHERE for span in spans), _NOWHERE], dtype=np.float64)
    if np.isfinite(places).any():
        ends[anything] = np.nanmin(places), np.nanmax(places)
    return Meaning(places, ends[:, 0], ends[:, 1], anything, nominal=not line, unknown=unknown)


def _reader(
    texts: Sequence[str],
    name: str,
    kind: Kind,
    hierarchy: Hierarchy | None,
    order: Sequence[str],
) -> tuple[Callable[[str], Span | None], bool]:
    """Learn how to find the ends of a text, and whether they lie on a line or in a tree."""
    told = list(dict.fromkeys(text for text in texts if not is_star(text)))
    once = np.ones(len(told), dtype=np.int64)
    most = max(64, len(told))
    try:
        features = learn_features(
            name, told, once, kind=kind, hierarchy=hierarchy, order=order, most=most
        )
    except (HierarchyError, InputError):  # not what its kind says: words, alike or not
        features = learn_features(name, told, once, kind="nominal", most=most)
    if isinstance(features, LineFeatures):
        return features.scale.read, True
    assert isinstance(features, TreeFeatures)
    return partial(_leaves, features), False


def value_codes(tables: Sequence[Table], name: str) -> tuple[list[str], list[IntArray]]:
    """Number the values of a column over several tables; a missing cell has the last number."""
    numbers: dict[str, int] = {}
    found = []
    for table in tables:
        column = table.column(name)
        recode = [numbers.setdefault(label, len(numbers)) for label in column.labels]
        found.append((np.array([*recode, -1], dtype=np.int64), column.codes))
    codes = [recode[codes] for recode, codes in found]
    return list(numbers), [np.where(code < 0, len(numbers), code) for code in codes]


def _expected_gap(at: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Mean distance of a point to a place drawn evenly from an interval."""
    width = np.where(high > low, high - low, 1.0)
    within = ((at - low) ** 2 + (high - at) ** 2) / (2 * width)
    outside = np.abs(at - (low + high) / 2)
    gap: FloatArray = np.where((at > low) & (at < high), within, outside)
    return gap


def _leaves(features: TreeFeatures, text: str) -> Span | None:
    """Where the leaves below a label lie; a label of several nodes reaches from first to last."""
    spans = features.find(text)
    if not spans:
        return None
    return float(min(begin for begin, _ in spans)), float(max(end for _, end in spans))
