"""Models: trained on a release of Adult, tested on its untouched test part."""

from __future__ import annotations

from typing import Any

from shoal.anonymizer import Anonymizer
from shoal.datasets import adult
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.utility import GeneralizedEncoder
from shoal.utility.models import compare

KS = (10, 50)
MODELS = ("logistic_regression", "gradient_boosting")
SEEDS = (0, 1)


def measure() -> dict[str, Any]:
    """Train each model on the original and on a release for each k."""
    train, test = adult(part="train"), adult(part="test")
    table = train.table()
    records = []
    for k in KS:
        made = Anonymizer(
            recoding=Generalize(train.hierarchies), privacy=KAnonymity(k), bound=False
        ).fit(table)
        for model in MODELS:
            scores = compare(
                train.frame,
                made.release_.frame,
                test.frame,
                target="income",
                quasi_identifiers=train.roles.quasi_identifiers,
                encoder=GeneralizedEncoder(train.hierarchies, kinds=train.kinds),
                model=model,
                seeds=SEEDS,
            )
            print(f"  k={k}\n{scores}", flush=True)
            records.append({"k": k, "model": model, "ngil": made.loss_.ngil, **scores.to_dict()})
    return {
        "table": "UCI Adult, complete rows: 30,162 to train, 15,060 to test",
        "features": list(train.roles.quasi_identifiers),
        "target": "income",
        "seeds": list(SEEDS),
        "records": records,
    }
