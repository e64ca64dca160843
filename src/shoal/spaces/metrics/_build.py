"""From a table to metric spaces: which distance, which map, which weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.hierarchies import Hierarchy
from shoal.kernels.quantize.clusters import Yardsticks
from shoal.spaces._base import Space, WeightedSpaces, normalize_weights
from shoal.spaces._spans import IntervalSpace
from shoal.spaces.metrics._base import Measured, Metric
from shoal.spaces.metrics._line import Difference
from shoal.spaces.metrics._remap import DistanceMap, remap
from shoal.spaces.metrics._tree import Equality, Height, SharedPrefix
from shoal.table import COLUMN_KINDS, Column, Table
from shoal.typing import FloatArray, IntArray

PairsFrom = Literal["domain", "data"]


@dataclass(frozen=True, eq=False)
class MetricSpaces(WeightedSpaces):
    """All attributes as metric spaces side by side, remapped and weighted.

    Attributes
    ----------
    measured : tuple of Measured
        The distances of each attribute.
    maps : tuple of DistanceMap
        Their remapping to Euclidean distances (Eq. 1).
    """

    measured: tuple[Measured, ...]
    maps: tuple[DistanceMap, ...]

    def yardsticks(self, radii: FloatArray | None = None) -> Yardsticks:
        """Distances for kernels; ``radii`` are shares of the largest distance, negative if free."""
        plain = WeightedSpaces(self.spaces, np.ones(len(self.spaces)))
        tables = [m.exact for m in self.measured]
        sizes = [0 if table is None else table.size for table in tables]
        begins = np.cumsum([0, *sizes])[:-1]
        free = np.full(len(self.spaces), -1.0)
        facts = [
            self.weights,
            free if radii is None else radii,
            [float(m.on_line) for m in self.measured],
            [-1.0 if t is None else float(at) for t, at in zip(tables, begins, strict=True)],
        ]
        parts = [table.ravel() for table in tables if table is not None]
        return Yardsticks(
            losses=plain.losses,
            unit=plain.unit,
            facts=np.ascontiguousarray(np.array(facts, dtype=np.float64).T),
            exact=np.concatenate([*parts, np.zeros(1)]).astype(np.float32),
            maps=np.ascontiguousarray([m.knots for m in self.maps], dtype=np.float64),
        )

    def radii(self, given: Mapping[str, float] | None) -> FloatArray:
        """Radii in the units of the metrics as shares; -1 for those that are left free."""
        for name, radius in (given or {}).items():
            if name not in self.names:
                raise UnknownColumnError.among(name, self.names, what="quasi-identifier")
            if isinstance(radius, bool) or not 0 <= radius < float("inf"):
                raise InvalidParameterError(f"The radius of {name!r} must be a number, 0 or more.")
        shares = [
            m.radius_share(float(given[m.name])) if given and m.name in given else -1.0
            for m in self.measured
        ]
        return np.array(shares, dtype=np.float64)

    def beside(self, other: MetricSpaces) -> MetricSpaces:
        """The attributes of both, side by side."""
        return MetricSpaces(
            (*self.spaces, *other.spaces),
            np.concatenate([self.weights, other.weights]),
            (*self.measured, *other.measured),
            (*self.maps, *other.maps),
        )

    @cached_property
    def remapping(self) -> dict[str, float]:
        """Wasserstein distance left between each attribute's distances and Euclidean ones."""
        return {
            m.name: round(f.wasserstein, 4) for m, f in zip(self.measured, self.maps, strict=True)
        }


def build_metrics(
    table: Table,
    *,
    columns: Sequence[str] | None = None,
    metrics: Mapping[str, Metric] | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    weights: Mapping[str, float] | None = None,
    pairs: PairsFrom = "domain",
) -> MetricSpaces:
    """Make a metric space of every quasi-identifier (or of ``columns``).

    Numbers, dates and ordinals differ by their difference, values with a hierarchy by the height
    of their common ancestor, codes by what follows their shared prefix, other text is equal or
    not; ``metrics`` says otherwise, column by column.

    >>> import polars as pl
    >>> from shoal.table import Roles
    >>> from shoal.table import read_table
    >>> frame = pl.DataFrame({"age": [20, 30, 60], "sex": ["f", "m", "m"]})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers=["age", "sex"]))
    >>> build_metrics(table).remapping
    {'age': 0.0693, 'sex': 0.1389}
    """
    names = tuple(table.roles.quasi_identifiers if columns is None else columns)
    chosen = dict(metrics or {})
    for name in chosen:
        if name not in names:
            raise UnknownColumnError.among(name, names, what="column to measure")
    measured = []
    for name in names:
        column = table.column(name)
        metric = chosen.get(name) or default_metric(column, (hierarchies or {}).get(name))
        measured.append(metric.measure(column, table))
    known = {n: w for n, w in (weights or {}).items() if columns is None or n in names}
    return _side_by_side(measured, normalize_weights(known, names), pairs)


def metrics_of(spaces: WeightedSpaces) -> MetricSpaces:
    """Read the spaces of any grouper as metric spaces: the diameter of a span is a distance."""
    if isinstance(spaces, MetricSpaces):
        return spaces
    return _side_by_side([_of_space(space) for space in spaces.spaces], spaces.weights, "domain")


def default_metric(column: Column, hierarchy: Hierarchy | None = None) -> Metric:
    """Choose the distance of a column by its kind.

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"age": [3, 4], "town": ["Graz", "Linz"]}))
    >>> default_metric(table.column("age")), default_metric(table.column("town"))
    (Difference(), Equality())
    """
    if column.numbers is not None:
        return Difference()
    if hierarchy is not None:
        return Height(hierarchy)
    return SharedPrefix() if COLUMN_KINDS[column.kind].prefixed else Equality()


def _of_space(space: Space) -> Measured:
    on_line = isinstance(space, IntervalSpace)
    reach = space.width if isinstance(space, IntervalSpace) else 1.0
    return Measured(space, reach or 1.0, on_line, None, np.arange(space.n_codes))


def _side_by_side(measured: list[Measured], weights: FloatArray, pairs: PairsFrom) -> MetricSpaces:
    maps = [remap(m, _counts(m.space) if pairs == "data" else None) for m in measured]
    return MetricSpaces(tuple(m.space for m in measured), weights, tuple(measured), tuple(maps))


def _counts(space: Space) -> IntArray:
    return np.bincount(space.codes, minlength=space.n_codes)
