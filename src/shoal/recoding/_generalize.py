"""Generalization: everybody in a group publishes what the group has in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal._estimator import Estimator
from shoal.grouping import group_boxes
from shoal.hierarchies import Hierarchy
from shoal.spaces import WeightedSpaces, build_spaces
from shoal.table import Grouping, Table
from shoal.typing import IntArray

SUPPRESSED = "*"


@dataclass(frozen=True, eq=False)
class Recoded:
    """Recoded quasi-identifiers, row by row.

    Attributes
    ----------
    columns : mapping of str to polars.Series
        Published text of each quasi-identifier, in the row order of the table; suppressed rows
        are ``*`` throughout.
    grouping : Grouping
        Who looks alike in what is published: groups with the same text are one here.
    typed : bool
        Whether cells are values of the original column, in its type, rather than text.
    """

    columns: Mapping[str, pl.Series]
    grouping: Grouping
    typed: bool = False

    def release_frame(self, table: Table) -> pl.DataFrame:
        """Return the table as released: identifiers dropped, suppressed rows left out."""
        return self.aligned_frame(table).filter(pl.Series(self.grouping.labels >= 0))

    def aligned_frame(self, table: Table) -> pl.DataFrame:
        """Return one row for each row of the table, suppressed ones starred."""
        kept = [name for name in table.column_names if name not in table.roles.dropped]
        return table.frame.select(
            self.columns[name].alias(name) if name in self.columns else pl.col(name)
            for name in kept
        )


class Generalize(Estimator):
    """Publish intervals, tree labels and stars.

    Parameters
    ----------
    hierarchies : mapping of str to Hierarchy, optional
        Trees for quasi-identifiers; numbers, dates and ordinals need none (intervals), codes are
        masked from the right, other text is kept or starred.
    limits : mapping of str to float, optional
        The widest interval, or the highest level of the tree, that may be published.
    grid : mapping of str to float, or bool, optional
        Widen the ends of intervals outward to multiples of a step, so that an end is nobody's
        exact value; True chooses a round step for every numeric column.

    Examples
    --------
    >>> import numpy as np, polars as pl
    >>> from shoal.table import Grouping, Roles, read_table
    >>> table = read_table(pl.DataFrame({"age": [17, 25, 37, 41]}),
    ...                    roles=Roles(quasi_identifiers="age"))
    >>> groups = Grouping(np.array([0, 0, 1, 1]))
    >>> Generalize().recode(table, groups).columns["age"].to_list()
    ['[17, 25]', '[17, 25]', '[37, 41]', '[37, 41]']
    >>> Generalize(grid={"age": 5}).recode(table, groups).columns["age"].to_list()
    ['[15, 29]', '[15, 29]', '[35, 44]', '[35, 44]']
    """

    def __init__(
        self,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        limits: Mapping[str, float] | None = None,
        grid: Mapping[str, float] | bool | None = None,
    ) -> None:
        self.hierarchies = hierarchies
        self.limits = limits
        self.grid = grid

    def spaces(self, table: Table, weights: Mapping[str, float] | None = None) -> WeightedSpaces:
        """Spaces of the table's quasi-identifiers as this recoder publishes them."""
        return build_spaces(
            table,
            hierarchies=self.hierarchies,
            weights=weights,
            limits=self.limits,
            grid=self.grid,
        )

    def recode(
        self, table: Table, grouping: Grouping, spaces: WeightedSpaces | None = None
    ) -> Recoded:
        """Publish the smallest span around each group, in every quasi-identifier."""
        spaces = spaces or self.spaces(table)
        boxes = group_boxes(spaces.codes, grouping)
        columns: dict[str, pl.Series] = {}
        keys: list[IntArray] = []
        for j, space in enumerate(spaces.spaces):
            lo, hi = boxes[0][:, j], boxes[1][:, j]
            text, key = _publish_each_once(space.publish, lo, hi, space.n_codes)
            words = pl.Series(space.name, [*text, SUPPRESSED], dtype=pl.String)
            columns[space.name] = words.gather(
                np.where(grouping.labels < 0, len(text), np.append(key, 0)[grouping.labels])
            )
            keys.append(key)
        same = Grouping.from_keys(keys, grouping.n_groups).labels
        labels = np.where(grouping.labels < 0, -1, np.append(same, 0)[grouping.labels])
        return Recoded(columns, Grouping(labels))


def _publish_each_once(
    publish: Callable[[IntArray, IntArray], list[str | None]],
    lo: IntArray,
    hi: IntArray,
    n_codes: int,
) -> tuple[list[str | None], IntArray]:
    """Words of the distinct spans, and which one each group has; equal words are one."""
    spans, which = np.unique(lo.astype(np.int64) * n_codes + hi, return_inverse=True)
    words = publish(spans // n_codes, spans % n_codes)
    numbers: dict[str | None, int] = {}
    number = np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64)
    return list(numbers), number[which] if number.size else which
