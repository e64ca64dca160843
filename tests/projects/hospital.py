"""Patients of a small hospital, named by numbers that must never leave it."""

from __future__ import annotations

import numpy as np
import polars as pl

CANARY = "KANARIE"


def hospital(n: int = 60, seed: int = 1) -> pl.DataFrame:
    """Patients, one row each; every number has the canary in it."""
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "patient_no": [f"{CANARY}{i:05d}" for i in range(n)],
            "age": rng.integers(20, 80, n),
            "sex": rng.choice(["f", "m"], n),
            "ward": rng.choice(["A", "B", "C"], n),
            "ill": rng.choice(["flu", "gout", "cold"], n),
        }
    )
