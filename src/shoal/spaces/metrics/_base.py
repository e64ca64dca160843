"""An attribute as a metric space (Miche et al., 2016, section 3): a pluggable distance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.hierarchies import Arrangement
from shoal.spaces._base import Space
from shoal.spaces._spans import TreeSpace
from shoal.table import Column, Table
from shoal.typing import FloatArray, IntArray


@dataclass(frozen=True)
class Metric(ABC):
    """A distance between the values of a column; every metric is a frozen value.

    Distances are never negative, symmetric, and zero between equals. A missing value is as far
    from every other as the two values that lie furthest apart.
    """

    triangle: ClassVar[bool] = True  # d(a, c) <= d(a, b) + d(b, c); an exception says why not

    @abstractmethod
    def measure(self, column: Column, table: Table) -> Measured:
        """Measure the values of a column; ``table`` is there for metrics that learn from it."""


@dataclass(frozen=True, eq=False)
class Measured:
    """The values of one column with their distances.

    Attributes
    ----------
    space : Space
        The column coded so that a span of codes has a diameter that never falls as it widens.
    reach : float
        The largest distance between two values, in the unit of the metric: what shares are of.
    on_line : bool
        Whether the values lie on a line, in the order of their codes.
    exact : float array or None
        Distances of all pairs of codes as shares of ``reach``; None where the diameter of the
        span between two codes is their distance (lines, heights in a tree).
    column_codes : IntArray
        The code in the table's column of each code of ``space``.
    """

    space: Space
    reach: float
    on_line: bool
    exact: FloatArray | None
    column_codes: IntArray

    @property
    def name(self) -> str:
        """The column."""
        return self.space.name

    def shares(self, a: IntArray, b: IntArray) -> FloatArray:
        """Distance between codes as a share of the largest there is."""
        a, b = np.broadcast_arrays(a, b)
        if self.exact is not None:
            return np.asarray(self.exact[a, b], dtype=np.float64)
        lo, hi = np.minimum(a, b).ravel(), np.maximum(a, b).ravel()
        return self.space.loss(lo, hi).reshape(a.shape)

    def between(self, a: IntArray, b: IntArray) -> FloatArray:
        """Distance between codes in the unit of the metric."""
        return self.shares(a, b) * self.reach

    def radius_share(self, radius: float) -> float:
        """A radius in the unit of the metric as a share of the largest distance."""
        return radius / self.reach if self.reach > 0 else radius


def from_tree(column: Column, tree: Arrangement) -> Measured:
    """Measure a column by the heights of a tree."""
    positions = np.append(tree.position, len(column.labels)).astype(np.int64)
    space = TreeSpace(
        name=column.name,
        codes=positions[column.codes].astype(np.int32),
        n_codes=column.n_codes,
        missing=column.missing,
        limit=None,
        tree=tree,
    )
    back = positions_of(positions)[: column.n_codes]
    return Measured(space, float(tree.height), False, None, back)


def positions_of(space_codes: IntArray) -> IntArray:
    """Turn where each column code went into which column code stands where.

    >>> positions_of(np.array([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    back = np.empty(space_codes.size, dtype=np.int64)
    back[space_codes] = np.arange(space_codes.size)
    return back
