"""The paper's two case studies: which table, which columns, which measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from shoal.datasets import Dataset, medical_cost, wisconsin
from shoal.typing import FloatArray, IntArray


@dataclass(frozen=True)
class PaperCase:
    """A table, the two columns a class is predicted from, and what the paper says came out."""

    name: str
    load: Callable[[], Dataset]
    columns: tuple[str, str]
    target: str
    positive: str
    metric: str
    stated_effort: int
    stated_k: int


CASES = {
    case.name: case
    for case in (
        PaperCase(
            name="Wisconsin",
            load=wisconsin,
            columns=("mean radius", "mean symmetry"),
            target="diagnosis",
            positive="malignant",
            metric="accuracy",
            stated_effort=3,
            stated_k=5,
        ),
        PaperCase(
            name="Medical Cost",
            load=medical_cost,
            columns=("bmi", "charges"),
            target="smoker",
            positive="yes",
            metric="precision",
            stated_effort=1,
            stated_k=2,
        ),
    )
}


@cache
def rows_of(name: str) -> tuple[FloatArray, IntArray]:
    """Both columns of a case as numbers, and its classes as 0 and 1."""
    case = CASES[name]
    frame = case.load().frame
    features = frame.select(case.columns).to_numpy().astype(np.float64)
    return features, (frame[case.target] == case.positive).to_numpy().astype(np.int64)


def score(case: PaperCase, right: Any, predicted: Any) -> float:
    """Measure predictions as the paper does for this case."""
    from sklearn.metrics import accuracy_score, precision_score

    if case.metric == "accuracy":
        return float(accuracy_score(right, predicted))
    return float(precision_score(right, predicted, zero_division=0.0))
