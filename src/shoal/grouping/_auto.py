"""The method that loses least for a table of this size."""

from __future__ import annotations

from collections.abc import Mapping
from math import log, pow

from shoal._progress import Progress
from shoal.exceptions import InvalidParameterError
from shoal.grouping._base import Choice, Grouper, Problem
from shoal.grouping._mondrian import Mondrian
from shoal.grouping._refine import REFINED_ROWS
from shoal.grouping._sangreea import SaNGreeA
from shoal.typing import IntArray

BEST_FIRST_UP_TO = 2_000_000
NO_MORE_FROM = 4_000_000  # in between, it is done in less and less of the table
COMMON_UP_TO = 20_000_000
QUICK_UP_TO = 500_000  # rows that are grouped in some ten seconds: quick means it
COMMON_COST = 0.1  # of a row, where the cheapest crowd first costs 1
EFFORTS = ("quick", "default", "thorough")


class Auto(Grouper):
    """Pick the order and the refinement that lose least for the size of the table.

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
            why = f"up to {BEST_FIRST_UP_TO:,} rows, the cheapest crowd first loses least"
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
        why = f"past {COMMON_UP_TO:,} rows, cutting is the only fast way"
        return Choice(Mondrian(self.weights), why)

    def _group(self, problem: Problem, progress: Progress) -> IntArray:
        grouper = self.chosen(problem.table.n_rows).grouper
        pieces = grouper._group(problem, progress)
        self.method_, self.steps_ = grouper.method_, getattr(grouper, "steps_", 0)
        return pieces


def _rated(n_rows: int) -> float:
    """Say in which share of a table the cheapest crowd is formed first, so that time fades evenly.

    What a row costs falls by one factor with each tenth that a table is larger. Were it the share
    that falls evenly, the last tenth would take less than half of the time of the one before.
    """
    faded = log(n_rows / BEST_FIRST_UP_TO) / log(NO_MORE_FROM / BEST_FIRST_UP_TO)
    return round((pow(COMMON_COST, faded) - COMMON_COST) / (1 - COMMON_COST), 3)
