"""Quantization: a recoding in steps that publishes values, not ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from shoal._random import generator, secret_generator
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Hierarchy
from shoal.presets import DEFAULT_K
from shoal.quantize._clusters import EpsilonClusters
from shoal.quantize._flatten import Flatten
from shoal.quantize._moving import MovingValues
from shoal.quantize._pull_in import PullIn
from shoal.quantize._push_back import PushBack
from shoal.quantize._step import Step
from shoal.quantize._stir import Stir
from shoal.recoding import Generalize, Recoded, Recoder, publish_values
from shoal.spaces import WeightedSpaces
from shoal.spaces.metrics import Metric, MetricSpaces, build_metrics
from shoal.table import Grouping, Table
from shoal.typing import BoolArray


@dataclass(frozen=True)
class Moved:
    """What quantization did to a table, in numbers.

    Attributes
    ----------
    clusters : int
        Clusters before outliers joined them (Eq. 2); ``crowds`` after.
    outliers : int
        Rows whose cluster was too small.
    pushed_cells : int
        Cells that stuck out and were moved (Eq. 5).
    unchanged_share, unchanged_chance : float
        Share of stirred cells that got their own value back, and what chance gives.
    same_value_share : float
        Share of stirred cells that show the same value as before: their own, or an equal one.
    divergence_max : float
        Largest divergence of a cluster's distances to its centroid over all steps with a bound.
    displacement : mapping of str to float
        Mean distance between published and original value, as a share of the largest distance.
    remapping : mapping of str to float
        Wasserstein distance that remapping (Eq. 1) leaves to Euclidean distances, by column.
    """

    clusters: int
    crowds: int
    outliers: int
    pushed_cells: int
    unchanged_share: float
    unchanged_chance: float
    same_value_share: float
    divergence_max: float
    displacement: Mapping[str, float]
    remapping: Mapping[str, float]


class Quantize(Recoder):
    """Publish values of the original's kind: outliers pushed back, values stirred in clusters.

    Parameters
    ----------
    steps : sequence of Step
        What is done, in order; by default `PullIn`, `PushBack` and `Stir` of all
        quasi-identifiers.
    hierarchies : mapping of str to Hierarchy, optional
        Trees that say which names are near each other.
    metrics : mapping of str to Metric, optional
        Distances by column; by default chosen by kind.
    random_state : int, optional
        A seed makes the result repeatable, and unfit for publication: who knows it can undo the
        shuffle. By default randomness comes from the operating system and is gone afterwards.

    Attributes
    ----------
    moved_ : Moved
        What was done, in numbers.
    outliers_ : BoolArray
        Rows whose cluster was too small.
    """

    moves_values = True
    promises_k = False
    publishes_values = True

    moved_: Moved
    outliers_: BoolArray

    def __init__(
        self,
        steps: Sequence[Step] | None = None,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        metrics: Mapping[str, Metric] | None = None,
        random_state: int | None = None,
    ) -> None:
        self.steps = steps
        self.hierarchies = hierarchies
        self.metrics = metrics
        self.random_state = random_state

    def spaces(self, table: Table, weights: Mapping[str, float] | None = None) -> MetricSpaces:
        """Metric spaces of the quasi-identifiers."""
        return build_metrics(
            table, metrics=self.metrics, hierarchies=self.hierarchies, weights=weights
        )

    def recode(
        self,
        table: Table,
        grouping: Grouping,
        spaces: WeightedSpaces | None = None,
        grouper: Any = None,
    ) -> Recoded:
        """Move the values of a table inside its clusters.

        `EpsilonClusters` know who was an outlier; of other groups everybody is of the core.
        """
        clusters = grouper if isinstance(grouper, EpsilonClusters) else None
        everybody = np.ones(table.n_rows, dtype=np.bool_)
        self.outliers_ = ~everybody if clusters is None else clusters.outliers_
        rng = secret_generator() if self.random_state is None else generator(self.random_state)
        crowds = MovingValues(
            table=table,
            metrics=self._metrics(table, spaces),
            grouping=grouping,
            core=everybody if clusters is None else clusters.core_.copy(),
            rng=rng,
        )
        if grouping.n_groups:
            for step in self._steps():
                step.apply(crowds)
        found = grouping if clusters is None else clusters.clusters_
        self.moved_ = _sum_up(crowds, self.outliers_, found)
        return replace(_published(crowds), outliers=self.outliers_, facts=asdict(self.moved_))

    @property
    def stamps(self) -> tuple[str, ...]:  # type: ignore[override]  # nobody sets it
        """A seed can undo what was stirred."""
        if self.random_state is None:
            return ()
        return ("not for publication: made with a seed, which can undo it",)

    def as_ranges(self) -> Recoder:
        """Ranges by the same hierarchies."""
        return Generalize(self.hierarchies)

    def _steps(self) -> tuple[Step, ...]:
        steps = default_steps() if self.steps is None else tuple(self.steps)
        if not all(isinstance(step, Step) for step in steps):
            raise InvalidParameterError(
                "A quantized recoding is a list of steps.",
                hint="Such as [shoal.PushBack(), shoal.Stir()].",
            )
        return steps

    def _metrics(self, table: Table, spaces: WeightedSpaces | None) -> MetricSpaces:
        """Metric spaces of the quasi-identifiers and of other columns that steps speak of."""
        known = spaces if isinstance(spaces, MetricSpaces) else self.spaces(table)
        others: list[str] = []
        for step in self._steps():
            for name in (step.columns,) if isinstance(step.columns, str) else step.columns or ():
                if name != "all" and name not in (*known.names, *others):
                    table.cells.series(name)  # says so if there is no such column
                    others.append(name)
        if not others:
            return known
        return known.beside(build_metrics(table, columns=others, hierarchies=self.hierarchies))


def default_steps(k: int = DEFAULT_K) -> tuple[Step, ...]:
    """The recipe that leaves former outliers no easier to find than one of m."""
    return (PullIn(k), PushBack(), Stir())


def build_steps(
    k: int,
    push_back: str | None = None,
    flatten: Sequence[str] = (),
    stir: Sequence[str] = (),
    stir_mode: str | None = None,
    max_divergence: float | None = None,
) -> tuple[Step, ...]:
    """Make steps of plain settings: pull extremes in, push outliers back, flatten, stir.

    >>> build_steps(10, stir=["age"])
    (PullIn(), PushBack(), Stir(columns=('age',)))
    """
    bound: dict[str, Any] = {} if max_divergence is None else {"max_divergence": max_divergence}
    way: Any = push_back or "noise"
    mode: Any = stir_mode or "permute"
    steps: list[Step] = [PullIn(k), PushBack(way, **bound)]
    if flatten:
        steps.append(Flatten(tuple(flatten)))
    if stir:
        steps.append(Stir(tuple(stir), mode, **bound))
    return tuple(steps)


def _published(crowds: MovingValues) -> Recoded:
    table, labels = crowds.table, crowds.grouping.labels
    columns, keys = {}, []
    for j, measured in enumerate(crowds.metrics.measured):
        codes = measured.column_codes[crowds.codes[:, j]]
        if measured.name in crowds.blank:
            codes = np.full(codes.size, -1)
        codes = np.where(labels < 0, -1, codes)
        columns[measured.name] = publish_values(table, measured.name, codes)
        if measured.name in table.roles.quasi_identifiers:
            keys.append(codes[labels >= 0])
    alike = np.full(labels.size, -1, dtype=np.int64)
    alike[labels >= 0] = Grouping.from_keys(keys, int((labels >= 0).sum())).labels
    return Recoded(columns, Grouping(alike), typed=True)


def _sum_up(crowds: MovingValues, outliers: BoolArray, found: Grouping) -> Moved:
    facts, rows = crowds.facts, crowds.order
    original = crowds.metrics.codes
    displacement = {
        measured.name: float(
            measured.shares(
                crowds.codes[rows, j].astype(np.int64), original[rows, j].astype(np.int64)
            ).mean()
        )
        if rows.size
        else 0.0
        for j, measured in enumerate(crowds.metrics.measured)
        if measured.name not in crowds.blank
    }
    bounded = [facts.get(name, 0.0) for name in ("push_back_divergence", "stir_divergence")]
    return Moved(
        clusters=found.n_groups,
        crowds=crowds.grouping.n_groups,
        outliers=int(outliers.sum()),
        pushed_cells=facts.get("pushed_cells", 0),
        unchanged_share=facts.get("unchanged_share", 1.0),
        unchanged_chance=facts.get("unchanged_chance", 0.0),
        same_value_share=facts.get("same_value_share", 1.0),
        divergence_max=max(bounded),
        displacement=displacement,
        remapping=crowds.metrics.remapping,
    )
