"""From counts to the numbers of a report: what was lost, how large groups are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.report import (
    FEWEST_PEOPLE,
    Attribute,
    GroupSizes,
    ModelSummary,
    Sample,
    Summary,
    build_summary,
    describe_exposure,
    mean_loss,
    suppressed_step,
)
from shoal.risk import Exposure
from shoal.spark._errors import understood
from shoal.spark._fragments import BOX, GROUP, NO_PLACE, CountSpans
from shoal.spark._recipe import SparkRecipe
from shoal.typing import IntArray
from shoal.verifier import Verification


@dataclass(frozen=True, eq=False)
class Spans:
    """How often each span of each quasi-identifier is published, and how many rows are not.

    ``counts[name]`` has one row per span: first code, last code, rows.
    """

    counts: Mapping[str, IntArray]
    rows: int
    suppressed: int
    homeless: int = 0  # of those suppressed: in a fragment that could not be grouped

    def losses(self, recipe: SparkRecipe) -> dict[str, float]:
        """Loss of each quasi-identifier, as `shoal.utility.measure_loss` defines it."""
        found = {}
        for space in recipe.spaces.spaces:
            lo, hi, rows = self.counts[space.name].T
            lost = float(rows @ space.by_height().loss(lo, hi)) + self.suppressed
            found[space.name] = lost / max(1, self.rows)
        return found

    def ngil(self, recipe: SparkRecipe) -> float:
        """Mean loss over quasi-identifiers."""
        losses = [*self.losses(recipe).values()]
        return sum(losses) / len(losses) if losses else 0.0

    def total(self, recipe: SparkRecipe) -> float:
        """Weighted loss of all rows that were counted, as groups were formed by it."""
        lost = 0.0
        for space, weight in zip(recipe.spaces.spaces, recipe.spaces.weights, strict=True):
            lo, hi, rows = self.counts[space.name].T
            lost += weight * (float(rows @ space.loss(lo, hi)) + self.suppressed)
        return lost

    def released_losses(self, recipe: SparkRecipe) -> dict[str, float]:
        """Loss of each quasi-identifier as the papers tell it: of what is published alone."""
        found = {}
        for space in recipe.spaces.spaces:
            lo, hi, rows = self.counts[space.name].T
            found[space.name] = round(mean_loss(space.released_loss(lo, hi), rows), 6)
        return found

    def shares(self, recipe: SparkRecipe, name: str) -> tuple[float, float, float]:
        """Shares of the released cells that are exact, widened, hidden."""
        space = next(s for s in recipe.spaces.spaces if s.name == name)
        lo, hi, rows = self.counts[name].T
        loss, released = space.by_height().loss(lo, hi), max(1, int(rows.sum()))
        exact = float(rows[loss == 0].sum()) / released
        hidden = float(rows[[text == "*" for text in space.publish(lo, hi)]].sum()) / released
        return round(exact, 4), round(max(0.0, 1 - exact - hidden), 4), round(hidden, 4)


def count_spans(frame: Any, recipe: SparkRecipe) -> Spans:
    """Count published spans on the workers."""
    with understood():
        found = (
            frame.select(GROUP, BOX)
            .mapInArrow(
                CountSpans(recipe.width), "attribute bigint, lo bigint, hi bigint, n bigint"
            )
            .groupBy("attribute", "lo", "hi")
            .sum("n")
            .toArrow()
        )
    counted = np.column_stack([np.asarray(column) for column in found.columns])
    ordered = counted[np.lexsort(counted.T[2::-1])]
    counts = {name: ordered[ordered[:, 0] == j, 1:] for j, name in enumerate(recipe.spaces.names)}
    nowhere = ordered[ordered[:, 0] < 0]
    homeless = int(nowhere[nowhere[:, 1] == NO_PLACE, 3].sum())
    return Spans(counts, recipe.rows, int(nowhere[:, 3].sum()), homeless)


def summarize_parts(
    recipe: SparkRecipe,
    spans: Spans,
    verification: Verification,
    sizes: Mapping[int, int],
    sample: Sequence[Sequence[str]],
    how: str,
    exposure: Exposure,
) -> Summary:
    """Sum up a release that no single machine has seen."""
    losses, roles = spans.released_losses(recipe), recipe.roles
    spread = np.repeat(np.array(sorted(sizes)), [sizes[size] for size in sorted(sizes)])
    counted = GroupSizes.of(spread)
    ranged = [recipe.domains[s.name].column for s in recipe.spaces.spaces if not s.on_grid]
    return build_summary(
        roles,
        recipe.released,
        k=recipe.k,
        people=False,
        rows=verification.recount.rows,
        suppressed=_suppressed(recipe, spans),
        models=tuple(
            ModelSummary(str(o.claim), o.claim.bound, float(o.recounted), o.holds)
            for o in verification.outcomes
            if o.claim.name != "rows"
        ),
        attributes=tuple(_attribute(recipe, spans, name, losses[name]) for name in losses),
        group_sizes=counted,
        row_sizes=counted,
        sample=Sample(recipe.released, tuple(tuple(row) for row in sample)),
        protected=[m.sensitive for m in recipe.models if m.sensitive is not None],
        method=how,
        why=recipe.resolved.why,
        preset=recipe.preset,
        stamps=("not anonymized: k is 1",) if recipe.k < 2 else (),
        tight=any(column.numbers is not None for column in ranged),
        singling=describe_exposure(exposure.told_by(max(recipe.k, FEWEST_PEOPLE))),
        warnings=(exposure.warning,) if exposure.warning else (),
    )


def _attribute(recipe: SparkRecipe, spans: Spans, name: str, loss: float) -> Attribute:
    exact, widened, hidden = spans.shares(recipe, name)
    kind = recipe.domains[name].column.kind
    by = next(space.measured_by for space in recipe.spaces.spaces if space.name == name)
    return Attribute(name, kind, round(loss, 6), exact, widened, hidden, None, by)


def _suppressed(recipe: SparkRecipe, spans: Spans) -> int | str:
    if not recipe.resolved.suppression_limit and not spans.suppressed:
        return 0
    return suppressed_step(spans.suppressed, spans.rows, max(recipe.k, FEWEST_PEOPLE))
