"""The whole table grouped with the weights and limits of a moment, by the fast method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import NamedTuple

import numpy as np

from shoal._progress import Progress, stop_if_cancelled
from shoal.grouping import group_boxes
from shoal.recipe import quick_grouper
from shoal.session._preview import Preview, PreviewChange
from shoal.session._recipe import SessionRecipe
from shoal.spaces import WeightedSpaces
from shoal.table import Grouping, Table
from shoal.typing import IntArray
from shoal.utility import LossReport, measure_loss


@dataclass(frozen=True, eq=False)
class Grouped:
    """A grouping with what it was made of.

    Attributes
    ----------
    spaces : WeightedSpaces
        The quasi-identifiers under the limits of that moment.
    grouping : Grouping
        Who hides with whom.
    weights, limits : mapping of str to float
        What was known.
    seconds : float
        How long it took.
    """

    spaces: WeightedSpaces
    grouping: Grouping
    weights: Mapping[str, float]
    limits: Mapping[str, float]
    seconds: float = 0.0

    @cached_property
    def loss(self) -> LossReport:
        """What is lost."""
        return measure_loss(self.spaces, self.grouping)

    @cached_property
    def boxes(self) -> IntArray:
        """Box that each row publishes; -1 for those in no group."""
        lo, hi = group_boxes(self.spaces.codes, self.grouping)
        box = np.vstack([np.hstack([lo, hi]), np.full((1, 2 * lo.shape[1]), -1)])
        return np.asarray(box[self.grouping.labels])

    def preview(self, answers: int, before: Preview | None, change_of: Grouped | None) -> Preview:
        """Measure; and say what changed since the preview before."""
        loss = self.loss
        made = Preview(
            ngil=loss.ngil,
            loss_by_attribute=dict(loss.loss_by_attribute),
            groups=loss.groups,
            smallest=self.grouping.smallest,
            suppressed=loss.suppressed,
            weights=dict(self.weights),
            answers=answers,
            seconds=self.seconds,
        )
        if before is None or change_of is None:
            return made
        moved = (self.boxes != change_of.boxes).any(axis=1).mean() if len(self.boxes) else 0.0
        return replace(made, change=_change(before, made, float(moved)))


class Previewed(NamedTuple):
    """A preview with its number, the grouping it shows and the sliders of that moment."""

    number: int
    preview: Preview
    grouped: Grouped
    bias: dict[str, float] | None


def group_fast(
    recipe: SessionRecipe,
    table: Table,
    spaces: WeightedSpaces,
    weights: Mapping[str, float],
    limits: Mapping[str, float],
    progress: Progress,
) -> Grouped:
    """Group by common rows first, unrefined; columns that were coded once are not coded again."""
    began = perf_counter()
    stop_if_cancelled(progress)
    weighted = spaces.with_weights(weights)
    grouper = quick_grouper()
    grouping = grouper.fit(recipe.problem(table, weighted), progress).grouping_
    return Grouped(weighted, grouping, dict(weights), dict(limits), perf_counter() - began)


def _change(before: Preview, after: Preview, rows: float) -> PreviewChange:
    losses = {
        name: loss - before.loss_by_attribute[name]
        for name, loss in after.loss_by_attribute.items()
    }
    return PreviewChange(after.ngil - before.ngil, losses, after.groups - before.groups, rows)
