"""Microaggregation: every group publishes its centroid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shoal.hierarchies import Hierarchy
from shoal.recoding._base import Recoded, Recoder
from shoal.recoding._generalize import Generalize
from shoal.recoding._publish import publish_values
from shoal.spaces import WeightedSpaces, build_spaces
from shoal.spaces.metrics import Metric, build_metrics, centroids_of
from shoal.table import Grouping, Table


class Centroid(Recoder):
    """Publish for each group the values with the smallest sum of distances to its members.

    The centroid of Miche et al. (2016), Eq. 3, of groups of k rows: values of the same kind as
    the original, and k-anonymous by construction, since a group's rows all read the same.

    Parameters
    ----------
    hierarchies : mapping of str to Hierarchy, optional
        Trees that say which names are near each other.
    metrics : mapping of str to Metric, optional
        Distances by column; by default chosen by kind.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> table = read_table(pl.DataFrame({"age": [20, 21, 25, 60, 61]}),
    ...                    roles=Roles(quasi_identifiers="age"))
    >>> Centroid().recode(table, Grouping(np.array([0, 0, 0, 1, 1]))).columns["age"].to_list()
    [21, 21, 21, 60, 60]
    """

    name = "centroid"
    publishes_values = True

    def __init__(
        self,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        metrics: Mapping[str, Metric] | None = None,
    ) -> None:
        self.hierarchies = hierarchies
        self.metrics = metrics

    def spaces(self, table: Table, weights: Mapping[str, float] | None = None) -> WeightedSpaces:
        """Spaces in which groups are formed: those of generalization."""
        return build_spaces(table, hierarchies=self.hierarchies, weights=weights)

    def as_ranges(self) -> Recoder:
        """Ranges by the same hierarchies."""
        return Generalize(self.hierarchies)

    def recode(
        self,
        table: Table,
        grouping: Grouping,
        spaces: WeightedSpaces | None = None,
        grouper: Any = None,
    ) -> Recoded:
        """Publish the centroid of each group."""
        metrics = build_metrics(table, metrics=self.metrics, hierarchies=self.hierarchies)
        ones = np.ones(table.n_rows, dtype=np.int64)
        found = centroids_of(metrics.codes, ones, metrics.yardsticks(), grouping)
        columns, keys = {}, []
        for j, measured in enumerate(metrics.measured):
            of_group = np.append(measured.column_codes[found[:, j]], -1)
            columns[measured.name] = publish_values(table, measured.name, of_group[grouping.labels])
            keys.append(of_group[:-1])
        same = np.append(Grouping.from_keys(keys, grouping.n_groups).labels, -1)
        return Recoded(columns, Grouping(same[grouping.labels]), typed=True)
