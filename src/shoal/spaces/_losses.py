"""What publishing a node of a tree loses: by height, by the values or by the people it covers."""

from __future__ import annotations

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Arrangement
from shoal.typing import FloatArray, IntArray

LOSSES = ("height", "leaves", "people")


def check_loss(loss: str) -> None:
    """Refuse a loss that there is not."""
    if loss not in LOSSES:
        raise InvalidParameterError(
            f"There is no loss {loss!r}.", hint=f"Choose from {', '.join(LOSSES)}."
        )


def node_losses(tree: Arrangement, loss: str, codes: IntArray) -> FloatArray:
    """Measure every node of a tree.

    ``leaves`` is the share of the column's distinct values below the node: the normalized
    certainty penalty of names (Xu et al., "Utility-based anonymization using local recoding",
    KDD 2006). ``people`` is the share of its rows that have one of these values. A single value
    loses nothing, the root everything, and no node less than one below it.

    Parameters
    ----------
    tree : Arrangement
        The values of the column.
    loss : {"leaves", "people"}
        What to count.
    codes : IntArray
        Leaf position of each row; larger ones are missing.

    Examples
    --------
    >>> from shoal.hierarchies import Calendar
    >>> days = Calendar().arrange(["2020-03-02", "2020-03-17", "2020-05-01", "2021-05-05"])
    >>> days.node_labels[4:]
    ('2020-03', '2020', '2020s', '*')
    >>> node_losses(days, "leaves", np.array([0, 0, 0, 1, 2, 3]))[4:].tolist()
    [0.5, 0.75, 1.0, 1.0]
    >>> node_losses(days, "people", np.array([0, 0, 0, 0, 1, 2, 2, 3]))[4:].tolist()
    [0.625, 0.875, 1.0, 1.0]
    """
    n = tree.n_leaves
    weights = np.bincount(codes[codes < n], minlength=n) if loss == "people" else np.ones(n)
    before = np.concatenate([[0.0], np.cumsum(weights)])
    values = np.zeros(len(tree.node_labels))
    gap_heights = tree.node_heights[tree.gap_nodes]
    for height in np.unique(gap_heights).tolist():
        # The values below a node lie between the nearest gaps that are higher than it.
        walls = np.flatnonzero(gap_heights > height)
        here = np.flatnonzero(gap_heights == height)
        block = np.searchsorted(walls, here)
        first = np.concatenate([[0], walls + 1])[block]
        last = np.append(walls, n - 1)[block]
        values[tree.gap_nodes[here]] = before[last + 1] - before[first]
    values /= max(before[-1], 1.0)
    values[tree.root] = 1.0
    return values
