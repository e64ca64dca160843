"""Epsilon clusters: who is near whom in every attribute, and who is near nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np

from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal.exceptions import ImpossibleError, InvalidParameterError
from shoal.grouping import Grouper, Problem
from shoal.hierarchies import Hierarchy
from shoal.presets import DEFAULT_K
from shoal.privacy import KAnonymity, PrivacyModel
from shoal.quantize._box_tree import BoxTree
from shoal.recoding import Recoder
from shoal.spaces import WeightedSpaces
from shoal.spaces.metrics import Metric, MetricSpaces, build_metrics, metrics_of
from shoal.table import Grouping, Table
from shoal.typing import BoolArray, FloatArray, IntArray

ROWS_PER_CLUSTER = 1.5  # times m, if no number of clusters is wanted


class EpsilonClusters(Grouper):
    """Clusters in which all pairs are within a radius in every attribute (Miche et al., 2016).

    Clusters of ``m`` rows or fewer are outliers: they go to the nearest cluster with which they
    exceed m, by the sum of remapped, weighted distances to its centroid (Eq. 2 to 4). What they
    publish there is up to `PushBack`. The size of a cluster is no k: once values are stirred,
    no two rows need look alike.

    Parameters
    ----------
    m : int, optional
        The largest cluster that is still too small to hide in; one less than the k asked for.
    radii : mapping of str to float, optional
        Largest distance within a cluster, in the unit of each column's metric: years, days,
        ranks, masked characters, levels of a hierarchy, edits.
    clusters : int, optional
        How many clusters to find; radii that are not given are chosen for it. By default as many
        as leave one and a half times m rows to each on average.
    weights : mapping of str to float, optional
        How much each attribute matters where distances are added; 1 where not given.
    metrics : mapping of str to Metric, optional
        Distances by column; by default chosen by kind.
    split : bool
        Whether a cluster that is enough for two is cut on, which keeps more of its structure.
    crowd : sequence of PrivacyModel
        What must hold among the members of a cluster beside their number, such as l-diversity.

    Attributes
    ----------
    grouping_ : Grouping
        The clusters once outliers have joined them; each has more than m rows.
    clusters_ : Grouping
        The clusters before that (Eq. 2).
    outliers_ : BoolArray
        Rows whose cluster was too small.
    core_ : BoolArray
        Rows that their cluster's centroid and extent are taken from: all but outliers that were
        pushed back.
    radii_ : dict of str to float
        The widest cluster in each attribute, in the unit of its metric.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> table = read_table(pl.DataFrame({"age": [20, 21, 22, 40, 41, 42, 90]}),
    ...                    roles=Roles(quasi_identifiers="age"))
    >>> found = EpsilonClusters(m=2, radii={"age": 5}).fit_table(table)
    >>> found.clusters_.sizes.tolist(), found.outliers_.tolist()[-1], found.grouping_.sizes.tolist()
    ([1, 3, 3], True, [3, 4])
    """

    name = "quantize"

    clusters_: Grouping
    outliers_: BoolArray
    core_: BoolArray
    radii_: dict[str, float]

    def __init__(
        self,
        m: int | None = None,
        radii: Mapping[str, float] | None = None,
        clusters: int | None = None,
        weights: Mapping[str, float] | None = None,
        metrics: Mapping[str, Metric] | None = None,
        split: bool = True,
        crowd: Sequence[PrivacyModel] = (),
    ) -> None:
        self.m = m
        self.radii = radii
        self.clusters = clusters
        self.weights = weights
        self.metrics = metrics
        self.split = split
        self.crowd = crowd

    def asks(self, models: tuple[PrivacyModel, ...]) -> tuple[PrivacyModel, ...]:
        """A cluster has more than m rows, whatever is promised of the release."""
        sized = models if self.m is None else (*models, KAnonymity(self.m + 1))
        return (*(sized or (KAnonymity(DEFAULT_K + 1),)), *self.crowd)

    def meeting(
        self, models: tuple[PrivacyModel, ...]
    ) -> tuple[EpsilonClusters, tuple[PrivacyModel, ...]]:
        """Ask of clusters what was asked of groups; of moved values nothing is promised."""
        k = max((m.k for m in models if isinstance(m, KAnonymity)), default=self.m)
        crowd = [model for model in models if model.sensitive is not None]
        m = k if self.m is None else self.m
        return self.clone(m=m, crowd=(*self.crowd, *crowd)), ()

    def spaces_for(self, table: Table, recoder: Recoder) -> WeightedSpaces:
        """Make metric spaces: this grouper's own distances, if it has any."""
        if self.metrics is None:
            return recoder.spaces(table, self.weights)
        return self.spaces(table, recoder.hierarchies)

    def default_recoder(self, hierarchies: Mapping[str, Hierarchy] | None = None) -> Recoder:
        """Move values inside the clusters."""
        from shoal.quantize._quantize import Quantize, default_steps

        steps = None if self.m is None else default_steps(self.m)
        return Quantize(steps, hierarchies)

    def spaces(
        self, table: Table, hierarchies: Mapping[str, Hierarchy] | None = None
    ) -> MetricSpaces:
        """Make metric spaces of the table's quasi-identifiers."""
        return build_metrics(
            table, metrics=self.metrics, hierarchies=hierarchies, weights=self.weights
        )

    def fit_table(self, table: Table, hierarchies: Mapping[str, Hierarchy] | None = None) -> Self:
        """Find the clusters of a table, without any further model."""
        return self.fit(Problem(table, self.spaces(table, hierarchies), tuple(self.crowd)))

    def fit(self, problem: Problem, progress: Progress = SILENT) -> Self:
        """Find the clusters of a problem."""
        if not problem.spaces.spaces:
            raise InvalidParameterError(
                "Clusters need a quasi-identifier, and none is named.",
                hint="Name them: quasi_identifiers=[...] (--quasi on the command line).",
            )
        return super().fit(problem, progress)

    def _group(self, problem: Problem, progress: Progress) -> IntArray:
        metrics = metrics_of(problem.spaces)
        m = self._checked_m(problem)
        radii = metrics.radii(self.radii)
        progress.phase("clustering")
        stop_if_cancelled(progress)
        cells = problem.cells
        wanted = self._wanted(problem.table.n_rows, m, radii)
        sticks = metrics.yardsticks(radii)
        fewest = m + 1 if self.split else None
        tree = BoxTree.cut(cells.codes, cells.copies, sticks, wanted, fewest)
        progress.phase("pushing back")
        stop_if_cancelled(progress)
        to = tree.push_back(m)
        self._refuse_lonely(to, tree, m)
        self._remember(problem, metrics, tree, to, m)
        self.method_ = f"epsilon clusters of more than {m} rows"
        return np.column_stack([np.arange(cells.copies.size), cells.copies, to[tree.labels]])

    def _checked_m(self, problem: Problem) -> int:
        m = problem.k - 1 if self.m is None else self.m
        if isinstance(m, bool) or m < 0:
            raise InvalidParameterError("m must be a whole number, 0 or more.")
        if problem.table.n_rows <= m:
            raise ImpossibleError(
                f"The table has {problem.table.n_rows} rows: not more than m, which is {m}.",
                hint="Lower m; a crowd needs more rows than that.",
            )
        return m

    def _wanted(self, n_rows: int, m: int, radii: FloatArray) -> int:
        if self.clusters is not None:
            if isinstance(self.clusters, bool) or self.clusters < 1:
                raise InvalidParameterError("The number of clusters must be 1 or more.")
            return self.clusters
        if radii.size and (radii >= 0).all():
            return 1  # the radii alone say how many there are
        return max(1, int(n_rows / (ROWS_PER_CLUSTER * max(m, 1))))

    def _refuse_lonely(self, to: IntArray, tree: BoxTree, m: int) -> None:
        if (to < 0).any():
            raise ImpossibleError(
                f"{int(tree.sizes[to < 0].sum()):,} rows have no cluster to go to: none of the "
                f"{tree.sizes.size:,} clusters exceeds m, which is {m}.",
                hint="Widen the radii, or lower m.",
            )

    def _remember(
        self, problem: Problem, metrics: MetricSpaces, tree: BoxTree, to: IntArray, m: int
    ) -> None:
        small = tree.sizes <= m
        taken = to[small & (to != np.arange(to.size))]
        merged = small & np.isin(np.arange(to.size), taken)  # small ones that became a crowd
        core = ~small | np.append(merged, False)[to] | merged
        rows = tree.labels[problem.cells.of_row]
        self.clusters_ = Grouping(rows)
        self.outliers_ = small[rows]
        self.core_ = core[rows]
        widths = metrics.loss_by_attribute(
            tree.boxes[tree.leaves, 0].astype(np.int64), tree.boxes[tree.leaves, 1].astype(np.int64)
        )
        reach = [m.reach for m in metrics.measured]
        widest = (widths.max(axis=0) * reach).tolist() if len(widths) else []
        self.radii_ = dict(zip(metrics.names, widest, strict=True))
