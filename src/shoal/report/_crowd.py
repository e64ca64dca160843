"""How many people stand behind some rows, and whether that is enough to be shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.typing import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class GroupPicture:
    """The people behind the rows of a table.

    Parameters
    ----------
    people : IntArray, optional
        A number for the person of each row, negative if nobody is named (such rows add no
        person); without it every row is another person.
    least : int
        Fewest people that a number in a report may speak of.

    Examples
    --------
    >>> crowd = GroupPicture(np.array([7, 7, 8]), least=2)
    >>> crowd.size(np.array([True, True, False])), crowd.enough(np.array([True, False, True]))
    (1, True)
    >>> crowd.by_code(np.array([0, 0, 1]), 2).tolist()
    [1, 1]
    """

    people: IntArray | None
    least: int

    def size(self, rows: BoolArray) -> int:
        """Count the people behind the rows that are true."""
        if self.people is None:
            return int(np.count_nonzero(rows))
        found = np.unique(self.people[rows])
        return int(np.count_nonzero(found >= 0))

    def enough(self, rows: BoolArray) -> bool:
        """Tell whether those are enough people to be spoken of."""
        return self.size(rows) >= self.least

    def by_code(self, codes: IntArray, size: int) -> IntArray:
        """Count the people that have each code 0 to ``size - 1``."""
        if self.people is None:
            return np.bincount(codes, minlength=size)
        named = self.people >= 0
        pairs = np.unique(self.people[named].astype(np.int64) * size + codes[named])
        return np.bincount(pairs % size, minlength=size)
