"""Hierarchies that follow from the text of values (none, masks, paths), and which one fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from shoal.hierarchies._base import (
    Arrangement,
    Hierarchy,
    arrange_sorted,
    assemble,
    distinct_labels,
)
from shoal.hierarchies._taxonomy import Taxonomy
from shoal.table import COLUMN_KINDS, Column

_SEPARATORS = (" > ", "/", "::", "|", "\\")


def infer_hierarchy(column: Column) -> Hierarchy | None:
    """Propose a hierarchy for a column; None where intervals serve (numbers, dates, ordinals).

    Codes are masked. Names written as paths, such as ``Europe/Austria/Graz``, get the tree they
    spell out; all others the flat one.
    """
    kind = COLUMN_KINDS[column.kind]
    if kind.ordered:
        return None
    if kind.prefixed:
        return Mask()
    for separator in _SEPARATORS:  # all labels must be paths, and tops at least halve their number
        paths = [label.split(separator) for label in column.labels]
        tops = {path[0] for path in paths}
        split = all(len(path) > 1 and all(path) and "*" not in path for path in paths)
        if split and 2 <= len(tops) <= len(paths) / 2:
            return Taxonomy.from_parents(_parents(paths, separator))
    return Flat()


def _parents(paths: list[list[str]], separator: str) -> dict[str, str | None]:
    """Hang ``a/b/c`` below ``a/b/*`` below ``a/*`` below ``*``."""
    parents: dict[str, str | None] = {}
    for path in paths:
        child = separator.join(path)
        for depth in range(len(path) - 1, 0, -1):
            parent = separator.join([*path[:depth], "*"])
            parents[child] = parent
            child = parent
        parents[child] = "*"
    return parents


@dataclass(frozen=True)
class Flat(Hierarchy):
    """A tree of height 1: every value stands directly below ``*``.

    >>> flat = Flat().arrange(["b", "a", "c"])
    >>> flat.node_labels, flat.height
    (('a', 'b', 'c', '*'), 1)
    """

    def arrange(self, labels: Sequence[str], *, column: str | None = None) -> Arrangement:
        """Arrange the values by their text."""
        labels = distinct_labels(labels, column)
        order = sorted(range(len(labels)), key=labels.__getitem__)
        return assemble(
            [labels[i] for i in order],
            np.array(order, dtype=np.int64),
            gap_inner=np.zeros(max(len(labels) - 1, 0), dtype=np.int64),
            inner_labels=["*"],
            inner_heights=np.ones(1, dtype=np.int64),
        )


@dataclass(frozen=True)
class Mask(Hierarchy):
    """Codes masked from the right: ``8010``, ``801*``, ``80**``, ``8***``, ``*``.

    A mask keeps the length of the code, so codes of different lengths have only ``*`` in common.
    The tree is as high as the longest code of the column.

    >>> codes = Mask().arrange(["8010", "8011", "8045", "9020", "801"])
    >>> codes.height, codes.node_labels[codes.n_leaves:]
    (4, ('801*', '80**', '*'))
    """

    def arrange(self, labels: Sequence[str], *, column: str | None = None) -> Arrangement:
        """Arrange the codes by length, then by text."""
        labels = distinct_labels(labels, column)
        lengths = np.fromiter(map(len, labels), dtype=np.int64, count=len(labels))
        height = max(int(lengths.max(initial=0)), 1)
        order = np.argsort(lengths, kind="stable")
        gap_heights = np.full(max(order.size - 1, 0), height, dtype=np.int64)
        starts = np.flatnonzero(np.diff(lengths[order], prepend=-1)).tolist()
        for start, end in pairwise([*starts, order.size]):  # codes of one length
            length = int(lengths[order[start]])
            codes = [labels[i] for i in order[start:end].tolist()]
            text = np.array(codes, dtype=f"U{max(length, 1)}")
            block = np.argsort(text, kind="stable")
            order[start:end] = order[start:end][block]
            letters = text[block].view(np.uint32).reshape(block.size, -1)
            common = np.argmin(letters[1:] == letters[:-1], axis=1)  # the first that differs
            masked = length - common  # letters, before each is like the next
            gap_heights[start : end - 1] = np.where(masked < length, masked, height)

        def name(masked: int, leaf: int) -> str:
            code = labels[int(order[leaf])]
            return code[: len(code) - masked] + "*" * masked

        return arrange_sorted(labels, order, gap_heights, height=height, name=name, grows=True)
