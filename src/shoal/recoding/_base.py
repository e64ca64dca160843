"""A recoder: what is published of a group, what it needs for that, and what it promises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl

from shoal._estimator import Estimator
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Hierarchy
from shoal.spaces import WeightedSpaces
from shoal.table import CodedFrame, Distinct, Grouping, Table, drop_zero_signs
from shoal.typing import BoolArray

SUPPRESSED = "*"


class Recoder(Estimator, ABC):
    """Turns groups into published cells.

    A recoder answers for itself: whoever runs one asks it and never what class it is.
    `shoal.testing.check_recoder` tells whether one keeps its word.
    """

    #: What plans and options call it: without a name it can be used from Python only.
    name: ClassVar[str] = ""
    #: Whether a row may show somebody else's value. Then the size of a crowd proves nothing, and
    #: what linkage attacks achieve is measured instead.
    moves_values: ClassVar[bool] = False
    #: Whether the rows of a group read alike, so that what holds of groups holds of the release.
    promises_k: ClassVar[bool] = True
    #: Whether single values are published, not ranges that hold the original.
    publishes_values: ClassVar[bool] = False

    #: What must be stamped on whatever this publishes.
    stamps: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] | None = None
    limits: Mapping[str, float] | None = None

    @abstractmethod
    def spaces(self, table: Table, weights: Mapping[str, float] | None = None) -> WeightedSpaces:
        """Describe the quasi-identifiers of a table as this recoder publishes them."""

    @abstractmethod
    def recode(
        self,
        table: Table,
        grouping: Grouping,
        spaces: WeightedSpaces | None = None,
        grouper: Any = None,
    ) -> Recoded:
        """Publish the groups of a table.

        ``spaces`` are those that grouping used, ``grouper`` is whoever grouped: for recoders that
        need to know more than who is together.
        """

    def with_loss(self, loss: str) -> Recoder:
        """Return the same recoder with another loss of tree nodes, or refuse it."""
        raise InvalidParameterError(
            "Only methods that publish ranges let the loss of a tree be chosen.",
            hint="Leave out the loss, or publish ranges.",
        )

    def as_ranges(self) -> Recoder:
        """Return the recoder whose ranges show a person what a group has in common."""
        return self

    def with_limits(self, limits: Mapping[str, float]) -> Recoder:
        """Return the same recoder under limits, or refuse them."""
        if limits:
            raise InvalidParameterError(
                "Values that are moved, not generalized, know no limits.",
                hint="Leave out the limits, or publish ranges.",
            )
        return self


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
    outliers : BoolArray, optional
        Rows that stood out before values were moved; None where nobody was told apart.
    facts : mapping of str to Any
        What was done, in numbers.
    added : mapping of str to polars.Series
        Columns that the table did not have, such as the group of each row; rows are counted by
        them too.
    papers : mapping of str to str
        Further files that belong to what is published, by name.
    network : Any
        The masked network, where there is one.
    """

    columns: Mapping[str, pl.Series]
    grouping: Grouping
    typed: bool = False
    outliers: BoolArray | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    added: Mapping[str, pl.Series] = field(default_factory=dict)
    papers: Mapping[str, str] = field(default_factory=dict)
    network: Any = None

    def release_frame(self, table: Table) -> pl.DataFrame:
        """Return the table as released: identifiers dropped, suppressed rows left out."""
        return self.released(table).frame

    def aligned_frame(self, table: Table) -> pl.DataFrame:
        """Return one row for each row of the table, suppressed ones starred."""
        return self.released(table, aligned=True).frame

    def released(self, table: Table, *, aligned: bool = False) -> CodedFrame:
        """Return either one, with texts looked up where they are: in a part of the memory."""
        told = getattr(self.columns, "coded", self.columns)
        known, kept = table.cells.coded.columns, self.grouping.labels >= 0
        names = [name for name in table.column_names if name not in table.roles.dropped]
        columns = {name: told[name] if name in told else known[name] for name in names}
        shown = CodedFrame({**columns, **self.added}, table.n_rows)
        if aligned:
            return shown
        floats = any(not isinstance(c, Distinct) and c.dtype.is_float() for c in columns.values())
        shown = shown if kept.all() else shown.take(np.flatnonzero(kept))
        return drop_zero_signs(shown) if floats else shown
