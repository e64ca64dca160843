"""Stand-ins: values that publish a box again as it was.

Of an earlier release only the boxes are known, never the people in them. ``[17, 25]`` is what a
crowd of a 17 and a 25 would publish, a label what the first and last value below it would, ``*``
what any value beside a missing one would. So the earlier crowds go through the same spaces and
the same recoder as the newcomers, and whether they come out word for word is checked afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import TypeAlias

import numpy as np

from shoal.exceptions import HierarchyError
from shoal.hierarchies import Calendar, Hierarchy, Intervals, Mask, Taxonomy, infer_hierarchy
from shoal.recoding import SUPPRESSED
from shoal.table import Column, span_of
from shoal.utility import DateScale, split_interval

StandIn: TypeAlias = tuple[str | None, ...]


def stand_ins(
    texts: Sequence[str | None], column: Column, tree: Hierarchy | None
) -> list[StandIn | None]:
    """Find for each published text the values that publish it; None where there are none.

    Parameters
    ----------
    texts : sequence of str or None
        Distinct texts of an earlier release.
    column : Column
        The column as it is now, for values that are still there.
    tree : Hierarchy, optional
        The hierarchy of the column; found from it if not given.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"age": ["30"], "zip": ["8010"]}), kinds={"zip": "code"})
    >>> stand_ins(["[17, 25]", "*", None], table.column("age"), None)
    [('17', '25'), ('30', None), (None,)]
    >>> stand_ins(["80**", "1010"], table.column("zip"), None)
    [('8000', '8011'), ('1010',)]
    """
    tree = tree or infer_hierarchy(column)
    told = [text for text in texts if text is not None and text != SUPPRESSED]
    known = _on_a_line(told, column) if tree is None else _in_a_tree(told, column, tree)
    anybody = next(iter([*column.labels, *(values[0] for values in known.values())]), None)
    star: StandIn | None = None if anybody is None else (anybody, None)
    whole = {None: (None,), SUPPRESSED: star, **known}
    return [whole.get(text) for text in texts]


def _on_a_line(texts: Sequence[str], column: Column) -> dict[str | None, StandIn]:
    """Both ends of an interval; a value stands for itself."""
    labels = {*column.labels}
    found: dict[str | None, StandIn] = {}
    for text in texts:
        ends = span_of(text, list(column.labels)) if column.kind == "ordinal" else None
        splits = list(split_interval(text)) if text not in labels else []
        known = [pair for pair in splits if {*pair} <= labels] or splits
        found[text] = (text,) if text in labels or not (ends or known) else (ends or known[0])
    return found


def _in_a_tree(texts: Sequence[str], column: Column, tree: Hierarchy) -> dict[str | None, StandIn]:
    """First and last value below a label, among those that are there and those it must have."""
    pool = list(dict.fromkeys([*column.labels, *_made_up(texts, column, tree)]))
    arranged = tree.arrange(pool, column=column.name)
    first, last = arranged.extents
    at = np.argsort(arranged.position)
    found: dict[str | None, StandIn] = {}
    for node, label in enumerate(arranged.node_labels):  # leaves first: a wider one goes over it
        ends = int(at[first[node]]), int(at[last[node]])
        found[label] = tuple(dict.fromkeys(pool[end] for end in ends))
    return {text: found[text] for text in texts if text in found}


def _made_up(texts: Sequence[str], column: Column, tree: Hierarchy) -> Iterator[str]:
    """Values that the tree must hold if it published these texts."""
    if isinstance(tree, Taxonomy):
        yield from (tree.values[leaf] for leaf in tree.layout.leaves.tolist())
        return
    for text in texts:
        yield from (value for value in _below(text, tree) if _fits(value, tree, column))


def _below(text: str, tree: Hierarchy) -> Iterator[str]:
    """Two values that have a label in common, or the text itself where it may be a value."""
    if isinstance(tree, Mask) and text.endswith("*"):
        bare = text.rstrip("*")
        yield from (bare + digit * (len(text) - len(bare)) for digit in "01")
    elif isinstance(tree, Intervals) and text[-1:] in ")]" and text[:1] == "[":
        for low, high in split_interval(text):
            end = Decimal(high)
            yield from (low, str(end if text[-1] == "]" else end - _step(low, high)))
    elif isinstance(tree, Calendar) and (span := DateScale().read(text)) is not None:
        yield from (date.fromordinal(_EPOCH + int(end)).isoformat() for end in span)
    else:
        yield text


_EPOCH = date(1970, 1, 1).toordinal()


def _step(low: str, high: str) -> Decimal:
    """A unit of the finest digit that an interval is written in, and one digit more."""
    digits = [Decimal(text).as_tuple().exponent for text in (low, high)]
    return Decimal(1).scaleb(min(int(digit) for digit in digits) - 1)


def _fits(value: str, tree: Hierarchy, column: Column) -> bool:
    try:
        tree.arrange([value], column=column.name)
    except HierarchyError:
        return False
    return True
