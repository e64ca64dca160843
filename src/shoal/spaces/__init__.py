"""An attribute as a space of spans: what a span costs, how it is published, how it is searched."""

from shoal.spaces._base import (
    OF_PAPERS,
    Space,
    SpanForm,
    WeightedSpaces,
    group_boxes,
    normalize_weights,
)
from shoal.spaces._build import ON_GRIDS, build_spaces, default_step
from shoal.spaces._losses import LOSSES, node_losses
from shoal.spaces._spans import IntervalSpace, TreeSpace

__all__ = [
    "LOSSES",
    "OF_PAPERS",
    "ON_GRIDS",
    "IntervalSpace",
    "Space",
    "SpanForm",
    "TreeSpace",
    "WeightedSpaces",
    "build_spaces",
    "default_step",
    "group_boxes",
    "node_losses",
    "normalize_weights",
]
