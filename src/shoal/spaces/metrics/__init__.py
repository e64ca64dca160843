"""Distances: an attribute as a metric space, in the sense of Miche et al. (2016), section 3.

=================  ==========================================================================
`Difference`       numbers, dates and ordinals: how far they lie apart
`Height`, `Path`   values with a hierarchy: height of the common ancestor, steps between leaves
`SharedPrefix`     codes such as ZIP: what must be masked until they look the same
`Equality`         0 or 1
`CoOccurrence`     names, learned: values are alike that keep the same company
`EditDistance`     text: insertions, deletions, replacements
`Custom`           a function of the user
=================  ==========================================================================

`build_metrics` chooses one for each column by its kind and remaps all to one scale (`remap`,
Eq. 1), so that distances of different attributes can be added. A conformance battery for metrics
of your own is `shoal.testing.check_metric`.
"""

from shoal.spaces.metrics._base import Measured, Metric
from shoal.spaces.metrics._build import MetricSpaces, build_metrics, default_metric, metrics_of
from shoal.spaces.metrics._centroids import centroids_of
from shoal.spaces.metrics._custom import Custom
from shoal.spaces.metrics._learned import CoOccurrence
from shoal.spaces.metrics._line import Difference
from shoal.spaces.metrics._remap import DistanceMap, remap
from shoal.spaces.metrics._text import EditDistance
from shoal.spaces.metrics._tree import Equality, Height, Path, SharedPrefix

__all__ = [
    "CoOccurrence",
    "Custom",
    "Difference",
    "DistanceMap",
    "EditDistance",
    "Equality",
    "Height",
    "Measured",
    "Metric",
    "MetricSpaces",
    "Path",
    "SharedPrefix",
    "build_metrics",
    "centroids_of",
    "default_metric",
    "metrics_of",
    "remap",
]
