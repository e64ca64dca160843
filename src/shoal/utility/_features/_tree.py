"""Categories and codes: what is published is a distribution over the leaves of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.hierarchies import Taxonomy
from shoal.hierarchies.ready import ReadyLadder
from shoal.typing import BoolArray, FloatArray, IntArray
from shoal.utility._features._base import Features, is_star
from shoal.utility._features._cells import CellTexts, choose_cells
from shoal.utility._features._codes import mask_more


@dataclass(frozen=True, eq=False)
class TreeFeatures(Features):
    """The share of each leaf below what is published, all leaves below it alike; a missing flag.

    A leaf is 1 in its own feature. A text the tree does not know is the same as ``*``, all leaves
    alike; but of a code (``masked``) more and more is masked until the tree knows it, and a value
    of a ready ladder is the first of its steps that the tree knows.

    >>> pets = Taxonomy.from_parents({"cat": "furry", "dog": "furry", "furry": "*", "newt": "*"})
    >>> pet = TreeFeatures.learn("pet", pets, ["cat"], np.array([1]), most=64)
    >>> pet.names
    ('pet=cat', 'pet=dog', 'pet=newt', 'pet (missing)')
    >>> pet.encode(["furry", "newt"])[0].tolist()
    [[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    """

    name: str
    cells: CellTexts
    spans: dict[str, list[tuple[int, int]]]
    n_leaves: int
    masked: bool = False
    ladder: ReadyLadder | None = None

    @classmethod
    def learn(
        cls,
        name: str,
        tree: Taxonomy,
        texts: Sequence[str],
        counts: IntArray,
        *,
        most: int,
        masked: bool = False,
        ladder: ReadyLadder | None = None,
    ) -> TreeFeatures:
        """Learn which leaves deserve a feature of their own from how often each text occurs."""
        first, last = leaf_extents(tree)
        spans = published_spans(tree, first, last)
        rows = _rows_below(texts, counts, spans, first, last)
        cells = choose_cells(tree, (first, last), rows, most)
        return cls(name, cells, spans, tree.n_leaves, masked, ladder)

    @property
    def names(self) -> tuple[str, ...]:
        """One name per cell, and the flag."""
        return (*(f"{self.name}={label}" for label in self.cells.labels), f"{self.name} (missing)")

    def encode(self, texts: Sequence[str]) -> tuple[FloatArray, BoolArray]:
        """Spread each text over the cells."""
        everything = [(0, self.n_leaves - 1)]
        found = [self.find(text) for text in texts]
        pieces = [(i, *span) for i, spans in enumerate(found) for span in (spans or everything)]
        owner, first, last = np.array(pieces, dtype=np.int64).reshape(-1, 3).T
        rows = np.zeros((len(texts) + 1, len(self.names)), dtype=np.float64)
        np.add.at(rows[:, :-1], owner, self.cells.count(first, last))
        rows[:-1] /= rows[:-1].sum(axis=1, keepdims=True)
        rows[-1, -1] = 1.0
        unseen = [
            spans is None and not is_star(text) for spans, text in zip(found, texts, strict=True)
        ]
        return rows, np.array(unseen, dtype=np.bool_)

    def draw(self, texts: Sequence[str], codes: IntArray, rng: np.random.Generator) -> FloatArray:
        """Draw one cell for each row, by the shares of what it says."""
        shares, _ = self.encode(texts)
        rows = np.zeros((codes.size, len(self.names)), dtype=np.float64)
        up_to = np.cumsum(shares[:, :-1], axis=1)[codes]
        cell = (up_to <= rng.random(codes.size)[:, None]).sum(axis=1)
        rows[np.arange(codes.size), np.minimum(cell, len(self.names) - 2)] = 1.0
        rows[codes == len(texts)] = shares[-1]
        return rows

    def find(self, text: str) -> list[tuple[int, int]] | None:
        """Find the leaves a text may stand for, as first and last; None if it is not known."""
        known: str | None = text
        if self.ladder is not None and text not in self.spans:
            steps = self.ladder.climb(text) or ()
            known = next((label for label in steps if label in self.spans), None)
        while known is not None and known not in self.spans:
            known = mask_more(known) if self.masked else None
        return None if known is None else self.spans[known]


def leaf_extents(tree: Taxonomy) -> tuple[IntArray, IntArray]:
    """First and last leaf below each node, leaves numbered depth first.

    >>> tree = Taxonomy.from_parents({"a": "A", "b": "A", "A": "*", "c": "*"})
    >>> [ends.tolist() for ends in leaf_extents(tree)]
    [[0, 1, 0, 2, 0], [0, 1, 1, 2, 2]]
    """
    first = np.full(len(tree.labels), tree.n_leaves, dtype=np.int64)
    last = np.full(len(tree.labels), -1, dtype=np.int64)
    node, leaf = tree.layout.leaves, np.arange(tree.n_leaves)
    while node.size:
        np.minimum.at(first, node, leaf)
        np.maximum.at(last, node, leaf)
        above = tree.parents[node]
        node, leaf = above[above >= 0], leaf[above >= 0]
    return first, last


def published_spans(
    tree: Taxonomy, first: IntArray, last: IntArray
) -> dict[str, list[tuple[int, int]]]:
    """Leaves each text may stand for: a value is its leaf, a label all nodes that bear it."""
    spans: dict[str, list[tuple[int, int]]] = {}
    widest_first = np.argsort(first - last, kind="stable").tolist()
    for node in widest_first:
        begin, end = int(first[node]), int(last[node])
        known = spans.setdefault(tree.labels[node], [])
        if not any(a <= begin and end <= b for a, b in known):
            known.append((begin, end))
    values = {tree.values[node]: [(i, i)] for i, node in enumerate(tree.layout.leaves.tolist())}
    return {**spans, **values}


def _rows_below(
    texts: Sequence[str],
    counts: IntArray,
    spans: dict[str, list[tuple[int, int]]],
    first: IntArray,
    last: IntArray,
) -> FloatArray:
    """Rows below each node, if every text is spread evenly over the leaves it may stand for."""
    steps = np.zeros(int(last.max()) + 2, dtype=np.float64)
    for text, count in zip(texts, counts.tolist(), strict=True):
        pieces = spans.get(text, [])
        size = sum(end - begin + 1 for begin, end in pieces)
        for begin, end in pieces:
            steps[begin] += count / size
            steps[end + 1] -= count / size
    up_to = np.concatenate([[0.0], np.cumsum(np.cumsum(steps[:-1]))])
    rows: FloatArray = up_to[last + 1] - up_to[first]
    return rows
