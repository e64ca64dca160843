"""Arrivals: which newcomers are published now, in which crowd, and which of them wait."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.grouping import group_boxes
from shoal.report import mean_loss
from shoal.spaces import WeightedSpaces
from shoal.table import Grouping
from shoal.typing import BoolArray, FloatArray, IntArray

#: A batch joins an earlier crowd if that loses at most this much more than a crowd of its own.
ROOM = 1.1
#: Past this many pairs of batches and earlier crowds, batches found crowds of their own.
MOST_PAIRS = 500_000_000
#: A loss that differs by more is that of another hierarchy.
SAME_LOSS = 0.005


@dataclass(frozen=True, eq=False)
class Crowds:
    """Earlier crowds, numbered from 0, and batches of newcomers after them.

    Attributes
    ----------
    spaces : WeightedSpaces
        The quasi-identifiers of all of them together.
    grouping : Grouping
        The crowd or batch of each row.
    earlier : int
        How many of them are earlier crowds.
    """

    spaces: WeightedSpaces
    grouping: Grouping
    earlier: int

    def settle(self, share: float, k: int, due: BoolArray) -> tuple[IntArray, BoolArray]:
        """Say into which crowd each batch goes, and which batches wait.

        A batch joins the earlier crowd whose box holds all of it and loses least, if that is
        hardly more than it would lose alone; else it founds one. Those that lose most wait, as
        many as it takes not to lose more than before, and at most ``share`` of the newcomers (or
        fewer than two crowds of ``k``); but not those that are ``due``.
        """
        lo, hi = group_boxes(self.spaces.codes, self.grouping)
        losses = self.spaces.by_height().loss_by_attribute(lo, hi).mean(axis=1)
        into = self._joining(lo, hi, losses)
        rows = self.grouping.sizes[self.earlier :].sum()
        most = max(share * rows, 2 * k - 1) if share else 0
        return into[self.earlier :], self._waiting(losses, into, most, due)

    def _joining(self, lo: IntArray, hi: IntArray, losses: FloatArray) -> IntArray:
        """For each batch the crowd it goes into: an earlier one that holds it, or itself."""
        into = np.arange(self.grouping.n_groups)
        if self.earlier * (into.size - self.earlier) > MOST_PAIRS:
            return into
        first, last = self._covered(lo, hi)
        before = losses[: self.earlier]
        for batch in range(self.earlier, into.size):
            holding = ((first <= lo[batch]) & (last >= hi[batch])).all(axis=1)
            room = np.flatnonzero(holding & (before <= ROOM * losses[batch]))
            if room.size:
                into[batch] = room[before[room].argmin()]
        return into

    def refuse_other_losses(self, told: Mapping[str, float]) -> None:
        """Refuse if earlier crowds lose otherwise than was told: a label means something else."""
        n, sizes = self.earlier, self.grouping.sizes
        lo, hi = group_boxes(self.spaces.codes, self.grouping)
        for j, space in enumerate(self.spaces.spaces):
            lost = mean_loss(space.released_loss(lo[:n, j], hi[:n, j]), sizes[:n])
            if abs(lost - told.get(space.name, lost)) > SAME_LOSS:
                raise InvalidParameterError(
                    f"The boxes of the earlier release mean something else now, in {space.name!r}.",
                    hint="Keep its hierarchies and kinds of columns, or release anew.",
                )

    def _covered(self, lo: IntArray, hi: IntArray) -> tuple[IntArray, IntArray]:
        """First and last code that what each earlier crowd publishes may stand for."""
        n = self.earlier
        ends = [s.covers(lo[:n, j], hi[:n, j]) for j, s in enumerate(self.spaces.spaces)]
        return np.column_stack([a for a, _ in ends]), np.column_stack([b for _, b in ends])

    def _waiting(
        self, losses: FloatArray, into: IntArray, room: float, due: BoolArray
    ) -> BoolArray:
        sizes, n = self.grouping.sizes, self.earlier
        before = float(losses[:n] @ sizes[:n]) / max(1, int(sizes[:n].sum()))
        mine, rows = losses[into[n:]], sizes[n:]
        excess = float((mine - before) @ rows)  # of what newcomers lose more than the others did
        waiting = np.zeros(rows.size, dtype=np.bool_)
        for batch in np.lexsort((np.arange(rows.size), -mine)).tolist():
            if excess <= 0 or mine[batch] <= before:
                break
            if not due[batch] and rows[batch] <= room:
                waiting[batch] = True
                room -= rows[batch]
                excess -= (mine[batch] - before) * rows[batch]
        return waiting
