"""The paper's four classifiers, taught with rows that are counted instead of repeated.

In a release many rows look alike: 30,162 rows at k = 50 are some 1,200 different ones. Teaching a
model each different row once, with its count as weight, gives the same model in a fraction of the
time: the losses of linear models and boosting are sums over rows, and a bootstrap of rows is a
multinomial draw of their counts.
"""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np

from shoal.typing import FloatArray, IntArray

MODEL_NAMES = {
    "linear_svc": "linear SVC",
    "logistic_regression": "logistic regression",
    "gradient_boosting": "gradient boosting",
    "random_forest": "random forest",
}
MODELS = tuple(MODEL_NAMES)


class Counted:
    """Rows that look alike and have the same class, once each with their count."""

    def __init__(self, features: FloatArray, look: IntArray, answers: IntArray) -> None:
        """Count rows; ``look`` numbers how each row looks, ``answers`` its class."""
        pair = look * (int(answers.max(initial=0)) + 1) + answers
        _, first, counts = np.unique(pair, return_index=True, return_counts=True)
        self.features = features[first]
        self.answers = answers[first]
        self.counts = counts.astype(np.float64)


class BaggedTrees:
    """A random forest whose trees see all features, on counted rows (Breiman, 2001)."""

    def __init__(self, trees: int, seed: int) -> None:
        self.trees = trees
        self.seed = seed

    def fit(self, features: FloatArray, answers: IntArray, sample_weight: FloatArray) -> Self:
        """Grow each tree on a bootstrap of the rows behind the counts."""
        from sklearn.tree import DecisionTreeClassifier

        chance = np.random.default_rng(self.seed)
        n = int(sample_weight.sum())
        self.n_classes_ = int(answers.max()) + 1
        self.trees_ = []
        features = features.astype(np.float32)  # as trees would: once, not for each
        for number in range(self.trees):
            drawn = chance.multinomial(n, sample_weight / n)
            kept = drawn > 0
            tree = DecisionTreeClassifier(random_state=number)
            weights = drawn[kept].astype(float)
            self.trees_.append(
                tree.fit(features[kept], answers[kept], sample_weight=weights, check_input=False)
            )
        return self

    def predict(self, features: FloatArray) -> IntArray:
        """Predict what the trees together find most likely."""
        votes = np.zeros((features.shape[0], self.n_classes_))
        features = features.astype(np.float32)
        for tree in self.trees_:
            votes[:, tree.classes_] += tree.predict_proba(features, check_input=False)
        said: IntArray = votes.argmax(axis=1)
        return said


def teach_and_ask(
    name: str, rows: Counted, asked: FloatArray, seed: int = 0, trees: int = 30
) -> IntArray:
    """Teach a model counted rows and return its answers for other rows, all scaled alike."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.preprocessing import StandardScaler
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    if np.unique(rows.answers).size < 2:  # nothing to tell apart
        return np.full(asked.shape[0], rows.answers[0])
    scaler = StandardScaler().fit(rows.features, sample_weight=rows.counts)
    model = _make(name, seed, trees)
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(scaler.transform(rows.features), rows.answers, sample_weight=rows.counts)
        found: IntArray = model.predict(scaler.transform(asked))
    return found


def _make(name: str, seed: int, trees: int) -> Any:
    """Make a model: one algorithm for each name, however many rows there are."""
    if name == "linear_svc":
        from sklearn.svm import LinearSVC

        return LinearSVC(dual=False, tol=1e-3, random_state=seed)
    if name == "logistic_regression":
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(class_weight="balanced", max_iter=1000)
    if name == "random_forest":
        return BaggedTrees(trees, seed)
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=40,
        max_depth=5,
        min_samples_leaf=1,
        l2_regularization=5.0,
        early_stopping=False,
        random_state=seed,
    )
