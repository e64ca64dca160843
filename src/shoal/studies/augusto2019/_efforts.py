"""One effort: anonymize, train many forests, test each on originals and on anonymized rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from shoal.studies._base import Item, Size
from shoal.studies.augusto2019._cases import CASES, rows_of, score
from shoal.studies.augusto2019._schemes import EFFORTS, SCHEMES, anonymize

MODELS: Mapping[Size, int] = {"miniature": 2, "small": 10, "full": 100}
WHICH = {"first": (0,), "second": (1,), "both": (0, 1)}
BOTH = ("equal width, coarse", "rounding")  # finer bins of two columns leave everybody alone
TEST_SHARE = 0.3


def effort_items(size: Size) -> Iterator[Item]:
    """Every scheme, case and choice of columns, six efforts each, and the originals."""
    few = size == "miniature"
    schemes = list(SCHEMES)[::3] if few else list(SCHEMES)
    for case in CASES:
        for scheme in schemes:
            for which in WHICH:
                if (few and which != "first") or (which == "both" and scheme not in BOTH):
                    continue
                for effort in range(EFFORTS + 1):
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


def run_effort(case: str, scheme: str, columns: str, effort: int, models: int) -> dict[str, Any]:
    """Train ``models`` forests, each with its own seed and its own test rows."""
    features, answers = rows_of(case)
    published, k = anonymize(features, SCHEMES[scheme], effort, WHICH[columns])
    told = [_one(case, features, published, answers, seed) for seed in range(models)]
    on_originals, on_published = np.array(told).T
    return {
        "k": k,
        "q_f": float(on_originals.mean()),
        "spread": float(on_originals.std(ddof=1)),
        "masked": float(on_published.mean()),
        "constant": float(_constant(case, answers)),
    }


def _one(case: str, features: Any, published: Any, answers: Any, seed: int) -> tuple[float, float]:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import train_test_split

    rows = np.arange(len(answers))
    train, test = train_test_split(rows, test_size=TEST_SHARE, random_state=seed, stratify=answers)
    forest = RandomForestClassifier(n_estimators=50, random_state=seed)
    forest.fit(published[train], answers[train])
    original, anonymized = (forest.predict(rows_[test]) for rows_ in (features, published))
    right = answers[test]
    return score(CASES[case], right, original), score(CASES[case], right, anonymized)


def _constant(case: str, answers: Any) -> float:
    most = int(np.bincount(answers).argmax())
    return score(CASES[case], answers, np.full(len(answers), most))
