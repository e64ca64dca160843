"""Whether a published text covers an original value, read from the text alone.

This shares no code with recoders: it parses what they print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from decimal import Decimal

import numpy as np
import polars as pl

from shoal.hierarchies import Arrangement, Hierarchy
from shoal.table import Column, Table

STAR = "*"
Covers = Callable[[str, str], bool]


def uncovered_rows(
    table: Table, name: str, published: pl.Series, hierarchy: Hierarchy | None = None
) -> list[int]:
    """Rows whose value does not lie inside what is published for it.

    Parameters
    ----------
    table : Table
        The original.
    name : str
        One of its columns.
    published : polars.Series
        The text published in each row; null is the empty cell.
    hierarchy : Hierarchy, optional
        The tree the column was recoded with.

    Examples
    --------
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"age": [17, 25, 40, None]}))
    >>> uncovered_rows(table, "age", pl.Series(["[17, 25]", "25", "[17, 25]", "*"]))
    [2]
    """
    column = table.column(name)
    covers = _reader(column, hierarchy)
    known: dict[tuple[int, str | None], bool] = {}
    failing = []
    for row, (code, text) in enumerate(zip(column.codes.tolist(), published, strict=True)):
        if (code, text) not in known:
            missing = code == column.missing_code
            known[code, text] = _fits(None if missing else column.labels[code], text, covers)
        if not known[code, text]:
            failing.append(row)
    return failing


def _fits(value: str | None, text: str | None, covers: Covers) -> bool:
    if text == STAR:
        return True
    if value is None or text is None:  # missing stands alone or under a star
        return value is None and text is None
    return value == text or covers(value, text)


def _reader(column: Column, hierarchy: Hierarchy | None) -> Covers:
    if hierarchy is not None:
        return _tree_reader(column, hierarchy.arrange(column.labels))
    if column.kind == "numeric":
        return _number_inside
    if column.kind in ("date", "ordinal"):
        assert column.numbers is not None
        return _order_reader(dict(zip(column.labels, column.numbers.tolist(), strict=True)))
    return _mask_fits if column.kind == "code" else lambda value, text: False


def _number_inside(value: str, text: str) -> bool:
    low, high = next(_ends(text), (text, text))
    return Decimal(low) <= Decimal(value) <= Decimal(high)


def _order_reader(place: Mapping[str, float]) -> Covers:
    def covers(value: str, text: str) -> bool:
        return any(
            place[low] <= place[value] <= place[high]
            if low in place and high in place
            else _days_inside(place[value], low, high)
            for low, high in _ends(text)
        )

    return covers


def _days_inside(value: float, low: str, high: str) -> bool:
    """Whether a moment lies in whole days, as a grid publishes them: from the first to the last."""
    try:
        first, last = (date.fromisoformat(end).toordinal() for end in (low, high))
    except ValueError:
        return False
    return first <= value < last + 1


def _ends(text: str) -> Iterator[tuple[str, str]]:
    """All ways to read ``[low, high]``; more than one if the labels hold commas themselves."""
    if not (text.startswith("[") and text.endswith("]")):
        return
    parts = text[1:-1].split(", ")
    for cut in range(1, len(parts)):
        yield ", ".join(parts[:cut]), ", ".join(parts[cut:])


def _mask_fits(value: str, text: str) -> bool:
    kept = text.rstrip(STAR)
    return len(text) == len(value) and value.startswith(kept) and len(kept) < len(text)


def _tree_reader(column: Column, tree: Arrangement) -> Covers:
    place = dict(zip(column.labels, tree.position.tolist(), strict=True))
    below: dict[str, list[range]] = {}

    def covers(value: str, text: str) -> bool:
        if text not in below:
            below[text] = list(_leaves_below(tree, text))
        return any(place[value] in leaves for leaves in below[text])

    return covers


def _leaves_below(tree: Arrangement, label: str) -> Iterator[range]:
    """Leaf positions under every node of a label: as far as gaps are lower than the node."""
    heights = tree.node_heights[tree.gap_nodes]
    for node in np.flatnonzero(np.array(tree.node_labels, dtype=object) == label).tolist():
        gaps = np.flatnonzero(tree.gap_nodes == node)
        leaves = np.flatnonzero(tree.leaf_nodes == node)
        if gaps.size:
            taller = np.flatnonzero(heights > tree.node_heights[node])
            first = max(taller[taller < gaps[0]], default=-1) + 1
            yield range(first, min(taller[taller > gaps[0]], default=heights.size) + 1)
        elif leaves.size:
            yield range(int(leaves[0]), int(leaves[0]) + 1)
