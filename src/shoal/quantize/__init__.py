"""Quantization: values instead of ranges, moved inside clusters of people who are alike.

==================  ==========================================================================
`EpsilonClusters`   groups: clusters no wider than a radius, outliers pushed back into them
`Quantize`          recodes: values of the original's kind, moved in steps inside clusters
`PullIn`            a step: extremes to the k-th
`PushBack`          a step: outliers into the crowd
`Flatten`           a step: columns to the centroid
`Stir`              a step: values inside clusters
`Explorer`          tries out m and radii: counts, and a map of outliers
==================  ==========================================================================
"""

from shoal.quantize._clusters import EpsilonClusters
from shoal.quantize._explorer import ClusterCounts, Explorer, OutlierMap
from shoal.quantize._flatten import Flatten
from shoal.quantize._pull_in import PullIn
from shoal.quantize._push_back import WAYS, PushBack
from shoal.quantize._quantize import Moved, Quantize, build_steps, default_steps
from shoal.quantize._step import Step
from shoal.quantize._stir import MODES, Stir

__all__ = [
    "MODES",
    "WAYS",
    "ClusterCounts",
    "EpsilonClusters",
    "Explorer",
    "Flatten",
    "Moved",
    "OutlierMap",
    "PullIn",
    "PushBack",
    "Quantize",
    "Step",
    "Stir",
    "build_steps",
    "default_steps",
]
