"""Models that judge a release: they learn from it and are tested on untouched original rows.

`train_and_test` scores one model on one training table, `compare` scores it on the original and on
the release, side by side (`compare_all` on several releases); no score comes without that of the
constant predictor. `make_model` builds the models ready by name: logistic_regression,
random_forest, gradient_boosting, linear_svc, and for numbers linear_regression and both forests.
"""

from shoal.utility.models._compare import ModelComparison, compare, compare_all
from shoal.utility.models._named import MODELS, REGRESSORS, make_model
from shoal.utility.models._scores import ModelScores, Score
from shoal.utility.models._training import train_and_test

__all__ = [
    "MODELS",
    "REGRESSORS",
    "ModelComparison",
    "ModelScores",
    "Score",
    "compare",
    "compare_all",
    "make_model",
    "train_and_test",
]
