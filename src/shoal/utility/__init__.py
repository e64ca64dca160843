"""What a release kept: loss measured, and models trained on it, tested on the original.

`measure_loss` gives the measures of the literature as a `LossReport`. `GeneralizedEncoder` puts
raw and generalized values into one feature space, and `shoal.utility.models` trains on a release
and tests on untouched originals. scikit-learn is imported only when one of these is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shoal.utility import models
from shoal.utility._features import (
    DateScale,
    LineFeatures,
    NumberScale,
    TreeFeatures,
    is_star,
    learn_features,
    split_interval,
)
from shoal.utility._loss import LossReport, measure_loss

if TYPE_CHECKING:
    from shoal.utility._encoder import GeneralizedEncoder

__all__ = [
    "DateScale",
    "GeneralizedEncoder",
    "LineFeatures",
    "LossReport",
    "NumberScale",
    "TreeFeatures",
    "is_star",
    "learn_features",
    "measure_loss",
    "models",
    "split_interval",
]


def __getattr__(name: str) -> Any:
    if name == "GeneralizedEncoder":  # a class of scikit-learn: seconds that most never need
        from shoal.utility._encoder import GeneralizedEncoder

        return GeneralizedEncoder
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
