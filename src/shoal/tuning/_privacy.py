"""Q_NF: how private an anonymization is, as one number where more is better."""

from __future__ import annotations

import math
from dataclasses import dataclass

from shoal.exceptions import InvalidParameterError
from shoal.privacy import DistinctLDiversity, average_risk, count_members
from shoal.table import Grouping, Table

MEASURES = ("k", "l", "risk")


@dataclass(frozen=True)
class PrivacyMeasure:
    """The non-functional quality of a grouping.

    Parameters
    ----------
    measure : {"k", "l", "risk"}
        The smallest group; the fewest distinct values of a sensitive column in a group; 1 minus
        the mean chance to pick the right person of a group.
    raw : bool
        Use k or l as they are, as the paper does. Otherwise their binary logarithm: one unit is a
        crowd twice as large, and a large k does not swamp what models are measured by.

    Examples
    --------
    >>> import numpy as np, polars as pl
    >>> from shoal.table import Roles, read_table
    >>> table = read_table(pl.DataFrame({"a": [1] * 6}), roles=Roles(quasi_identifiers="a"))
    >>> groups = Grouping(np.array([0, 0, 1, 1, 1, 1]))
    >>> PrivacyMeasure("k").of(table, groups), PrivacyMeasure("k", raw=True).of(table, groups)
    (1.0, 2.0)
    """

    measure: str = "k"
    raw: bool = False

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise InvalidParameterError(
                f"There is no privacy measure named {self.measure!r}.",
                hint=f"Choose from {', '.join(MEASURES)}.",
            )

    def check(self, table: Table) -> None:
        """Refuse a measure that speaks of columns the table does not have."""
        if self.measure == "l" and not table.roles.sensitive:
            raise InvalidParameterError(
                "The privacy measure 'l' speaks of sensitive columns, and none is named.",
                hint="Name them: sensitive=... (--sensitive on the command line).",
            )

    def of(self, table: Table, grouping: Grouping, relinked: float | None = None) -> float:
        """Measure a grouping of a table's rows; ``relinked`` is a risk that was measured."""
        if self.measure == "risk":
            if relinked is not None:
                return 1.0 - relinked
            return 1.0 - average_risk(count_members(table, grouping))
        found = smallest(table, grouping) if self.measure == "k" else _diversity(table, grouping)
        return float(found) if self.raw else math.log2(max(found, 1))

    @property
    def words(self) -> str:
        """Say what the number is."""
        if self.measure == "risk":
            return "1 - mean re-identification risk"
        return self.measure if self.raw else f"log2 {self.measure}"


def smallest(table: Table, grouping: Grouping) -> int:
    """Count the people of the smallest group."""
    return int(count_members(table, grouping).min(initial=table.n_rows))


def _diversity(table: Table, grouping: Grouping) -> int:
    models = [DistinctLDiversity(2, name) for name in table.roles.sensitive]
    return min(int(model.measure(table, grouping).min()) for model in models)
