"""The method for about a minute: what it is given to do goes by what a table asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, pow, prod
from typing import NamedTuple

import numpy as np

from shoal._progress import Progress
from shoal.exceptions import InvalidParameterError
from shoal.grouping._base import Choice, Grouper, Problem
from shoal.grouping._mondrian import Mondrian
from shoal.grouping._refine import REFINED_ROWS
from shoal.grouping._sangreea import SaNGreeA
from shoal.kernels.rules import LIKENED
from shoal.privacy import PrivacyModel
from shoal.spaces import WeightedSpaces
from shoal.table import CodedTable
from shoal.typing import IntArray

BEST_FIRST_UP_TO = 2_000_000
NO_MORE_FROM = 4_000_000  # in between, it is done in less and less of the table
COMMON_UP_TO = 20_000_000
QUICK_UP_TO = 500_000  # rows that are grouped in some ten seconds: quick means it
COMMON_COST = 0.1  # of a row, where the cheapest crowd first costs 1
EFFORTS = ("quick", "default", "thorough")

# What a table asks of whoever groups it is told in plain rows: a plain row has eight
# quasi-identifiers and hides among ten, no rule beside k. Numbers are of work, not of seconds,
# and look at content alone: the same plan and data are grouped in the same way on any machine.
PLAIN_COLUMNS, PLAIN_K = 8, 10
#: Powers of columns and of k, and times of a rule (by its setting) or of another demand.
COSTS = {
    "columns": 3.37,
    "k": 0.907,
    "l": 1.16,
    "t": 1.96,
    "limits": 1.29,
    "person": 1.54,
}
UNLIKE = 0.5  # of plain rows are told apart by their columns: those alike are searched once
TOLD = 1.2  # times: less is no reason worth a word
LIKENED_WHY = (  # where common rows come first, groups lack what is rare, and are mended for long
    "groups that must look like the whole table are formed sooner with the cheapest crowd first"
)
COUNTED_FROM = 500_000  # plain rows; less is grouped in seconds, whatever is alike


class Auto(Grouper):
    """Pick the order and the refinement that there is time for, by what a table asks for.

    That is its rows, and what its columns and rules make of them (`load_of`).

    Parameters
    ----------
    weights : mapping of str to float, optional
        How much each quasi-identifier matters; 1 where not given.
    refine : bool, optional
        Whether to refine; None does where the cheapest crowd is formed first. Of a large table
        only the crowds that lose most are, so that time grows evenly with the table.
    effort : {"quick", "default", "thorough"}
        ``quick`` does not refine, and starts groups of a large table at common rows; ``thorough``
        goes on searching after that, for minutes.
    """

    name = "auto"

    def __init__(
        self,
        weights: Mapping[str, float] | None = None,
        refine: bool | None = None,
        effort: str = "default",
    ) -> None:
        self.weights = weights
        self.refine = refine
        self.effort = effort

    def chosen(self, n_rows: int) -> Choice:
        """Say which grouper a table of ``n_rows`` rows gets, and why.

        >>> Auto().chosen(30_162).grouper
        SaNGreeA()
        >>> Auto(refine=False).chosen(30_162).grouper
        SaNGreeA(refine=False)
        >>> Auto(effort="quick").chosen(1_000_000).grouper
        SaNGreeA(order='common', refine=False)
        >>> Auto().chosen(3_000_000).grouper
        SaNGreeA(refine=False, rated=0.178)
        >>> Auto().chosen(50_000_000).grouper
        Mondrian()
        """
        if self.effort not in EFFORTS:
            raise InvalidParameterError(
                f"There is no effort named {self.effort!r}.",
                hint=f"Choose from {', '.join(EFFORTS)}.",
            )
        if self.effort == "quick" and QUICK_UP_TO < n_rows <= COMMON_UP_TO:
            why = f"quick: past {QUICK_UP_TO:,} rows common rows first, a fraction of the time"
            grouper = SaNGreeA(self.weights, "common", bool(self.refine))
            return Choice(grouper, f"{why}; the default effort loses less")
        if n_rows <= BEST_FIRST_UP_TO:
            refine = self.effort != "quick" if self.refine is None else self.refine
            if self.effort == "thorough":
                why = "thorough: the cheapest crowd first, then a search of minutes"
                return Choice(SaNGreeA(self.weights, "best-first", refine, "thorough"), why)
            why = f"up to {BEST_FIRST_UP_TO:,} rows there is time for the cheapest crowd first"
            if refine and n_rows > REFINED_ROWS:
                why += f"; past {REFINED_ROWS:,} rows only the crowds that lose most are refined"
            return Choice(SaNGreeA(self.weights, "best-first", refine), why)
        if n_rows < NO_MORE_FROM:
            rated = _rated(n_rows)
            why = (
                f"from {BEST_FIRST_UP_TO:,} to {NO_MORE_FROM:,} rows, the cheapest crowd first in"
                f" less and less of the table: here {rated:.0%}, the rest by common rows"
            )
            grouper = SaNGreeA(self.weights, "best-first", bool(self.refine), rated=rated)
            return Choice(grouper, why)
        if n_rows <= COMMON_UP_TO:
            why = f"past {NO_MORE_FROM:,} rows, common rows first takes a tenth of the time"
            return Choice(SaNGreeA(self.weights, "common", bool(self.refine)), why)
        why = f"past {COMMON_UP_TO:,} rows, cutting takes the least time"
        return Choice(Mondrian(self.weights), why)

    def chosen_for(
        self, table: CodedTable, spaces: WeightedSpaces, models: Sequence[PrivacyModel]
    ) -> Choice:
        """Look at what columns and rules make of the rows, too; who asks for more gets it."""
        load, own = load_of(table, spaces, models), self.chosen(table.n_rows)
        grouper, why = own if self.effort == "thorough" else self.chosen(load.rows)
        begun_at_common = self.effort == "quick" and grouper.get_params().get("order") == "common"
        if begun_at_common and table.n_rows <= BEST_FIRST_UP_TO and _likened(table, models):
            return Choice(SaNGreeA(self.weights, "best-first", bool(self.refine)), LIKENED_WHY)
        if why == own.why:  # the same grouper
            return own
        like = f"{float(f'{load.rows:.2g}'):,.0f}"
        return Choice(grouper, f"takes as long as {like} plain rows ({load.why}); {why}")

    def _group(self, problem: Problem, progress: Progress) -> IntArray:
        grouper, _ = self.chosen_for(problem.table, problem.spaces, problem.models)
        pieces = grouper._group(problem, progress)
        self.method_, self.steps_ = grouper.method_, getattr(grouper, "steps_", 0)
        return pieces


def _likened(table: CodedTable, models: Sequence[PrivacyModel]) -> bool:
    """Tell whether groups must look like the whole table."""
    constraints = [model.constraint(table) for model in models]
    return any(found is not None and found.rule in LIKENED for found in constraints)


def _rated(n_rows: int) -> float:
    """Say in which share of a table the cheapest crowd is formed first, so that time fades evenly.

    What a row costs falls by one factor with each tenth that a table is larger. Were it the share
    that falls evenly, the last tenth would take less than half of the time of the one before.
    """
    faded = log(n_rows / BEST_FIRST_UP_TO) / log(NO_MORE_FROM / BEST_FIRST_UP_TO)
    return round((pow(COMMON_COST, faded) - COMMON_COST) / (1 - COMMON_COST), 3)


class Load(NamedTuple):
    """As many plain rows a table is like, and why not as many as it has."""

    rows: int
    why: str = ""


def load_of(table: CodedTable, spaces: WeightedSpaces, models: Sequence[PrivacyModel]) -> Load:
    """Reckon how many plain rows would take as long to group as a table.

    >>> import polars as pl
    >>> from shoal.privacy import KAnonymity
    >>> from shoal.recoding import Generalize
    >>> from shoal.table import Roles, read_table
    >>> table = read_table(pl.DataFrame({"age": [30, 31]}), roles=Roles(quasi_identifiers="age"))
    >>> load_of(table, Generalize().spaces(table), [KAnonymity(10)])
    Load(rows=2, why='')
    >>> load_of(table, Generalize().spaces(table), [KAnonymity(100)])
    Load(rows=16, why='k = 100')
    """
    columns, k = spaces.spaces, max([1, *(model.least_people for model in models)])
    times = {  # fewer columns are taken for as many, and fewer people
        f"{len(columns)} quasi-identifiers": max(1, len(columns) / PLAIN_COLUMNS)
        ** COSTS["columns"],
        f"k = {k}": max(1, k / PLAIN_K) ** COSTS["k"],
    }
    named = {model.setting.key for model in models if model.setting is not None}
    times |= {key: COSTS.get(key, COSTS["l"]) for key in sorted(named - {"k"})}
    if table.roles.person is not None:
        times["people with several rows"] = COSTS["person"]
    if any(column.limit is not None for column in columns):
        times["limits"] = COSTS["limits"]
    rows = prod(times.values()) * table.n_rows
    told = [what for what, factor in times.items() if factor > TOLD]
    if rows > COUNTED_FROM and all(column.codes.size == table.n_rows for column in columns):
        unlike = count_unlike(spaces.codes) / (UNLIKE * table.n_rows)
        told += ["rows that are alike"] if unlike < 1 else []
        rows *= min(1.0, float(f"{unlike:.2g}"))  # a reason is public: nobody is seen in it
    return Load(round(rows), ", ".join(told))


def count_unlike(codes: IntArray) -> int:
    """Count the rows that differ from all others before them.

    >>> count_unlike(np.array([[1, 2], [3, 4], [1, 2]]))
    2
    """
    key = np.zeros(len(codes), dtype=np.uint64)
    for column in codes.T:  # SplitMix64: two rows that differ hardly ever get one number
        key += column.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        key ^= key >> np.uint64(31)
    key.sort()
    return int(np.count_nonzero(key[1:] != key[:-1])) + (key.size > 0)
