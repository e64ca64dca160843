"""How sure a score is: the same answers, measured on test rows drawn again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from shoal._random import spawn
from shoal.exceptions import InvalidParameterError
from shoal.typing import FloatArray

RESAMPLES = 200
WAYS = ("predict", "predict_proba", "decision_function")


class Remembered(BaseEstimator):  # type: ignore[misc]  # scikit-learn is not typed
    """A trained model that was asked about all test rows once; rows are given by number."""

    def __init__(self, model: Any, features: Any) -> None:
        self.model = model
        self.features = features

    def __sklearn_tags__(self) -> Any:
        return self.model.__sklearn_tags__()

    def __getattr__(self, name: str) -> Any:
        """Answer as the model does, from memory."""
        if name not in WAYS:
            if name.startswith("__") or "model" not in self.__dict__:
                raise AttributeError(name)
            return getattr(self.model, name)
        told = np.asarray(getattr(self.model, name)(self.features))

        def answer(rows: Any) -> Any:
            return told[rows]

        answer.__name__ = name  # scorers ask what it is called
        setattr(self, name, answer)
        return answer


def spread(
    measure: Callable[[Any, Any, Any], float], model: Any, features: Any, answers: Any
) -> FloatArray:
    """Scores of a model on test rows drawn with replacement (Efron, 1979).

    Always the same draws, so that several models can be averaged draw by draw. NaN where a draw
    holds no row of a class that the measure needs.
    """
    rng, remembered = spawn(0, "resampling"), Remembered(model, features)
    n = len(answers)
    return np.array(
        [_score(measure, remembered, answers, rng.integers(0, n, n)) for _ in range(RESAMPLES)]
    )


def interval(spreads: list[FloatArray]) -> tuple[float, float] | None:
    """Give the middle 95 % of the mean over models; None if too few draws could be measured."""
    means = np.mean(spreads, axis=0)
    known = means[np.isfinite(means)]
    if known.size < RESAMPLES // 2:
        return None
    low, high = np.percentile(known, [2.5, 97.5])
    return float(low), float(high)


def _score(measure: Callable[[Any, Any, Any], float], model: Any, answers: Any, rows: Any) -> float:
    try:
        return measure(model, rows, answers[rows])
    except InvalidParameterError:
        return float("nan")
