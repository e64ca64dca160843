"""Small tables of people with something to predict."""

from __future__ import annotations

import numpy as np
import polars as pl

CANARY = "zanzibar-canary"


def town(n=400, seed=0):
    """People whose smoking depends on age and job, and whose bill on age; a pet tells nothing."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    job = rng.choice(["nurse", "clerk", "cook", "smith"], n)
    smokes = (age < 45) ^ (job == "smith") ^ (rng.random(n) < 0.08)
    return pl.DataFrame(
        {
            "age": age,
            "job": job,
            "pet": rng.choice(["cat", "dog", "newt"], n),
            "zip": [f"{z:04}" for z in rng.integers(8000, 8100, n)],
            "bill": (age * 10 + rng.normal(0, 20, n)).round(1),
            "disease": rng.choice(["flu", "gout", "mumps"], n),
            "smoker": np.where(smokes, "yes", "no"),
        }
    )


COLUMNS = {"target": "smoker", "quasi_identifiers": ["age", "job", "pet"]}
