"""Features of one attribute: numbers that mean the same for raw and for generalized values.

`learn_features` looks at the values of a column and returns `LineFeatures` (numbers, dates,
ordinals: where a span lies and how wide it is) or `TreeFeatures` (categories and codes: the
chance of each leaf).
"""

from shoal.utility._features._base import Features, is_star
from shoal.utility._features._learn import learn_features
from shoal.utility._features._line import LineFeatures
from shoal.utility._features._scales import DateScale, NumberScale, split_interval
from shoal.utility._features._tree import TreeFeatures

__all__ = [
    "DateScale",
    "Features",
    "LineFeatures",
    "NumberScale",
    "TreeFeatures",
    "is_star",
    "learn_features",
    "split_interval",
]
