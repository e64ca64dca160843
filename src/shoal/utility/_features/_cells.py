"""Cells: the leaves of a tree, or the branches they are pooled in when there are too many."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from shoal.hierarchies import Taxonomy
from shoal.typing import FloatArray, IntArray

OTHER = "other"


@dataclass(frozen=True, eq=False)
class CellTexts:
    """A division of the leaves of a tree, each cell one feature.

    Cells are runs of leaves in depth-first order; only the pool of all other branches may
    have several: run i holds leaves ``starts[i]`` to ``ends[i] - 1`` and belongs to ``cell[i]``.
    """

    labels: tuple[str, ...]
    starts: IntArray
    ends: IntArray
    cell: IntArray

    def count(self, first: IntArray, last: IntArray) -> FloatArray:
        """Count the leaves of each cell among the leaves ``first`` to ``last``, both included."""
        overlap = np.minimum(last[:, None] + 1, self.ends) - np.maximum(first[:, None], self.starts)
        member = (self.cell[:, None] == np.arange(len(self.labels))).astype(np.float64)
        counts: FloatArray = np.maximum(overlap, 0) @ member
        return counts


def choose_cells(
    tree: Taxonomy, extents: tuple[IntArray, IntArray], rows: FloatArray, most: int
) -> CellTexts:
    """Divide a tree into at most ``most`` cells, finest where most rows are.

    Starting at the root, the branch with the most rows is replaced by its children as long as
    they fit. A root with more children than that keeps those with most rows and pools the rest.

    Parameters
    ----------
    tree : Taxonomy
        The tree.
    extents : two arrays
        First and last leaf below each node.
    rows : FloatArray
        Rows below each node.
    most : int
        Largest number of cells.
    """
    first = extents[0]
    top = tree.layout.children_of(tree.layout.root)
    ranked = sorted(top, key=lambda node: (-rows[node], first[node]))
    pooled = ranked[most - 1 :] if len(top) > most else []
    cells = ranked[: len(top) - len(pooled)]
    cells = sorted(_split(tree, cells, rows, most - bool(pooled)), key=lambda node: first[node])
    runs = [*cells, *pooled]
    number = np.minimum(np.arange(len(runs)), len(cells))
    labels = [tree.values[n] if tree.layout.heights[n] == 0 else tree.labels[n] for n in cells]
    return CellTexts(
        labels=tuple([*labels, OTHER] if pooled else labels),
        starts=first[runs],
        ends=extents[1][runs] + 1,
        cell=number,
    )


def _split(tree: Taxonomy, cells: list[int], rows: FloatArray, most: int) -> list[int]:
    """Replace cells by their children, the largest first, as long as they fit."""
    waiting = [(-rows[node], i, node) for i, node in enumerate(cells)]
    heapify(waiting)
    done: list[int] = []
    n_cells, born = len(cells), len(cells)
    while waiting:
        *_, node = heappop(waiting)
        children = tree.layout.children_of(node)
        if not children or n_cells - 1 + len(children) > most:
            done.append(node)
            continue
        n_cells += len(children) - 1
        for child in children:
            heappush(waiting, (-rows[child], born, child))
            born += 1
    return done
