"""A grouping: who hides with whom, as a partition of the rows of a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.typing import IntArray


@dataclass(frozen=True, eq=False)
class Grouping:
    """A partition of rows; ``labels[row]`` is the row's group, -1 if the row is suppressed.

    Groups are numbered 0, 1, ... without gaps.

    >>> import numpy as np
    >>> grouping = Grouping(np.array([0, 1, 0, 1, 1, -1]))
    >>> grouping.sizes.tolist(), grouping.smallest, grouping.n_suppressed
    ([2, 3], 2, 1)
    >>> grouping.members(1).tolist()
    [1, 3, 4]
    """

    labels: IntArray
    #: Rows of the table, those in no group, and the rows in each group.
    n_rows: int = field(init=False)
    n_suppressed: int = field(init=False)
    sizes: IntArray = field(init=False)
    n_groups: int = field(init=False)
    #: Size of the smallest group; 0 if there is none.
    smallest: int = field(init=False)

    def __post_init__(self) -> None:
        labels = np.ascontiguousarray(self.labels, dtype=np.int64)
        if labels.ndim != 1 or (labels.size and labels.min() < -1):
            raise InvalidParameterError("A grouping needs one label per row, -1 or more.")
        grouped = labels[labels >= 0]
        sizes = np.bincount(grouped)
        if (sizes == 0).any():
            raise InvalidParameterError("Groups must be numbered without gaps.")
        counted = {"labels": labels, "n_rows": labels.size, "sizes": sizes, "n_groups": sizes.size}
        counted["n_suppressed"] = labels.size - grouped.size
        counted["smallest"] = int(sizes.min(initial=labels.size)) if sizes.size else 0
        self.__dict__.update(counted)  # frozen, and counted once

    @classmethod
    def from_keys(cls, keys: list[IntArray], n_rows: int) -> Grouping:
        """Group rows that agree on every key; no keys: one group of all rows."""
        combined = np.zeros(n_rows, dtype=np.int64)
        for key in keys:
            _, key_codes = np.unique(key, return_inverse=True)
            wide = combined * (int(key_codes.max(initial=0)) + 1) + key_codes
            _, combined = np.unique(wide, return_inverse=True)
        return cls(combined)

    @cached_property
    def order(self) -> IntArray:
        """Grouped rows sorted by group: group g is ``order[starts[g]:starts[g + 1]]``."""
        order = np.argsort(self.labels, kind="stable")
        return order[self.n_suppressed :]

    @cached_property
    def starts(self) -> IntArray:
        """Where each group begins in ``order``, with one more entry for the end."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    def members(self, group: int) -> IntArray:
        """Row positions of one group."""
        return self.order[self.starts[group] : self.starts[group + 1]]
