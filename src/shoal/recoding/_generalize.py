"""Generalization: everybody in a group publishes what the group has in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import polars as pl

from shoal.hierarchies import Hierarchy
from shoal.recoding._base import SUPPRESSED, Recoded, Recoder
from shoal.spaces import WeightedSpaces, build_spaces, group_boxes
from shoal.table import CodedTable, Distinct, Grouping
from shoal.typing import IntArray


class Generalize(Recoder):
    """Publish intervals, tree labels and stars.

    Parameters
    ----------
    hierarchies : mapping of str to Hierarchy, optional
        Trees for quasi-identifiers; numbers, dates and ordinals need none (intervals), codes are
        masked from the right, other text is kept or starred.
    limits : mapping of str to float, optional
        The widest interval, or the highest level of the tree, that may be published.
    grid : mapping of str to float, or bool, optional
        Widen the ends of intervals outward to multiples of a step (of dates: whole months), so that
        an end tells nobody's exact value; True chooses a round step for every such column.
    loss : {"height", "leaves", "people"}, optional
        What a node of a tree loses while groups are formed: its height (Malle et al., 2017), or
        the share of the column's values or of its rows that it covers. By default as each
        hierarchy says: height, but for calendars.

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

    name = "ranges"

    def __init__(
        self,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        limits: Mapping[str, float] | None = None,
        grid: Mapping[str, float] | bool | None = None,
        loss: str | None = None,
    ) -> None:
        self.hierarchies = hierarchies
        self.limits = limits
        self.grid = grid
        self.loss = loss

    def spaces(
        self, table: CodedTable, weights: Mapping[str, float] | None = None
    ) -> WeightedSpaces:
        """Spaces of the table's quasi-identifiers as this recoder publishes them."""
        return build_spaces(
            table,
            hierarchies=self.hierarchies,
            weights=weights,
            limits=self.limits,
            grid=self.grid,
            loss=self.loss,
        )

    def with_loss(self, loss: str) -> Self:
        """Make the same recoder with this loss of tree nodes."""
        return self.clone(loss=loss)

    def with_limits(self, limits: Mapping[str, float]) -> Self:
        """Make the same recoder under these limits."""
        if not limits and not self.limits:
            return self
        return self.clone(limits=dict(limits) or None)

    def recode(
        self,
        table: CodedTable,
        grouping: Grouping,
        spaces: WeightedSpaces | None = None,
        grouper: Any = None,
    ) -> Recoded:
        """Publish the smallest span around each group, in every quasi-identifier."""
        spaces = spaces or self.spaces(table)
        lo, hi = group_boxes(spaces.codes, grouping)
        told: dict[str, pl.Series] = {}
        published = []
        for j, space in enumerate(spaces.spaces):
            codes = lo[:, j].astype(np.int64) * space.n_codes + hi[:, j]
            spans, span = np.unique(codes, return_inverse=True)  # each span is printed once
            texts = space.publish(spans // space.n_codes, spans % space.n_codes)
            numbers: dict[str | None, int] = {}  # equal texts are one
            number = np.array([numbers.setdefault(t, len(numbers)) for t in texts], dtype=np.int64)
            which = number[span] if number.size else span
            words = pl.Series(space.name, [*numbers, SUPPRESSED], dtype=pl.String)
            told[space.name] = words.gather(np.append(which, len(numbers)))
            published.append(which)
        same = Grouping.from_keys(published, grouping.n_groups).labels
        labels = np.where(grouping.labels < 0, -1, np.append(same, 0)[grouping.labels])
        return Recoded(_ByGroup(told, grouping.labels), Grouping(labels))


@dataclass(frozen=True, eq=False)
class _ByGroup(Mapping[str, pl.Series]):
    """Columns kept as one text for each group, and a last one for rows in none.

    A column is as long as the table once it is asked for; ``coded`` has them with texts looked up.
    """

    told: Mapping[str, pl.Series]
    labels: IntArray

    @property
    def coded(self) -> Mapping[str, Distinct]:
        """The same columns, each text held once."""
        hidden = bool(self.labels.size) and self.labels.min() < 0
        told = {n: Distinct.of(t if hidden else t.head(-1)) for n, t in self.told.items()}
        return {name: Distinct(d.texts, d.codes[self.labels]) for name, d in told.items()}

    def part(self, rows: IntArray) -> pl.DataFrame:
        """Write out some rows."""
        return pl.DataFrame({n: t.gather(self.labels[rows]) for n, t in self.told.items()})

    def __getitem__(self, name: str) -> pl.Series:
        texts = self.told[name]
        return texts.gather(np.where(self.labels < 0, len(texts) - 1, self.labels))

    def __iter__(self) -> Iterator[str]:
        return iter(self.told)

    def __len__(self) -> int:
        return len(self.told)
