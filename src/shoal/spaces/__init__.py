"""An attribute as a space of spans: what a span costs, how it is published, how it is searched."""

from shoal.spaces._base import Space, SpanForm
from shoal.spaces._build import build_spaces, default_step
from shoal.spaces._intervals import IntervalSpace
from shoal.spaces._sum import WeightedSpaces, normalize_weights
from shoal.spaces._trees import TreeSpace

__all__ = [
    "IntervalSpace",
    "Space",
    "SpanForm",
    "TreeSpace",
    "WeightedSpaces",
    "build_spaces",
    "default_step",
    "normalize_weights",
]
