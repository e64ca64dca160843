"""The default for names without a hierarchy: a value, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.hierarchies._arrangement import Arrangement, assemble
from shoal.hierarchies._base import Hierarchy, distinct_labels


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
