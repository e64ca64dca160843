"""The models ready by name; scikit-learn is imported only when one is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shoal.exceptions import InvalidParameterError


def make_model(
    model: Any,
    seed: int = 0,
    *,
    n_jobs: int = 1,
    task: str = "classification",
    scaled: bool = False,
) -> Any:
    """Make a fresh model with fixed settings.

    Parameters
    ----------
    model : str or estimator
        A name, or any scikit-learn classifier or regressor, which is copied.
    seed : int
        Given to everything in the model that draws at random.
    n_jobs : int
        Threads of a named model that can use several.
    task : {"classification", "regression"}
        What it predicts; the two forests have a form for each.
    scaled : bool
        Whether features come scaled (``GeneralizedEncoder(scaled=True)``): a named linear model
        then does not scale them by what it learns from.

    Examples
    --------
    >>> make_model("random_forest", seed=3).random_state
    3
    >>> list(make_model("logistic_regression", scaled=True).named_steps)
    ['logisticregression']
    """
    from sklearn.base import clone

    made = _named(model, task) if isinstance(model, str) else clone(model)
    if scaled and isinstance(model, str) and hasattr(made, "steps"):
        made = made[1:]  # all but the scaler
    draws = [name for name in made.get_params() if name.rpartition("__")[2] == "random_state"]
    made.set_params(**dict.fromkeys(draws, seed))
    if isinstance(model, str) and "n_jobs" in made.get_params(deep=False):
        made.set_params(n_jobs=n_jobs)
    return made


def _named(name: str, task: str) -> Any:
    known = MODELS if task == "classification" else REGRESSORS
    if name in known:
        return known[name]()
    if name in MODELS or name in REGRESSORS:
        told = "predicts classes" if name in MODELS else "predicts numbers"
        hint = f"For {'classes' if task == 'classification' else 'numbers'} use {', '.join(known)}."
        raise InvalidParameterError(f"The model {name!r} {told} only.", hint=hint)
    raise InvalidParameterError(
        f"There is no model named {name!r}.", hint=f"Models are {', '.join(known)}."
    )


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


def _linear_regression() -> Any:
    from sklearn.linear_model import Ridge

    return _scaled(Ridge())  # a little shrinkage: shares of a tree add up to one


def _regression_forest() -> Any:
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(n_estimators=100, min_samples_leaf=5)


def _regression_boosting() -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(early_stopping=False)


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
REGRESSORS: dict[str, Callable[[], Any]] = {
    "linear_regression": _linear_regression,
    "random_forest": _regression_forest,
    "gradient_boosting": _regression_boosting,
}
