"""Ladders: one row per value, from the value itself to the root, every row equally long."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from shoal.exceptions import HierarchyShapeError
from shoal.hierarchies._nodes import Nodes
from shoal.typing import IntArray

DELIMITERS = (";", "\t", ",")  # most likely first: labels such as "[0, 5)" hold commas
_LONGEST_FIELD = 131_072  # characters; past that a quote was never closed
_SAMPLE = 1000  # rows looked at to find the delimiter


def ladder_nodes(rows: Iterable[Sequence[str]], where: str) -> Nodes:
    """Turn ladder rows into nodes; a node is a label on a level, so that labels may repeat.

    >>> ladder_nodes([("a", "A", "*"), ("b", "A", "*")], "the example").parents.tolist()
    [2, 2, 3, -1]
    """
    levels = _levels(rows, where)
    for level in range(len(levels) - 1):
        _check_step(levels, level, where)
    _check_root(levels, where)
    labels = [label for names, _ in levels for label in names]
    parents = np.full(len(labels), -1, dtype=np.int64)
    offset = 0
    for (names, codes), (_, above) in pairwise(levels):
        parents[offset + codes] = offset + len(names) + above
        offset += len(names)
    return Nodes(labels, parents, labels)


class TornStep(NamedTuple):
    """Labels of a level (0: the values) that lead to more than one label of the next."""

    level: int
    labels: int
    values: int


def torn_steps(rows: Iterable[Sequence[str]], where: str) -> list[TornStep]:
    """Count the labels with two parents on each level of a ladder.

    >>> torn_steps([("a", "X", "*"), ("a", "Y", "*"), ("b", "Y", "*")], "the example")
    [TornStep(level=0, labels=1, values=1)]
    """
    levels = _levels(rows, where)
    found = (_torn(levels, level) for level in range(len(levels) - 1))
    return [torn for torn in found if torn.labels]


def _levels(rows: Iterable[Sequence[str]], where: str) -> list[tuple[list[str], IntArray]]:
    return [_number(column) for column in _columns([row for row in rows if len(row)], where)]


def parse_ladder(text: str, where: str, delimiter: str | None = None) -> list[list[str]]:
    """Split the text of a ladder file into rows, by the delimiter given or the likeliest."""
    chosen = delimiter or max(DELIMITERS, key=lambda candidate: _fitness(text, candidate))
    try:
        rows = list(_reader(text, chosen))
        if any(len(field) > _LONGEST_FIELD for row in rows for field in row):
            raise csv.Error
        return rows
    except csv.Error:
        raise HierarchyShapeError(
            f"{where} is not a ladder: a quoted field does not end where it should."
        ) from None


def _reader(text: str, delimiter: str) -> Iterable[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)


def _fitness(text: str, delimiter: str) -> tuple[bool, bool, float]:
    """How much the text looks like a ladder: rows equally long, one root, many fields split."""
    try:
        rows = [row for row in islice(_reader(text, delimiter), _SAMPLE) if row]
    except csv.Error:
        return False, False, 0.0
    split = [row for row in rows if len(row) > 1]
    equal = bool(split) and len({len(row) for row in rows}) == 1
    return equal, len({row[-1] for row in split}) == 1, len(split) / max(len(rows), 1)


def _columns(rows: list[Sequence[str]], where: str) -> list[list[str]]:
    if not rows:
        raise HierarchyShapeError(f"{where} is empty: 0 values.")
    width, _ = Counter(map(len, rows)).most_common(1)[0]
    ragged = [i for i, row in enumerate(rows, start=1) if len(row) != width]
    if ragged:
        raise HierarchyShapeError(
            f"{where} is ragged: {len(ragged)} of {len(rows)} rows do not have {width} fields "
            f"(the first is row {ragged[0]}).",
            hint="Give every value the same number of steps; repeat a label to skip a step.",
        )
    if width < 2:
        hint = "A ladder row reads value;level 1;...;* with a label on every level."
        fault = f"no level above the values ({len(rows)} rows)"
        raise HierarchyShapeError(f"{where} has {fault}.", hint=hint)
    return [[row[i] for row in rows] for i in range(width)]


def _number(column: list[str]) -> tuple[list[str], IntArray]:
    """Labels of a level in order of appearance, and the number of each row's label."""
    seen: dict[str, int] = {}
    codes = (seen.setdefault(label, len(seen)) for label in column)
    numbers = np.fromiter(codes, dtype=np.int64, count=len(column))
    return list(seen), numbers


def _check_step(levels: list[tuple[list[str], IntArray]], level: int, where: str) -> None:
    """Refuse labels of a level that lead to different labels of the next."""
    torn = _torn(levels, level)
    if not torn.labels:
        return
    affected = f"{torn.values} values affected"
    if level == 0:
        fault = "has values with two parents"
    elif len(levels[level + 1][0]) > len(levels[level][0]):
        fault = f"gets finer again from level {level} to level {level + 1}"
    else:
        fault = f"has {torn.labels} labels with two parents on level {level}"
    raise HierarchyShapeError(f"{where} {fault}: {affected}.", hint=ONE_PARENT)


ONE_PARENT = (
    "What is one label on a level must be one label on every level above it: call a town in several"
    " states by both, or let 'shoal hierarchy scaffold FILE COLUMN --above county,state' do so."
)


def _torn(levels: list[tuple[list[str], IntArray]], level: int) -> TornStep:
    """Count the labels of a level that lead to different labels of the next."""
    (names, codes), (_, above) = levels[level], levels[level + 1]
    parent = np.empty(len(names), dtype=np.int64)
    parent[codes] = above
    torn = np.zeros(len(names), dtype=bool)
    torn[codes[parent[codes] != above]] = True
    return TornStep(level, int(torn.sum()), np.unique(levels[0][1][torn[codes]]).size)


def _check_root(levels: list[tuple[list[str], IntArray]], where: str) -> None:
    names, codes = levels[-1]
    if len(names) > 1:
        affected = codes.size - int(np.bincount(codes).max())
        raise HierarchyShapeError(
            f"{where} has {len(names)} roots: {affected} of {codes.size} rows do not end like "
            "the others.",
            hint="Let every row end with the same label, such as *; a ladder has no header.",
        )
