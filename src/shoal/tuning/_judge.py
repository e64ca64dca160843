"""The judge: models trained on a release and measured on rows that nobody touched."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.tuning._resampling import interval, spread
from shoal.tuning._target import Target
from shoal.typing import FloatArray, IntArray
from shoal.utility.models import Score, make_model

LINEAR = ("logistic_regression", "linear_svc", "linear_regression")
TREES = ("random_forest", "gradient_boosting")


@dataclass(frozen=True, eq=False)
class Judge:
    """The models that will use the data, and how they are measured.

    Parameters
    ----------
    target : Target
        What is predicted, and the measure.
    models : tuple
        Names of `shoal.utility.models.MODELS` or scikit-learn estimators.
    seeds : tuple of int
        Every model is trained once for each.
    n_jobs : int
        Threads of one model.
    """

    target: Target
    models: tuple[Any, ...]
    seeds: tuple[int, ...] = (0,)
    n_jobs: int = 1

    def judge(
        self,
        features: Any,
        answers: Any,
        tests: Sequence[tuple[Any, Any]],
        *,
        single: tuple[Any, Any] | None = None,
        resampled: bool = False,
    ) -> list[Judgement]:
        """Train all models and measure each on every test set; one judgement for each set.

        The trees we name learn from ``single``, features and answers of rows that were drawn out of
        ranges, if there are any: trees that learn from the midpoints of a few groups cut between
        them by luck. All others learn from the features. The interval of a score is that over
        models and seeds, or (``resampled``) over draws of the test rows.
        """
        if not len(answers):
            raise InvalidParameterError("No rows are left after suppression to learn from.")
        if self.target.classes and np.unique(answers).size < 2:
            raise InvalidParameterError("Only one class is left to learn from.")
        constants = [self._constant(answers, test) for test in tests]
        scores: list[list[float]] = [[] for _ in tests]
        draws: list[list[FloatArray]] = [[] for _ in tests]
        notes: dict[str, None] = {}
        distinct = _collapse(features, answers)
        for name, model in self._made():
            with _listening(name, notes), self.alone():
                if name in LINEAR:
                    _fit_weighted(model, features, answers, *distinct)
                else:
                    model.fit(*(single if single and name in TREES else (features, answers)))
            for told, test in zip(scores, tests, strict=True):
                told.append(self.measure(model, *test))
            if resampled and isinstance(self.target.metric, str):  # others may look at features
                for drawn, test in zip(draws, tests, strict=True):
                    drawn.append(spread(self.measure, model, *test))
        return [
            Judgement(_within(Score.of(told, constant, bounds=None), drawn), tuple(notes))
            for told, constant, drawn in zip(scores, constants, draws, strict=True)
        ]

    def check(self, features: Any, answers: Any, test: tuple[Any, Any]) -> None:
        """Try the measure on a model that needs no time; refuse what can never work."""
        names = [model for model in self.models if isinstance(model, str)]
        for name in names:
            make_model(name, task=self.target.task)
        self._constant(answers, test)

    def _made(self) -> Iterator[tuple[str, Any]]:
        for model in self.models:
            name = model if isinstance(model, str) else type(model).__name__
            for seed in self.seeds:
                told: dict[str, Any] = {"n_jobs": self.n_jobs, "task": self.target.task}
                yield name, make_model(model, seed, scaled=True, **told)  # as the encoder does

    def _constant(self, answers: Any, test: tuple[Any, Any]) -> float:
        """Score of always giving the most frequent class, or the mean."""
        from sklearn.dummy import DummyClassifier, DummyRegressor

        dummy = DummyClassifier() if self.target.classes else DummyRegressor()
        return self.measure(dummy.fit(np.zeros((len(answers), 1)), answers), *test)

    def alone(self) -> Any:
        """Keep to the threads allowed: more would fight with the other workers for the cores."""
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        return threadpool_limits(self.n_jobs)

    def quick_model(self) -> Any:
        """Make a model that learns any table in a second or two, to look where to begin."""
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

        kind = HistGradientBoostingClassifier if self.target.classes else None
        return (kind or HistGradientBoostingRegressor)(max_iter=40, random_state=0)

    def measure(self, model: Any, features: Any, answers: Any) -> float:
        """Score a trained model; whatever goes wrong becomes a sentence without a value."""
        from sklearn.metrics import get_scorer

        metric = self.target.metric
        try:
            scorer = get_scorer(metric) if isinstance(metric, str) else metric
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a class that is never predicted is a fact here
                score = float(scorer(model, features, answers))
        except Exception as error:  # whatever a scorer raises may quote what it looked at
            raise InvalidParameterError(
                f"The metric {self.target.metric_name!r} could not score a model of column "
                f"{self.target.name!r} ({type(error).__name__}).",
                hint=_which_metric(self.target),
            ) from None
        if not np.isfinite(score):
            raise InvalidParameterError(f"The metric {self.target.metric_name!r} gave no number.")
        return score


@dataclass(frozen=True)
class Judgement:
    """A score over models and seeds, and what happened on the way (no convergence)."""

    score: Score
    notes: tuple[str, ...] = ()


def _within(score: Score, draws: list[FloatArray]) -> Score:
    """The score with the interval over draws of the test rows, if there are any."""
    ends = interval(draws) if draws else None
    return score if ends is None else replace(score, low=ends[0], high=ends[1])


@contextmanager
def _listening(name: str, notes: dict[str, None]) -> Iterator[None]:
    """Keep the complaint of a model that does not converge; drop all others."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        yield
    if any(issubclass(told.category, ConvergenceWarning) for told in heard):
        notes[f"The model {name} did not converge."] = None


def _collapse(features: Any, answers: Any) -> tuple[IntArray, IntArray]:
    """Rows that differ, and how often each occurs: those of a group are mostly alike."""
    codes = np.unique(answers, return_inverse=True)[1].astype(np.float32)
    rows = np.ascontiguousarray(np.column_stack([features, codes]), dtype=np.float32)
    packed = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, counts = np.unique(packed, return_index=True, return_counts=True)
    return first, counts


def _fit_weighted(
    model: Any, features: Any, answers: Any, first: IntArray, counts: IntArray
) -> None:
    """Fit a scaled linear model on distinct rows with their counts: the same model, sooner."""
    weights = {f"{step}__sample_weight": counts for step, _ in model.steps}
    model.fit(features[first], answers[first], **weights)


def _which_metric(target: Target) -> str:
    if not target.classes:
        return "For numbers use r2 or neg_mean_absolute_error."
    if len(target.classes) == 2:
        return "For two classes use f1_macro, accuracy, precision, recall, f1 or roc_auc."
    return "For several classes use f1_macro, accuracy, precision_macro or recall_macro."
