"""The problem of a grouper, in arrays: distinct rows, their copies, rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.kernels.rules import RULES, Rules
from shoal.privacy import Constraint, PrivacyModel
from shoal.spaces import WeightedSpaces
from shoal.table import CodedRows
from shoal.typing import IntArray

MOST_CODES = 128  # past this, counting a rule's values while grouping costs more than merging


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Rows that are equal on all quasi-identifiers (and on what rules look at), collapsed.

    Cells are numbered most common first, then by a hash of their content: a tie between cells
    never depends on where their rows stood, nor on the sort order of any column.
    """

    codes: IntArray
    copies: IntArray
    of_row: IntArray
    rule_codes: IntArray


@dataclass(frozen=True, eq=False)
class Problem:
    """A table to group: spaces with weights, the models every group must satisfy, what may go.

    Parameters
    ----------
    table : CodedRows
        The rows.
    spaces : WeightedSpaces
        Its quasi-identifiers with their weights.
    models : sequence of PrivacyModel
        What must hold in every group.
    suppression_limit : float
        Largest share of rows that may be left out.
    """

    table: CodedRows
    spaces: WeightedSpaces
    models: tuple[PrivacyModel, ...]
    suppression_limit: float = 0.0
    #: Fewest rows of a group.
    k: int = field(init=False)

    def __post_init__(self) -> None:
        limit = self.suppression_limit
        if isinstance(limit, bool) or not 0 <= limit <= 1:
            raise InvalidParameterError(
                "The suppression limit must be a share between 0 and 1.",
                hint="0.02 lets at most 2 % of the rows be left out.",
            )
        least = max([1, *(model.least_people for model in self.models)])
        object.__setattr__(self, "k", least)

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """Models beside k that kernels can check while they group."""
        found = [model.constraint(self.table) for model in self.models]
        return tuple(
            c for c in found if c is not None and (c.rule == "distinct" or c.n_codes <= MOST_CODES)
        )

    @property
    def budget(self) -> int:
        """Rows that may be suppressed."""
        return int(self.suppression_limit * self.table.n_rows)

    @cached_property
    def cells(self) -> DistinctRows:
        """The table with equal rows collapsed."""
        rule_codes = [np.asarray(c.codes) for c in self.constraints]
        return collapse(self.spaces.codes, rule_codes, self.table.n_rows)

    def rules(self, positions: IntArray) -> Rules:
        """Constraints for kernels; ``positions`` lists cells in the order kernels see them."""
        constraints = self.constraints
        sizes = np.array([c.n_codes for c in constraints], dtype=np.int64)
        meta = [
            (RULES.index(c.rule), c.n_codes, offset, c.l, c.missing)
            for c, offset in zip(constraints, np.cumsum(sizes) - sizes, strict=True)
        ]
        references = [np.asarray(c.reference, dtype=np.float64) for c in constraints]
        return Rules(
            meta=np.array(meta, dtype=np.int64).reshape(len(meta), 5),
            bound=np.array([float(c.bound) for c in constraints], dtype=np.float64),
            reference=np.concatenate([*references, np.zeros(0)]),
            codes=np.ascontiguousarray(self.cells.rule_codes[positions], dtype=np.int64),
        )


def collapse(codes: IntArray, more: Sequence[IntArray], n_rows: int) -> DistinctRows:
    """Collapse rows that agree on all columns of ``codes`` and on ``more``."""
    columns = [codes[:, j] for j in range(codes.shape[1])] + list(more)
    key, first = unique_rows(columns, n_rows)
    spread = _scatter([column[first] for column in columns], first.size)
    rank = np.lexsort((spread, -np.bincount(key, minlength=first.size)))
    number = np.empty(first.size, dtype=np.int64)
    number[rank] = np.arange(first.size)
    of_row = number[key]
    first = first[rank]
    rule_codes = np.column_stack([c[first] for c in more]) if more else np.zeros((first.size, 0))
    return DistinctRows(
        codes=np.ascontiguousarray(codes[first], dtype=np.int32),
        copies=np.bincount(of_row, minlength=first.size),
        of_row=of_row,
        rule_codes=rule_codes.astype(np.int64),
    )


def unique_rows(columns: Sequence[IntArray], n_rows: int) -> tuple[IntArray, IntArray]:
    """Number the distinct rows; return the number of each row and one row of each number.

    Columns are packed into one integer as long as they fit, which is many times faster than
    comparing them one by one.
    """
    key = np.zeros(n_rows, dtype=np.int64)
    room = 1
    for column in columns:
        size = int(column.max(initial=0)) + 1
        if room * size >= 2**62:
            _, key = np.unique(key, return_inverse=True)
            room = int(key.max(initial=0)) + 1
        key = key * size + column
        room *= size
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return inverse, first


def _scatter(columns: Sequence[IntArray], n: int) -> IntArray:
    """A 64-bit hash of each row of codes (SplitMix64): spreads cells without regard to order."""
    state = np.zeros(n, dtype=np.uint64)
    for column in columns:
        state += column.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(31)
    return state
