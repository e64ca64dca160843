"""A later delivery: the earlier crowds word for word, newcomers in crowds of their own."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from time import perf_counter
from typing import Any, Protocol, Self

import numpy as np

from shoal._estimator import Estimator
from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal._words import plural
from shoal.exceptions import ImpossibleError, InvalidParameterError
from shoal.grouping import Problem
from shoal.growing._arrivals import Crowds
from shoal.growing._chosen import Chosen
from shoal.growing._corrections import corrected_rows
from shoal.growing._earlier import Earlier, find_earlier
from shoal.growing._entering import enter_after, given_away, grown_trace
from shoal.growing._joined import JoinedTables
from shoal.growing._pseudonyms import CarriedPseudonyms, disguise_as_then, roles_as_then
from shoal.growing._recognizing import FOR_GOOD, Seen, recognize
from shoal.growing._telling import told
from shoal.ledger import KeptCrowds, Ledger
from shoal.privacy import DistinctLDiversity, KAnonymity
from shoal.recipe import Recipe
from shoal.recoding import Recoded
from shoal.release import Lineage, Release
from shoal.table import Grouping, Table
from shoal.typing import BoolArray, IntArray

OVERDUE = ("generalize", "suppress")
CHANGED = ("keep", "leave")
#: Models that ask who and what is in a crowd, however common it is elsewhere and whose it is.
IN_A_CROWD = (KAnonymity, DistinctLDiversity)


class Fitting(Protocol):
    """What a later delivery needs of an `shoal.Anonymizer`."""

    release_: Release
    recoded_: Recoded
    seconds_: dict[str, float]
    preset: str | None
    disguise: Any

    def resolve(self, table: Any) -> Recipe:
        """Decide what will run on a table."""

    def clone(self, **changes: Any) -> Self:
        """Make an unfitted copy."""

    def fit(self, table: Table, progress: Progress = SILENT) -> Self:
        """Anonymize a table."""

    def facts(self) -> dict[str, Any]:
        """Say what ran."""


class LaterDelivery(Estimator):
    """Anonymizes a table that was released before, so that the releases tell no more together.

    Rows of the earlier release are published again word for word, whether their people are still
    in the table or not, but for crowds that somebody was forgotten from (`shoal forget`): they
    leave as a whole. Newcomers are grouped among themselves; every batch satisfies all models
    alone, and founds a crowd or joins an earlier one whose box holds it. The numbers that are
    public are in ``release_.summary.growth``.

    Parameters
    ----------
    anonymizer : Anonymizer
        How newcomers are grouped, and what must hold.
    after : path
        The folder of the earlier release, as it was written.
    waiting : float
        Largest share of newcomers that may wait for others who fit, where a crowd of their own
        would lose more than the earlier release did; fewer than two crowds always may.
    deadline : int
        Deliveries that somebody may wait.
    overdue : {"generalize", "suppress"}
        What becomes of them then: published however wide their crowd is, or left out for good.
    changed : {"keep", "leave"}
        What becomes of people whose values are not as they were published: they stay published
        as they were, or their crowds leave.
    corrected : path, optional
        A file of people, one a line as the table names them, of whom something wrong was
        published: their crowds leave, whatever becomes of others who changed.

    Attributes
    ----------
    release_ : Release
        What may be written; it enters the ledger as the release that follows ``after``.
    counts_ : dict of str to int
        Exact numbers, for the owner of the table alone.
    seconds_ : dict of str to float
        Time spent in each phase.
    """

    release_: Release
    counts_: dict[str, int]
    seconds_: dict[str, float]

    def __init__(
        self,
        anonymizer: Fitting,
        after: str | PathLike[str],
        waiting: float = 0.05,
        deadline: int = 3,
        overdue: str = "generalize",
        changed: str = "keep",
        corrected: str | PathLike[str] | None = None,
    ) -> None:
        self.anonymizer = anonymizer
        self.after = after
        self.waiting = waiting
        self.deadline = deadline
        self.overdue = overdue
        self.changed = changed
        self.corrected = corrected

    @property
    def preset(self) -> str | None:
        """The audience."""
        return self.anonymizer.preset

    def fit(self, table: Table, progress: Progress = SILENT) -> Self:
        """Anonymize a table; the release is in ``release_``."""
        began = perf_counter()
        progress.phase("recognizing")
        disguise = self.anonymizer.disguise
        names = () if disguise is None else tuple(disguise.pseudonyms)
        table = table if disguise is None else disguise_as_then(table, disguise)
        with Ledger.open() as ledger:
            earlier = find_earlier(ledger, self.after, table, names)
            carried = CarriedPseudonyms()
            if disguise is not None:
                table = roles_as_then(table, disguise, earlier)
                carried = CarriedPseudonyms.of(table, disguise, earlier)
            recipe = self._recipe(table, earlier)
            seen = carried.recognize(recognize(ledger, table, earlier), earlier)
            recognized = perf_counter()
            chosen = self._choose(table, earlier, seen, recipe, carried, progress)
            grouped = perf_counter()
            while True:
                self._fitted = self._publish(chosen, recipe, carried, progress)
                trace = grown_trace(ledger, self._fitted.release_, chosen, seen, earlier)
                late = given_away(trace, earlier.beside, chosen.arrived.size)
                if not late.any():
                    break
                chosen = self._until_all_hold(chosen.without(late), recipe)
        self.counts_ = chosen.counts(seen)
        nobody = Grouping(np.full(table.n_rows, -1, dtype=np.int64))
        self.release_ = replace(
            told(self._fitted.release_, table, chosen.unpublished(seen), earlier, carried.doubts),
            lineage=Lineage(
                table,
                nobody,
                enter=enter_after(table, trace, earlier),
                trace=trace,
                follows=earlier.recorded.id,
            ),
        )
        self.seconds_ = {
            "coding": round(recognized - began, 3),
            "grouping": round(grouped - recognized, 3),
            "measuring": round(perf_counter() - grouped, 3),
        }
        return self

    def facts(self) -> dict[str, Any]:
        """Say what ran and what it came to, exactly: for the owner of the table alone."""
        facts = self._fitted.facts()
        del facts["non_uniform_entropy"]  # of the earlier rows only the boxes are known
        growth = self.release_.summary.growth
        assert growth is not None
        return {**facts, "after": {**growth.to_dict(), **self.counts_}}

    def notes(self) -> tuple[str, ...]:
        """Say what the owner of the table should know."""
        stay = "stay published as they were" if self.changed == "keep" else "left with their crowds"
        whys = {
            "waiting": "waiting for others who fit: not published yet",
            "stopped": "not in the table any more: published as before",
            "changed": f"not as they were published: they {stay}",
            "left_out": "of crowds that left: published again when a release is made anew",
            "held": "of people who were forgotten and are back under a pseudonym that was"
            " published: not published under it again",
        }
        counts = self.counts_
        return tuple(
            f"{plural(counts[name], 'row')} {why}."
            for name, why in whys.items()
            if counts[name] or name == "waiting"
        )

    def _recipe(self, table: Table, earlier: Earlier) -> Recipe:
        """Decide what will run, and refuse what cannot follow a release of boxes."""
        if self.overdue not in OVERDUE or self.changed not in CHANGED:
            raise InvalidParameterError(
                "Those overdue are 'generalize' or 'suppress', those changed 'keep' or 'leave'."
            )
        recipe = self.anonymizer.resolve(table)
        if recipe.recoder.publishes_values or not recipe.grouper.works_in_parts:
            raise InvalidParameterError(
                "A later delivery keeps boxes and groups newcomers by themselves; this method"
                " publishes values, or groups all people at once.",
                hint="Use a method that publishes ranges, or release anew.",
            )
        asked = recipe.problem(table).k
        if earlier.trace.k < asked:
            raise InvalidParameterError(
                f"The earlier release hides people among {earlier.trace.k}, and {asked} are asked"
                " for now.",
                hint="Ask for what it promised, or make a release anew.",
            )
        if earlier.trace.identity and not earlier.trace.once:
            _refuse_counting_people(recipe)
        return recipe

    def _choose(
        self,
        table: Table,
        earlier: Earlier,
        seen: Seen,
        recipe: Recipe,
        carried: CarriedPseudonyms,
        progress: Progress,
    ) -> Chosen:
        """Decide which crowds stay, which newcomers are published, and in which crowd."""
        longest = self.deadline if self.overdue == "suppress" else FOR_GOOD
        pool = np.flatnonzero(seen.new & (seen.waited < longest))
        batches = self._batches(table, pool, progress)
        stop_if_cancelled(progress)
        arriving, batch = pool[batches >= 0], batches[batches >= 0]
        stays = self._staying(table, earlier, seen)
        joined = JoinedTables(
            table, earlier, stays, arriving, seen.now.people, recipe.recoder, carried.columns
        )
        n_old, n_batches = joined.numbers.size, int(batch.max(initial=-1)) + 1
        labels = np.append(joined.old_crowds, batch + n_old)
        spaces = self.anonymizer.resolve(joined.table).spaces
        due = np.zeros(n_batches, dtype=np.bool_)
        due[batch[seen.waited[arriving] >= self.deadline]] = True
        crowds = Crowds(spaces, Grouping(labels), n_old)
        if stays.all():
            crowds.refuse_other_losses(earlier.release.manifest.get("loss_by_attribute", {}))
        into, waits = crowds.settle(self.waiting, earlier.trace.k, due)
        chosen = Chosen(joined, np.append(joined.old_crowds, np.where(waits, -1, into)[batch]))
        return self._until_all_hold(chosen, recipe)

    def _until_all_hold(self, chosen: Chosen, recipe: Recipe) -> Chosen:
        """Leave out what fails a model among all, or among those who arrived: they wait.

        Some models hold crowds against everybody in a table, and the difference of two deliveries
        is a table of those who arrived; whoever waits is not in it.
        """
        chosen = chosen.until_all_hold(self._problem)
        if all(isinstance(model, IN_A_CROWD) for model in recipe.within):
            return chosen  # as every batch did
        while (late := chosen.failing_alone(self._problem)).any():
            chosen = chosen.without(late).until_all_hold(self._problem)
        return chosen

    def _problem(self, rows: Table) -> Problem:
        return self.anonymizer.resolve(rows).problem(rows)

    def _staying(self, table: Table, earlier: Earlier, seen: Seen) -> BoolArray:
        """Tell which crowds stay: nobody was forgotten, corrected, or changed if that counts."""
        trace = earlier.trace
        stays = np.ones(trace.n_groups, dtype=np.bool_)
        stays[: trace.lost.size] = trace.lost == 0
        leave = np.zeros(table.n_rows, dtype=np.bool_)
        if self.changed == "leave":
            leave |= seen.moved | seen.revalued
        if self.corrected is not None:
            leave |= corrected_rows(self.corrected, table, earlier)
        stays[seen.crowds[leave & (seen.crowds >= 0)]] = False
        return stays

    def _batches(self, table: Table, pool: IntArray, progress: Progress) -> IntArray:
        """Group newcomers among themselves; -1 for whoever fits with nobody."""
        nobody = np.full(pool.size, -1, dtype=np.int64)
        if not pool.size:
            return nobody
        newcomers = table.take(pool)
        recipe = self.anonymizer.resolve(newcomers)
        problem = Problem(newcomers, recipe.spaces, recipe.within, suppression_limit=1.0)
        try:
            return recipe.grouper.fit(problem, progress).grouping_.labels
        except ImpossibleError:  # too few, or too much alike: they wait
            return nobody

    def _publish(
        self, chosen: Chosen, recipe: Recipe, carried: CarriedPseudonyms, progress: Progress
    ) -> Fitting:
        """Run the crowds through recoder, models and report, and look whether they stayed."""
        how = f"the crowds of an earlier release, newcomers by {recipe.method}"
        grouper = KeptCrowds(chosen.packed, recipe.grouper.weights, how)
        fitted = self.anonymizer.clone(grouping=grouper, bound=False, disguise=carried.disguise)
        fitted.fit(chosen.table, progress)
        chosen.check_unchanged(fitted.recoded_.columns)
        return fitted


def _refuse_counting_people(recipe: Recipe) -> None:
    """Refuse models that count who has which value, where people have several rows.

    Which of the published rows is whose is known to nobody; how many people a crowd has, and
    which values, is.
    """
    counting = [m for m in recipe.within if not isinstance(m, IN_A_CROWD)]
    if counting:
        raise InvalidParameterError(
            f"People of this table have several rows, and {counting[0]} would have to know whose"
            " each published row was.",
            hint="Ask for k and l only, or make a release anew.",
        )
