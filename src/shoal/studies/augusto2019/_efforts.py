"""One effort: anonymize, train many forests, test each on originals and on anonymized rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from shoal.studies._base import Item, Size
from shoal.studies.augusto2019._cases import CASES, rows_of, score
from shoal.studies.augusto2019._schemes import EFFORTS, SCHEMES, anonymize
from shoal.typing import FloatArray

MODELS: Mapping[Size, int] = {"miniature": 2, "small": 10, "full": 100}
WHICH = {"first": (0,), "second": (1,), "both": (0, 1)}
BOTH = ("equal width, coarse", "rounding")  # finer bins of two columns leave everybody alone
TEST_SHARE = 0.3
TREES = 25
DIGITS = 4  # of the score of each model that is kept


def effort_items(size: Size) -> Iterator[Item]:
    """The originals, then every scheme, case and choice of columns, six efforts each."""
    few = size == "miniature"
    schemes = list(SCHEMES)[::3] if few else list(SCHEMES)
    for case in CASES:
        yield Item("original", {"case": case, "models": MODELS[size]})
        for scheme in schemes:
            for which in WHICH:
                if (few and which != "first") or (which == "both" and scheme not in BOTH):
                    continue
                for effort in range(1, EFFORTS + 1):
                    yield Item(
                        "effort",
                        {
                            "case": case,
                            "scheme": scheme,
                            "columns": which,
                            "effort": effort,
                            "models": MODELS[size],
                        },
                    )


def run_original(case: str, models: int) -> dict[str, Any]:
    """Train forests on the rows as they are: effort 0 of every scheme."""
    features, _ = rows_of(case)
    return {"k": 1, **_tested(case, features, models)}


def run_effort(case: str, scheme: str, columns: str, effort: int, models: int) -> dict[str, Any]:
    """Anonymize, train forests on what is published, and test them on originals."""
    features, _ = rows_of(case)
    published, k = anonymize(features, SCHEMES[scheme], effort, WHICH[columns])
    return {"k": k, **_tested(case, published, models)}


def _tested(case: str, published: FloatArray, models: int) -> dict[str, Any]:
    """Train ``models`` forests, each with its own seed and its own test rows."""
    features, answers = rows_of(case)
    told = [_one(case, features, published, answers, seed) for seed in range(models)]
    on_originals, on_published = np.array(told).T
    return {
        "q_f": float(on_originals.mean()),
        "spread": float(on_originals.std(ddof=1)),
        "masked": float(on_published.mean()),
        "constant": float(_constant(case, answers)),
        "scores": on_originals.round(DIGITS).tolist(),
        "masked_scores": on_published.round(DIGITS).tolist(),
    }


def _one(case: str, features: Any, published: Any, answers: Any, seed: int) -> tuple[float, float]:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import train_test_split

    rows = np.arange(len(answers))
    train, test = train_test_split(rows, test_size=TEST_SHARE, random_state=seed, stratify=answers)
    forest = RandomForestClassifier(n_estimators=TREES, random_state=seed)
    forest.fit(published[train], answers[train])
    original, anonymized = (forest.predict(rows_[test]) for rows_ in (features, published))
    right = answers[test]
    return score(CASES[case], right, original), score(CASES[case], right, anonymized)


def _constant(case: str, answers: Any) -> float:
    """The better of the two answers that could be given to everybody."""
    return max(score(CASES[case], answers, np.full(len(answers), said)) for said in (0, 1))
