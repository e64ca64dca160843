"""Ladders built from the data: values stand together whose people, or whose spelling, are alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.table import MISSING_NAMES, Column, Table
from shoal.typing import FloatArray, IntArray

MOST_VALUES = 2_000
MOST_TRAITS = 20  # of a column without order
SHRINK = 3  # each step up has about a third of the nodes below it


def similarity_rows(table: Table, column: str) -> list[tuple[str, ...]]:
    """Write a ladder of values whose people are alike.

    Each value is described by its people: their average in the other quasi-identifiers and in the
    target (shares, where those have no order). Values are then joined by Ward's method, and the
    tree is cut into a few steps.

    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"age": [20, 21, 60, 61] * 9, "job": ["a", "b", "c", "d"] * 9})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers=["age", "job"]))
    >>> for row in similarity_rows(table, "job"):
    ...     print(*row, sep="; ")
    a; a | b; *
    b; a | b; *
    c; c | d; *
    d; c | d; *
    """
    labels = _checked_labels(table, column)
    return _ladder_rows(labels, _profiles(table, column))


def spelling_rows(table: Table, column: str) -> list[tuple[str, ...]]:
    """Write a ladder of values that are spelled alike: by the letters they have in common.

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> jobs = ["night nurse", "Nurse", "day nurse", "carpenter", "Carpenters", "baker", "bakery"]
    >>> for row in spelling_rows(read_table(pl.DataFrame({"job": jobs})), "job"):
    ...     print(*row, sep="; ")
    Carpenters; Carpenters | carpenter; *
    Nurse; Nurse | day nurse | night nurse; *
    baker; baker | bakery; *
    bakery; baker | bakery; *
    carpenter; Carpenters | carpenter; *
    day nurse; Nurse | day nurse | night nurse; *
    night nurse; Nurse | day nurse | night nurse; *
    """
    from sklearn.feature_extraction.text import HashingVectorizer

    labels = _checked_labels(table, column)
    letters = HashingVectorizer(
        analyzer="char_wb", ngram_range=(2, 3), strip_accents="unicode", n_features=512
    )
    return _ladder_rows(labels, letters.transform(labels).toarray())


def _checked_labels(table: Table, column: str) -> tuple[str, ...]:
    labels = table.column(column).labels
    if not 3 <= len(labels) <= MOST_VALUES:
        raise InvalidParameterError(
            f"A ladder is built for 3 to {MOST_VALUES:,} values; {column!r} has {len(labels):,}."
        )
    return labels


def _ladder_rows(labels: tuple[str, ...], profiles: FloatArray) -> list[tuple[str, ...]]:
    """Join what is alike; a word for missing is like nothing and stands alone below the root.

    >>> for row in _ladder_rows(("a", "b", "c", "d", "n/a"), np.array([[1.0], [1], [9], [9], [9]])):
    ...     print(*row, sep="; ")
    a; a | b; *
    b; a | b; *
    c; c | d; *
    d; c | d; *
    n/a; n/a; *
    """
    said = [label.strip().lower() not in MISSING_NAMES for label in labels]
    joined = tuple(label for label, known in zip(labels, said, strict=True) if known)
    names = [_names(joined, step) for step in _steps(profiles[said], len(joined))]
    above = {label: tuple(name[i] for name in names) for i, label in enumerate(joined)}
    return [(label, *above.get(label, (label,) * len(names)), "*") for label in labels]


def _profiles(table: Table, column: str) -> FloatArray:
    """Describe each value by the people who have it, one row per value."""
    codes = table.codes(column)
    n = len(table.column(column).labels)
    kept = codes < n
    counts = np.maximum(np.bincount(codes[kept], minlength=n), 1)
    others = [c for c in (*table.roles.quasi_identifiers, table.roles.target) if c and c != column]
    traits = [trait for other in others for trait in _traits(table.column(other))]
    means = [np.bincount(codes[kept], weights=t[kept], minlength=n) / counts for t in traits]
    return np.column_stack([np.zeros(n), *means])


def _traits(column: Column) -> Iterator[FloatArray]:
    """Turn a column into numbers of one scale: itself if it has an order, else one per value."""
    if column.numbers is not None:
        values = np.append(column.numbers, np.nanmean(column.numbers))[column.codes]
        yield (values - values.mean()) / (values.std() or 1.0)
        return
    frequent = np.argsort(-np.bincount(column.codes), kind="stable")[:MOST_TRAITS]
    for code in frequent.tolist():
        has = (column.codes == code).astype(np.float64)
        yield has / (has.std() or 1.0)


def _steps(profiles: FloatArray, n: int) -> list[IntArray]:
    """Cut the tree at ever fewer nodes; each step is coarser than the one before."""
    from scipy.cluster.hierarchy import cut_tree, linkage

    sizes = []
    while (n := -(-n // SHRINK)) > 1:
        sizes.append(n)
    if not sizes:
        return []
    joined = linkage(profiles, method="ward")
    return [cut_tree(joined, size)[:, 0].astype(np.int64) for size in sizes]


def _names(labels: tuple[str, ...], step: IntArray) -> list[str]:
    """Name the nodes of a step after their first values."""
    members: dict[int, list[str]] = {}
    for label, node in zip(labels, step.tolist(), strict=True):
        members.setdefault(node, []).append(label)
    return [name_of(members[node]) for node in step.tolist()]


def name_of(values: list[str]) -> str:
    """Name a node.

    >>> name_of(["a", "b"]), name_of(["a", "b", "c", "d"])
    ('a | b', 'a | b | +2')
    """
    shown = values[:2] if len(values) > 3 else values
    rest = [f"+{len(values) - 2}"] if len(values) > 3 else []
    return " | ".join([*shown, *rest])
