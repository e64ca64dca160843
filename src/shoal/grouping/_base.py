"""Groupers and their problem: distinct rows and rules in arrays, who divides them, merging."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from shoal._estimator import Estimator
from shoal._progress import SILENT, Progress
from shoal.exceptions import EmptyTableError, ImpossibleError, InvalidParameterError
from shoal.kernels.merging import cheapest_partner
from shoal.kernels.rules import RULES, Rules
from shoal.privacy import Constraint, PrivacyModel
from shoal.spaces import WeightedSpaces, group_boxes
from shoal.table import CodedRows, Grouping
from shoal.typing import BoolArray, IntArray

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
    #: Rows that may be suppressed.
    budget: int = field(init=False)

    def __post_init__(self) -> None:
        if self.table.n_rows == 0:
            raise EmptyTableError("The table has no rows.")
        limit = self.suppression_limit
        if isinstance(limit, bool) or not 0 <= limit <= 1:
            raise InvalidParameterError(
                "The suppression limit must be a share between 0 and 1.",
                hint="0.02 lets at most 2 % of the rows be left out.",
            )
        least = max([1, *(model.least_people for model in self.models)])
        object.__setattr__(self, "k", least)
        object.__setattr__(self, "budget", int(limit * self.table.n_rows))

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """Models beside k that kernels can check while they group."""
        found = [model.constraint(self.table) for model in self.models]
        return tuple(
            c for c in found if c is not None and (c.rule == "distinct" or c.n_codes <= MOST_CODES)
        )

    @cached_property
    def cells(self) -> DistinctRows:
        """The table with equal rows collapsed."""
        rule_codes = [np.asarray(c.codes) for c in self.constraints]
        return collapse(self.spaces.codes, rule_codes, self.table.n_rows)

    @cached_property
    def rules(self) -> Rules:
        """Constraints for kernels, with the codes of all cells."""
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
            codes=np.ascontiguousarray(self.cells.rule_codes, dtype=np.int64),
        )


def collapse(codes: IntArray, more: Sequence[IntArray], n_rows: int) -> DistinctRows:
    """Collapse rows that agree on all columns of ``codes`` and on ``more``."""
    columns = [codes[:, j] for j in range(codes.shape[1])] + list(more)
    key, first = unique_rows(columns, n_rows)
    spread = np.zeros(first.size, dtype=np.uint64)  # a hash (SplitMix64), so that order is lost
    for column in columns:
        spread += column[first].astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        spread = (spread ^ (spread >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        spread = (spread ^ (spread >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        spread ^= spread >> np.uint64(31)
    rank = np.lexsort((spread, -np.bincount(key, minlength=first.size)))
    number = np.empty(first.size, dtype=np.int32)
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


class Choice(NamedTuple):
    """A grouper and the reason for it."""

    grouper: Grouper
    why: str


class Grouper(Estimator, ABC):
    """Divides the rows of a problem into groups that satisfy all its models.

    After `fit`: ``grouping_`` (a `Grouping`), ``method_`` (what ran, in words).
    """

    #: The name in plans, options and results.
    name: ClassVar[str] = ""
    #: Whether part of a table can be grouped by itself, as machines of a cluster do.
    works_in_parts: ClassVar[bool] = False
    #: Whether a k must be asked for; False for one that finds out how small its groups are.
    needs_models: ClassVar[bool] = True
    #: Whether there is nothing to group by without quasi-identifiers; a network has its edges.
    needs_attributes: ClassVar[bool] = True

    # Methods of groupers that have more to say than most; `shoal.recipe` knows what holds without.
    #: Which grouper a table gets in given spaces under given models, and why; None: as `chosen`.
    chosen_for: ClassVar[Callable[..., Choice] | None] = None
    #: From the models promised, what must hold in every group; None: just these.
    asks: ClassVar[Callable[..., tuple[PrivacyModel, ...]] | None] = None
    #: From a table and a recoder, the spaces of groups; None: those in which it publishes.
    spaces_for: ClassVar[Callable[..., WeightedSpaces] | None] = None
    #: From models, a grouper ready for them and what can be promised; None: itself, and all.
    meeting: ClassVar[Callable[..., tuple[Any, tuple[PrivacyModel, ...]]] | None] = None
    #: From hierarchies, the recoder that goes with it; None: ranges.
    default_recoder: ClassVar[Callable[..., Any] | None] = None

    weights: Mapping[str, float] | None
    grouping_: Grouping
    method_: str = "one group of all rows"

    def chosen(self, n_rows: int) -> Choice:
        """Say which grouper a table of ``n_rows`` plain rows gets, and why; mostly this one."""
        return Choice(self, "asked for")

    @abstractmethod
    def _group(self, problem: Problem, progress: Progress) -> IntArray:
        """Return (cell, copies, group) pieces; group -1 leaves copies out of the release."""

    def fit(self, problem: Problem, progress: Progress = SILENT) -> Self:
        """Group the rows of a problem.

        Rows that are equal on all quasi-identifiers are told apart by nothing but a hash of all
        their columns, so that no group becomes homogeneous because something was sorted.
        """
        for model in problem.models:
            model.check_possible(problem.table)
        labels: IntArray = np.zeros(problem.table.n_rows, dtype=np.int64)
        if problem.spaces.spaces:  # every cell hands its copies to its groups by their hashes
            pieces = self._group(problem, progress)
            order = np.lexsort((pieces[:, 2], pieces[:, 0]))
            rows = np.lexsort((problem.table.row_hash(), problem.cells.of_row))
            labels[rows] = np.repeat(pieces[order, 2], pieces[order, 1])
        used, packed = np.unique(labels, return_inverse=True)  # numbers of groups have no gaps
        packed -= used.size > 0 and used[0] < 0
        grouping = settle(problem, Grouping(packed))
        if grouping.n_suppressed > problem.budget:
            raise ImpossibleError(
                f"{grouping.n_suppressed} of {problem.table.n_rows} rows fit into no group under "
                f"these limits, and at most {problem.budget} may be left out.",
                hint="Widen a limit, lower k, or raise the suppression limit.",
            )
        self.grouping_ = grouping
        return self


def settle(problem: Problem, grouping: Grouping) -> Grouping:
    """Merge until every model holds, and leave out groups that are wider than a limit.

    Each group that fails a model is merged with the group where that costs least, in rounds.
    """
    spaces = problem.spaces
    limited = [j for j, space in enumerate(spaces.spaces) if space.limit is not None]
    while grouping.n_groups:
        failing = failing_groups(problem, grouping)
        if failing.any():
            grouping = _merge_once(problem, grouping, failing)
            continue
        wide = np.zeros(grouping.n_groups, dtype=np.bool_)
        for j in limited:
            if (reach := spaces.spaces[j].reach()) is not None:
                lo, hi = group_boxes(spaces.codes[:, [j]], grouping)
                wide |= (hi > reach[lo])[:, 0]
        if not wide.any():
            break
        number = np.where(wide, -1, np.cumsum(~wide) - 1)
        grouping = Grouping(np.where(grouping.labels < 0, -1, number[grouping.labels]))
    return grouping


def failing_groups(problem: Problem, grouping: Grouping) -> BoolArray:
    """Groups that at least one model refuses."""
    failing = np.zeros(grouping.n_groups, dtype=np.bool_)
    for model in problem.models:
        failing |= ~model.accepts(model.measure(problem.table, grouping))
    return failing


def _merge_once(problem: Problem, grouping: Grouping, failing: BoolArray) -> Grouping:
    if grouping.n_groups == 1:
        broken = [str(m) for m in problem.models if not m.judge(problem.table, grouping).holds]
        raise ImpossibleError(
            f"Even all rows together do not satisfy {broken[0]}.",
            hint="Ask for less, or choose another model.",
        )
    codes = problem.spaces.codes
    lo, hi = group_boxes(codes, grouping)
    into = np.arange(grouping.n_groups)
    for g in np.flatnonzero(failing):
        if into[g] == g and (into == g).sum() == 1:  # still on its own in this round
            partner = int(cheapest_partner(problem.spaces.losses, lo, hi, into, int(g)))
            lo[partner] = np.minimum(lo[partner], lo[g])
            hi[partner] = np.maximum(hi[partner], hi[g])
            into[g] = partner
    _, merged = np.unique(into, return_inverse=True)
    return Grouping(np.where(grouping.labels < 0, -1, merged[grouping.labels]))
