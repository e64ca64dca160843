"""From the values of a column to its features: which line, which tree."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.exceptions import InvalidParameterError, ValueKindError
from shoal.hierarchies import Calendar, Hierarchy, Intervals, Mask, Taxonomy
from shoal.hierarchies.ready import ReadyLadder
from shoal.table import COLUMN_KINDS
from shoal.typing import IntArray, Kind
from shoal.utility._features._base import Features, is_star
from shoal.utility._features._codes import code_tree
from shoal.utility._features._line import LineFeatures
from shoal.utility._features._scales import DateScale, NumberScale, RankScale, Span
from shoal.utility._features._tree import TreeFeatures, leaf_extents, published_spans
from shoal.utility._features._values import value_tree

FORMATS = ("%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y")


def learn_features(
    name: str,
    texts: Sequence[str],
    counts: IntArray,
    *,
    kind: Kind,
    hierarchy: Hierarchy | None = None,
    order: Sequence[str] = (),
    most: int = 64,
) -> Features:
    """Learn the features of a column from its distinct texts, raw or published.

    A hierarchy decides: bins of numbers and calendars lie on a line, all others are trees; a
    taxonomy over numbers lies on a line too if the kind is numeric. Without one the kind decides.

    Parameters
    ----------
    name : str
        The column.
    texts : sequence of str
        Its distinct values as text, missing ones left out.
    counts : IntArray
        How many rows hold each.
    kind : Kind
        What the original column holds.
    hierarchy : Hierarchy, optional
        The tree the column was generalized with.
    order : sequence of str
        Values of an ordinal column from low to high.
    most : int
        Largest number of features a tree may have, the missing flag not counted.

    Examples
    --------
    >>> import numpy as np
    >>> learn_features("age", ["17", "[20, 29]"], np.array([1, 1]), kind="numeric").names
    ('age (midpoint)', 'age (width)', 'age (missing)')
    >>> learn_features("zip", ["8010", "80**"], np.array([1, 1]), kind="code").names
    ('zip=8010', 'zip (missing)')
    """
    line = _line(name, texts, kind, hierarchy, order)
    if line is not None:
        return line
    told = sorted(text for text in texts if not is_star(text))
    masked = isinstance(hierarchy, Mask) or (hierarchy is None and COLUMN_KINDS[kind].prefixed)
    tree = code_tree(told) if masked and told else value_tree(name, told, hierarchy)
    ladder = hierarchy if isinstance(hierarchy, ReadyLadder) else None
    return TreeFeatures.learn(name, tree, texts, counts, most=most, masked=masked, ladder=ladder)


def _line(
    name: str,
    texts: Sequence[str],
    kind: Kind,
    hierarchy: Hierarchy | None,
    order: Sequence[str],
) -> LineFeatures | None:
    if isinstance(hierarchy, Taxonomy) and kind == "numeric":
        spans = _number_spans(hierarchy)
        return (
            LineFeatures.learn(name, NumberScale(spans), texts, spans.values()) if spans else None
        )
    if isinstance(hierarchy, Intervals) or (hierarchy is None and kind == "numeric"):
        return LineFeatures.learn(name, NumberScale(), texts)
    if isinstance(hierarchy, Calendar) or (hierarchy is None and kind == "date"):
        return LineFeatures.learn(name, _date_scale(name, texts), texts)
    if hierarchy is None and kind == "ordinal":
        return _rank_features(name, texts, order)
    return None


def _number_spans(tree: Taxonomy) -> dict[str, Span]:
    """Smallest and largest number below each label of a tree; empty if a leaf is no number.

    >>> _number_spans(Taxonomy.from_parents({"3": "few", "4": "few", "few": "*", "9": "*"}))
    {'*': (3.0, 9.0), 'few': (3.0, 4.0), '3': (3.0, 3.0), '4': (4.0, 4.0), '9': (9.0, 9.0)}
    """
    places = [NumberScale().place(tree.values[leaf]) for leaf in tree.layout.leaves.tolist()]
    numbers = [place for place in places if place is not None]
    if len(numbers) < len(places):
        return {}
    below = {
        text: [number for first, last in spans for number in numbers[first : last + 1]]
        for text, spans in published_spans(tree, *leaf_extents(tree)).items()
    }
    return {text: (min(found), max(found)) for text, found in below.items()}


def _date_scale(name: str, texts: Sequence[str]) -> DateScale:
    """Find how dates are written: as ISO text, or in the one common way that fits them all."""
    told = [text for text in texts if not is_star(text)]
    if not told or any(DateScale().read(text) for text in told):
        return DateScale()
    scales = [DateScale(form) for form in FORMATS]
    fitting = [scale for scale in scales if all(scale.read(text) for text in told)]
    readings = {tuple(scale.read(text) for text in told) for scale in fitting}
    if len(readings) > 1:
        raise ValueKindError(
            f"The dates of column {name!r} can be read in more than one way.",
            hint="Write them as YYYY-MM-DD.",
        )
    return fitting[0] if fitting else DateScale()


def _rank_features(name: str, texts: Sequence[str], order: Sequence[str]) -> LineFeatures:
    if not order:
        raise InvalidParameterError(
            f"Column {name!r} is ordinal but its order is not given.",
            hint=f"Name its values from low to high: orders={{{name!r}: [...]}}.",
        )
    scale = RankScale({value: rank for rank, value in enumerate(order)})
    return LineFeatures.learn(name, scale, texts, [(0.0, float(len(order) - 1))])
