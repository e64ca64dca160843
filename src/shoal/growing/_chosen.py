"""What was chosen for a later delivery: who is published, and in which crowd."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from shoal.exceptions import ImpossibleError, InvalidParameterError
from shoal.grouping import Problem, failing_groups
from shoal.growing._joined import JoinedTables
from shoal.growing._recognizing import FOR_GOOD, Seen
from shoal.table import Grouping, Table
from shoal.typing import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class Chosen:
    """Earlier rows and newcomers in one table, and the crowd of each row; -1 for who is not in."""

    joined: JoinedTables
    labels: IntArray

    @property
    def kept(self) -> BoolArray:
        """Which of the joined rows are published."""
        published: BoolArray = self.labels >= 0
        return published

    @cached_property
    def table(self) -> Table:
        """The rows that are published."""
        return self.joined.table.take(self.kept)

    @property
    def packed(self) -> IntArray:
        """Their crowds, numbered without gaps."""
        packed: IntArray = np.unique(self.labels[self.kept], return_inverse=True)[1]
        return packed

    @property
    def old(self) -> BoolArray:
        """Which of the published rows are of the earlier release."""
        old: BoolArray = np.flatnonzero(self.kept) < self.joined.n_old
        return old

    @property
    def arrived(self) -> IntArray:
        """Rows of the table that are published for the first time."""
        return self.joined.arriving[self.labels[self.joined.n_old :] >= 0]

    @property
    def crowds(self) -> IntArray:
        """The crowd of each published row of the earlier release, as the trace numbers them."""
        return self.joined.numbers[self.joined.old_crowds[self.kept[: self.joined.n_old]]]

    def counts(self, seen: Seen) -> dict[str, int]:
        """Count everybody, exactly."""
        waits, left = self.unpublished(seen)
        held = seen.new & (seen.waited >= FOR_GOOD)
        return {
            "known": int((seen.crowds >= 0).sum()),
            "newcomers": int(seen.new.sum()),
            "waiting": int(waits.sum()),
            "left_out": int((left & ~held).sum()),
            "moved": int(seen.moved.sum()),
            "revalued": int(seen.revalued.sum()),
            "changed": int((seen.moved | seen.revalued).sum()),
            "stopped": seen.stopped,
            "held": int(held.sum()),
        }

    def unpublished(self, seen: Seen) -> tuple[BoolArray, BoolArray]:
        """Tell which rows of the table wait, and which left with their crowd or are held."""
        held = seen.new & (seen.waited >= FOR_GOOD)
        waits = seen.new & ~held
        waits[self.arrived] = False
        stays = np.zeros(self.joined.earlier.trace.n_groups + 1, dtype=np.bool_)
        stays[self.crowds] = True
        stays[-1] = True  # whoever was in no crowd lost none
        return waits, seen.gone | held | ~stays[seen.crowds]

    def failing_alone(self, problem: Callable[[Table], Problem]) -> BoolArray:
        """Tell who of those who arrived fail a model together with whom they came."""
        crowds = self.labels[self.joined.n_old :]
        crowds = np.unique(crowds[crowds >= 0], return_inverse=True)[1]
        if not crowds.size:
            return np.zeros(0, dtype=np.bool_)
        newcomers = problem(self.joined.now.take(self.arrived))
        failing: BoolArray = failing_groups(newcomers, Grouping(crowds))[crowds]
        return failing

    def without(self, late: BoolArray) -> Chosen:
        """Let some of those who arrived wait."""
        labels, n_old = self.labels.copy(), self.joined.n_old
        labels[n_old:][np.flatnonzero(labels[n_old:] >= 0)[late]] = -1
        return replace(self, labels=labels)

    def until_all_hold(self, problem: Callable[[Table], Problem]) -> Chosen:
        """Leave out crowds that fail a model beside all others; newcomers among them wait."""
        chosen = self
        while chosen.kept.any():
            failing = failing_groups(problem(chosen.table), Grouping(chosen.packed))
            if not failing.any():
                return chosen
            bad = np.unique(chosen.labels[chosen.kept])[failing]
            out = np.isin(chosen.labels, bad)
            chosen = replace(chosen, labels=np.where(out, -1, chosen.labels))
        raise ImpossibleError.nothing_left(self.labels.size)

    def check_unchanged(self, columns: Mapping[str, pl.Series]) -> None:
        """Hold what is published of the earlier rows now against what was."""
        was = self.joined.published.filter(pl.Series(self.kept[: self.joined.n_old]))
        old = pl.Series(self.old)
        for name in was.columns:
            if not columns[name].filter(old).eq_missing(was[name]).all():
                raise InvalidParameterError(
                    f"The boxes of the earlier release would read otherwise now, in {name!r}.",
                    hint="Keep its hierarchies, grid and kinds of columns, or release anew.",
                )
