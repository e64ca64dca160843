"""A re-founding: a release made anew from everybody, less the crowds that would give somebody away.

Deliveries that follow one another keep the crowds of the first, as wide as that month was thin.
Grouped anew, all of them together may leave one possible value for some people. Those people's
new crowds are left out here, whole; what is published then gives nobody away that way. Pseudonyms
that were published before cannot come back in other crowds: they would tell who was with whom.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np

from shoal._estimator import Estimator
from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal._words import plural
from shoal.exceptions import ImpossibleError, InvalidParameterError
from shoal.grouping import failing_groups, group_boxes
from shoal.growing._later import Fitting
from shoal.ledger import FEWEST_CHANGES, KeptCrowds, Ledger, offending
from shoal.recipe import Recipe
from shoal.release import Release
from shoal.report import tell_suppressed
from shoal.table import Grouping, Table
from shoal.typing import BoolArray, IntArray


class Refounding(Estimator):
    """Makes a release anew that later deliveries can follow, beside all earlier ones.

    Parameters
    ----------
    anonymizer : Anonymizer
        How everybody is grouped, and what must hold.

    Attributes
    ----------
    release_ : Release
        What may be written.
    counts_ : dict of str to int
        How many crowds and rows were left out: for the owner of the table alone.
    seconds_ : dict of str to float
        Time spent in each phase.
    """

    release_: Release
    counts_: dict[str, int]
    seconds_: dict[str, float]

    def __init__(self, anonymizer: Fitting) -> None:
        self.anonymizer = anonymizer

    @property
    def preset(self) -> str | None:
        """The audience."""
        return self.anonymizer.preset

    def fit(self, table: Table, progress: Progress = SILENT) -> Self:
        """Group everybody, leave out what offends, publish the rest; see ``release_``."""
        source, disguise, alignment = table, self.anonymizer.disguise, ""
        if disguise is not None:
            table = disguise.prepare(source)
            alignment = disguise.pseudonymizer().alignment(table.roles.person)
        recipe = self.anonymizer.resolve(table)
        if recipe.recoder.publishes_values or not recipe.grouper.works_in_parts:
            raise InvalidParameterError(
                "A re-founding leaves crowds out; this method publishes values, or groups all"
                " people at once.",
                hint="Use a method that publishes ranges.",
            )
        problem = recipe.problem(table)
        labels = recipe.grouper.fit(problem, progress).grouping_.labels.copy()
        stop_if_cancelled(progress)
        formed = int(labels.max(initial=-1)) + 1
        widest_first = _by_loss(recipe, labels)
        self._leave_out(table, labels, widest_first, problem.k, alignment)
        kept = self._until_all_hold(table, labels)
        how = f"{recipe.method}, without the crowds that earlier releases would give away"
        packed = np.unique(labels[kept], return_inverse=True)[1]
        grouper = KeptCrowds(packed, recipe.grouper.weights, how)
        self._fitted = self.anonymizer.clone(grouping=grouper, bound=False)
        self._fitted.fit(source.take(kept), progress)
        dropped = table.n_rows - int(kept.sum())
        self.counts_ = {
            "rows_dropped": dropped,
            "crowds_dropped": formed - int(packed.max(initial=-1)) - 1,
        }
        release = self._fitted.release_
        told = tell_suppressed(table, ~kept, problem.k)
        self.release_ = replace(release, summary=replace(release.summary, suppressed=told))
        self.seconds_ = self._fitted.seconds_
        return self

    def facts(self) -> dict[str, Any]:
        """Say what ran and what it came to, exactly: for the owner of the table alone."""
        return {**self._fitted.facts(), "refounding": self.counts_}

    def notes(self) -> tuple[str, ...]:
        """Say what the owner of the table should know."""
        rows, crowds = self.counts_["rows_dropped"], self.counts_["crowds_dropped"]
        return (
            f"{plural(rows, 'row')} in {plural(crowds, 'crowd')} left out: together with earlier"
            " releases they would leave one possible value for somebody.",
        )

    def _leave_out(
        self, table: Table, labels: IntArray, widest: IntArray, k: int, alignment: str
    ) -> None:
        """Leave out crowds that earlier releases would give away; ``labels`` change in place.

        Where the release then differs from an earlier one by too few people, the crowds that lose
        most go too: the difference must be a crowd by itself.
        """
        with Ledger.open() as ledger:
            ledger.check()
            earlier = list(ledger.traces().values())
            while (labels >= 0).any():
                trace = ledger.trace(table, _packed(labels), k=k, alignment=alignment)
                bad = offending(trace, earlier)
                labels[np.flatnonzero(labels >= 0)[bad]] = -1
                if bad.any():
                    continue
                score = ledger.weigh(trace)
                _refuse_same_pseudonyms(score.split)
                if not score.differs_too_little:
                    return
                there = widest[np.isin(widest, labels)]
                labels[np.isin(labels, there[: -(-FEWEST_CHANGES // k)])] = -1

    def _until_all_hold(self, table: Table, labels: IntArray) -> BoolArray:
        """Leave out crowds that fail a model beside the others; ``labels`` change in place."""
        while (kept := labels >= 0).any():
            packed = np.unique(labels[kept], return_inverse=True)[1]
            rows = table.take(kept)
            failing = failing_groups(self.anonymizer.resolve(rows).problem(rows), Grouping(packed))
            if not failing.any():
                return kept
            labels[np.isin(labels, np.unique(labels[kept])[failing])] = -1
        raise ImpossibleError(
            "Nothing is left: every crowd would give somebody away beside earlier releases.",
            hint="Deliver after the last release (--after), or ask for a larger l.",
        )


def _refuse_same_pseudonyms(split: int) -> None:
    """Refuse names that everybody knows again in other crowds."""
    if split:
        raise InvalidParameterError(
            "Pseudonyms of an earlier release would come back in other crowds: for"
            f" {plural(split, 'person')} fewer than k have been in the same crowds each time.",
            hint="Use pseudonyms of this release only, another project or a rotated key ('shoal"
            " keys rotate'); or deliver after the last release (--after).",
        )


def _packed(labels: IntArray) -> Grouping:
    """Crowds that are left, numbered without gaps; -1 stays."""
    kept = labels >= 0
    packed = np.full(labels.size, -1, dtype=np.int64)
    packed[kept] = np.unique(labels[kept], return_inverse=True)[1]
    return Grouping(packed)


def _by_loss(recipe: Recipe, labels: IntArray) -> IntArray:
    """Number crowds from the one that loses most to the one that loses least."""
    lo, hi = group_boxes(recipe.spaces.codes, Grouping(labels))
    lost = recipe.spaces.loss_by_attribute(lo, hi).mean(axis=1)
    return np.lexsort((*lo.T, *hi.T, -lost))
