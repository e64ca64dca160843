"""Values on a line: numbers, dates and ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.spaces._build import _interval_space
from shoal.spaces.metrics._base import Measured, Metric
from shoal.table import Column, Table


@dataclass(frozen=True)
class Difference(Metric):
    """How far two values lie apart: in the column's unit, in days, or in ranks.

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"age": [30, 20, 60]}))
    >>> ages = Difference().measure(table.column("age"), table)
    >>> ages.between(np.array([0, 0]), np.array([1, 2])).tolist(), ages.reach
    ([10.0, 40.0], 40.0)
    """

    def measure(self, column: Column, table: Table) -> Measured:
        """Measure a numeric, date or ordinal column."""
        if column.numbers is None:
            raise InvalidParameterError(
                f"Column {column.name!r} has no order, so its values have no difference.",
                hint="Give it the kind numeric, date or ordinal, or use another metric.",
            )
        space = _interval_space(column, None)
        reach = space.width if space.width > 0 else 1.0
        return Measured(space, reach, True, None, np.arange(space.n_codes))
