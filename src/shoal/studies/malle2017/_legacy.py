"""SaNGreeA as the original code had it, each defect a switch (Malle et al., 2017).

The published JavaScript is reproduced byte for byte, to show what it did; it is no grouper to
hide anybody with, and lives in this study only. It adds in the order the original adds, because
rows whose costs tie are told apart by the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.studies._census._people import CATEGORIES, INPUT_ROWS, NUMBERS, first_rows
from shoal.studies.malle2017._trees import PaperTree, legacy_tree
from shoal.typing import FloatArray, IntArray


@dataclass(frozen=True)
class Defects:
    """What the original code does differently from the formula it prints.

    Attributes
    ----------
    weights_added : bool
        The weight of a number is added to its cost: a constant, so that it steers nothing.
    minimum_kept : bool
        The lower end of an interval stays where the group began.
    blocks_averaged : bool
        Numbers and categories are averaged apart, which lets a number count for more.
    remainder_kept : bool
        What is left at the end is a group of its own, however small.
    """

    weights_added: bool = True
    minimum_kept: bool = True
    blocks_averaged: bool = True
    remainder_kept: bool = True


AS_SHIPPED = Defects()
AS_PRINTED = Defects(
    weights_added=False, minimum_kept=False, blocks_averaged=False, remainder_kept=False
)


@dataclass(frozen=True, eq=False)
class LegacyGroups:
    """Who is in which group, and what the group publishes.

    ``low`` and ``high`` are the ends of the intervals, ``nodes`` the keys of the tree nodes, a row
    for each group.
    """

    labels: IntArray
    low: FloatArray
    high: FloatArray
    nodes: Sequence[Sequence[str]]
    numbers: tuple[str, ...]
    categories: tuple[str, ...]

    def published(self, rows: pl.DataFrame, target: str) -> pl.DataFrame:
        """Rows as the original code writes them: group by group, midpoints for intervals."""
        order = np.argsort(self.labels, kind="stable")
        of_row = self.labels[order]
        middle = (self.low + self.high) / 2
        columns: dict[str, list[str]] = {}
        for j, name in enumerate(self.numbers):
            columns[name] = [_as_javascript(middle[g, j]) for g in of_row]
        for j, name in enumerate(self.categories):
            words = [tree_name(name, keys[j]) for keys in self.nodes]
            columns[name] = [words[g] for g in of_row]
        columns[target] = rows[target].cast(pl.String).gather(order).to_list()
        return pl.DataFrame(columns)

    def rows_outside(self, rows: pl.DataFrame) -> IntArray:
        """Find rows with a number that lies outside the interval their group publishes."""
        values = _values(rows, self.numbers)
        outside = (values < self.low[self.labels]) | (values > self.high[self.labels])
        return np.flatnonzero(outside.any(axis=1))


def legacy_groups(
    rows: pl.DataFrame,
    target: str,
    weights: Mapping[str, float],
    k: int,
    defects: Defects = AS_SHIPPED,
) -> LegacyGroups:
    """Group rows in file order as the original does, with the defects asked for.

    A group starts at the first free row and takes the cheapest free row after it until it has k.
    Costs are normalized by the ranges of the 5,000-row input file, whatever rows are grouped.
    """
    growth = _Growth(rows, target, weights, defects)
    labels = np.full(rows.height, -1, dtype=np.int64)
    free = np.arange(rows.height)
    groups: list[_Group] = []
    while free.size and (defects.remainder_kept or free.size >= k):
        group = growth.start(int(free[0]))
        members, free = [int(free[0])], free[1:]
        while len(members) < k and free.size:
            best = int(np.argmin(growth.costs(group, free)))  # the first of those that tie
            group = growth.join(group, int(free[best]))
            members.append(int(free[best]))
            free = np.delete(free, best)
        labels[members] = len(groups)
        groups.append(group)
    for row in free:  # dispersed: each joins the group where it costs least
        best = int(np.argmin([growth.costs(group, np.array([row]))[0] for group in groups]))
        groups[best] = growth.join(groups[best], int(row))
        labels[row] = best
    return growth.finish(labels, groups)


def legacy_csv(published: pl.DataFrame) -> bytes:
    """Write a frame as the original code does."""
    lines = [", ".join(published.columns), *(", ".join(row) for row in published.iter_rows())]
    return ("\n".join(lines) + "\n").encode()


def tree_name(column: str, key: str) -> str:
    """Name what a node of a column's tree publishes."""
    return legacy_tree(column).names[key]


@dataclass(frozen=True, eq=False)
class _Group:
    """What a group would publish: interval ends, and a node of each tree."""

    low: FloatArray
    high: FloatArray
    nodes: tuple[int, ...]


class _Growth:
    """Costs of joining a group, for all free rows at once."""

    def __init__(
        self, rows: pl.DataFrame, target: str, weights: Mapping[str, float], defects: Defects
    ) -> None:
        self.numbers = tuple(name for name in NUMBERS if name != target)
        self.categories = tuple(name for name in CATEGORIES if name != target)
        self.defects = defects
        self.values = _values(rows, self.numbers)
        whole = _values(first_rows(INPUT_ROWS), self.numbers)
        self.range = whole.max(axis=0) - whole.min(axis=0)
        self.trees: list[PaperTree] = [legacy_tree(name) for name in self.categories]
        self.leaves = [
            tree.codes(rows[name].to_list())
            for tree, name in zip(self.trees, self.categories, strict=True)
        ]
        self.number_weights = [weights[name] for name in self.numbers]
        self.tree_weights = [weights[name] for name in self.categories]

    def start(self, row: int) -> _Group:
        """Begin a group with one row."""
        nodes = tuple(int(codes[row]) for codes in self.leaves)
        return _Group(self.values[row], self.values[row], nodes)

    def join(self, group: _Group, row: int) -> _Group:
        """Widen a group by a row; as shipped, its lower ends stay."""
        values = self.values[row]
        low = group.low if self.defects.minimum_kept else np.minimum(group.low, values)
        pairs = zip(self.trees, group.nodes, self.leaves, strict=True)
        nodes = tuple(int(tree.joined[node, codes[row]]) for tree, node, codes in pairs)
        return _Group(low, np.maximum(group.high, values), nodes)

    def costs(self, group: _Group, rows: IntArray) -> FloatArray:
        """Cost of joining, for each row: categories first, then numbers."""
        of_trees = self._tree_costs(group, rows)
        of_numbers = self._number_costs(group, rows)
        if self.defects.blocks_averaged:
            return of_trees / len(self.trees) + of_numbers / len(self.numbers)
        return of_trees + of_numbers

    def finish(self, labels: IntArray, groups: list[_Group]) -> LegacyGroups:
        """Write the groups down."""
        return LegacyGroups(
            labels=labels,
            low=np.array([group.low for group in groups]),
            high=np.array([group.high for group in groups]),
            nodes=[
                [tree.keys[node] for tree, node in zip(self.trees, group.nodes, strict=True)]
                for group in groups
            ],
            numbers=self.numbers,
            categories=self.categories,
        )

    def _tree_costs(self, group: _Group, rows: IntArray) -> FloatArray:
        costs = np.zeros(rows.size)
        for tree, node, codes, weight in zip(
            self.trees, group.nodes, self.leaves, self.tree_weights, strict=True
        ):
            of_leaf = weight * tree.share[tree.joined[node]]
            costs += of_leaf[codes[rows]]
        return costs

    def _number_costs(self, group: _Group, rows: IntArray) -> FloatArray:
        costs = np.zeros(rows.size)
        for j, weight in enumerate(self.number_weights):
            values = self.values[rows, j]
            width = np.maximum(group.high[j], values) - np.minimum(group.low[j], values)
            share = width / self.range[j]
            costs += weight + share if self.defects.weights_added else weight * share
        return costs


def _values(rows: pl.DataFrame, numbers: Sequence[str]) -> FloatArray:
    return rows.select(numbers).to_numpy().astype(np.float64)


def _as_javascript(number: float) -> str:
    """Write a number as JavaScript does.

    >>> _as_javascript(41.0), _as_javascript(52.5)
    ('41', '52.5')
    """
    return str(int(number)) if number == int(number) else repr(float(number))
