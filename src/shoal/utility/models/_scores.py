"""Scores: a measure over several seeds, always beside the constant predictor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

MEASURES = ("f1_macro", "f1_positive", "accuracy")


@dataclass(frozen=True)
class Score:
    """One measure of one model.

    Attributes
    ----------
    mean : float
        Mean over seeds.
    low, high : float or None
        Ends of the 95 % interval of the mean (Student's t); None with one seed. It speaks of the
        randomness of the model alone: a model that draws nothing has an interval of width 0.
    constant : float
        The same measure for always answering the most frequent class of the training rows.
    values : tuple of float
        One per seed.

    Examples
    --------
    >>> print(Score.of([0.70, 0.72, 0.74], constant=0.43))
    0.720 (0.670 to 0.770), constant 0.430
    """

    mean: float
    low: float | None
    high: float | None
    constant: float
    values: tuple[float, ...]

    @classmethod
    def of(
        cls,
        values: Sequence[float],
        constant: float,
        *,
        bounds: tuple[float, float] | None = (0.0, 1.0),
    ) -> Score:
        """Summarize the values of several seeds; ``bounds`` is what the measure can reach."""
        mean = float(np.mean(values))
        if len(values) < 2:
            return cls(mean, None, None, constant, tuple(values))
        from scipy.special import stdtrit

        error = float(np.std(values, ddof=1)) / len(values) ** 0.5
        reach = float(stdtrit(len(values) - 1, 0.975)) * error
        least, most = bounds or (-np.inf, np.inf)
        low, high = max(mean - reach, least), min(mean + reach, most)
        return cls(mean, low, high, constant, tuple(values))

    def __str__(self) -> str:
        interval = "" if self.low is None else f" ({self.low:.3f} to {self.high:.3f})"
        return f"{self.mean:.3f}{interval}, constant {self.constant:.3f}"


@dataclass(frozen=True)
class ModelScores:
    """What a model that learned from one table knows about untouched original rows.

    Attributes
    ----------
    model : str
        The model.
    f1_macro : Score
        Unweighted mean of the F1 of all classes (standard F1, 2 TP / (2 TP + FP + FN)).
    f1_positive : Score or None
        F1 of the positive class; None if there are more than two classes and none was named.
    accuracy : Score
        Share of right answers.
    rows_train, rows_test : int
        Rows learned from and tested on.
    unseen : mapping of str to int
        Test cells of each column that the encoder could not read; columns with none left out.
    warnings : tuple of str
        What a careful reader should know, such as a model that did not converge.
    """

    model: str
    f1_macro: Score
    f1_positive: Score | None
    accuracy: Score
    rows_train: int
    rows_test: int
    unseen: Mapping[str, int]
    warnings: tuple[str, ...] = ()

    @property
    def scores(self) -> dict[str, Score]:
        """The measures there are, by name."""
        found = {name: getattr(self, name) for name in MEASURES}
        return {name: score for name, score in found.items() if score is not None}

    def __str__(self) -> str:
        lines = [f"{self.model}, {self.rows_train:,} rows learned, {self.rows_test:,} tested"]
        lines += [f"  {name:<12} {score}" for name, score in self.scores.items()]
        return "\n".join([*lines, *(f"  {warning}" for warning in self.warnings)])

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as plain JSON values; measures that are not defined are left out."""
        return {name: value for name, value in asdict(self).items() if value is not None}
