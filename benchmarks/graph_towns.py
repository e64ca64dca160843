"""Made-up networks of any size: people with attributes, in communities, a few with many friends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

COMMUNITY = 200  # people on average
INSIDE = 0.7  # of edges
QUASI = ("age", "sex", "region", "education", "job")


def write_town(folder: Path, people: int, edges: int, seed: int = 5) -> None:
    """Write ``people.csv`` and ``edges.csv``."""
    rng = np.random.default_rng(seed)
    names = np.array([f"p{i:06}" for i in range(people)])
    frame = {
        "id": names,
        "age": np.clip(rng.normal(40, 14, people), 17, 90).astype(int),
        "sex": rng.choice(["f", "m"], people),
        "region": [f"r{r:02}" for r in rng.integers(0, 20, people)],
        "education": rng.integers(1, 17, people),
        "job": [f"j{j:02}" for j in rng.integers(0, 14, people)],
    }
    pl.DataFrame(frame).write_csv(folder / "people.csv")
    pairs = draw_edges(rng, people, edges)
    ends = {"a": names[pairs[:, 0]], "b": names[pairs[:, 1]]}
    pl.DataFrame(ends).write_csv(folder / "edges.csv")


def draw_edges(rng: np.random.Generator, people: int, edges: int) -> np.ndarray:
    """Draw distinct edges: most inside a community, those of active people more often."""
    home = rng.integers(0, max(2, people // COMMUNITY), people)
    members = np.argsort(home, kind="stable")
    starts = np.searchsorted(home[members], np.arange(home.max() + 2))
    active = np.cumsum(rng.pareto(2.5, people) + 1)
    found = np.zeros(0, dtype=np.int64)
    while found.size < edges:
        few = edges - found.size + 1000
        one = np.searchsorted(active, rng.random(few) * active[-1])
        size = starts[home[one] + 1] - starts[home[one]]
        near = members[(starts[home[one]] + rng.random(few) * size).astype(int)]
        far = np.searchsorted(active, rng.random(few) * active[-1])
        two = np.where(rng.random(few) < INSIDE, near, far)
        low, high = np.minimum(one, two), np.maximum(one, two)
        found = np.unique(np.concatenate([found, (low * people + high)[low != high]]))
    chosen = rng.permutation(found)[:edges]
    return np.column_stack([chosen // people, chosen % people])
