"""A small town whose people know each other, as files and as frames."""

from __future__ import annotations

import numpy as np
import polars as pl


def town(n=40, seed=1, chance=0.12):
    """People with attributes and a secret, and who of them knows whom."""
    rng = np.random.default_rng(seed)
    people = pl.DataFrame(
        {
            "id": [f"p{i:03}" for i in range(n)],
            "age": rng.integers(18, 80, n),
            "sex": rng.choice(["f", "m"], n),
            "ill": rng.choice(["flu", "gout", "cold"], n),
        }
    )
    known = [(i, j) for i in range(n) for j in range(i) if rng.random() < chance]
    edges = pl.DataFrame(
        {"a": [f"p{i:03}" for i, _ in known], "b": [f"p{j:03}" for _, j in known]},
        schema={"a": pl.String, "b": pl.String},
    )
    return people, edges


def write_town(folder, **settings):
    people, edges = town(**settings)
    people.write_csv(folder / "people.csv")
    edges.write_csv(folder / "edges.csv")
    return people, edges
