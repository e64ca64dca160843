"""The models ready by name; scikit-learn is imported only when one is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shoal.exceptions import InvalidParameterError


def make_model(model: Any, seed: int = 0, *, n_jobs: int = 1) -> Any:
    """Make a fresh classifier with fixed settings.

    Parameters
    ----------
    model : str or classifier
        A name, or any scikit-learn classifier, which is copied.
    seed : int
        Given to everything in the model that draws at random.
    n_jobs : int
        Threads of a named model that can use several.

    Examples
    --------
    >>> make_model("random_forest", seed=3).random_state
    3
    """
    from sklearn.base import clone

    made = MODELS[_checked(model)]() if isinstance(model, str) else clone(model)
    draws = [name for name in made.get_params() if name.rpartition("__")[2] == "random_state"]
    made.set_params(**dict.fromkeys(draws, seed))
    if isinstance(model, str) and "n_jobs" in made.get_params(deep=False):
        made.set_params(n_jobs=n_jobs)
    return made


def _checked(name: str) -> str:
    if name not in MODELS:
        raise InvalidParameterError(
            f"There is no model named {name!r}.", hint=f"Models are {', '.join(MODELS)}."
        )
    return name


def _logistic_regression() -> Any:
    from sklearn.linear_model import LogisticRegression

    return _scaled(LogisticRegression(max_iter=1000))


def _linear_svc() -> Any:
    from sklearn.svm import LinearSVC

    return _scaled(LinearSVC(dual=False, max_iter=2000))


def _random_forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    # Leaves of five rows: full-grown trees learn single people, which no release shows anyway.
    return RandomForestClassifier(n_estimators=100, min_samples_leaf=5)


def _gradient_boosting() -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(early_stopping=False)


def _scaled(model: Any) -> Any:
    """Let a linear model see features of one scale: years and shares alike."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model)


MODELS: dict[str, Callable[[], Any]] = {
    "logistic_regression": _logistic_regression,
    "random_forest": _random_forest,
    "gradient_boosting": _gradient_boosting,
    "linear_svc": _linear_svc,
}
