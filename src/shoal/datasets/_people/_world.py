"""The world `people` live in: small tables of what exists and how common it is, and a dice cup."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.typing import IntArray

Floats: TypeAlias = NDArray[np.float64]


@cache
def world(name: str) -> pl.DataFrame:
    """Read one table of the world; its first column is what exists, in the order of its codes.

    >>> world("marital_status").columns
    ['marital_status', 'bond']
    """
    text = (files(__package__) / "world" / f"{name}.csv").read_text(encoding="utf-8")
    return pl.read_csv(text.encode(), schema_overrides={"prefix": pl.String, "hub": pl.String})


def labels(name: str) -> pl.Series:
    """List what exists in one table of the world.

    >>> labels("marital_status")[0]
    'Never married'
    """
    return world(name).to_series(0)


def numbers(name: str, column: str) -> Floats:
    """Read a column of numbers about what exists."""
    return world(name)[column].cast(pl.Float64).to_numpy()


def ladder(name: str, levels: int) -> list[tuple[str, ...]]:
    """Turn the first ``levels`` columns of a table into ladder rows that end at the root.

    >>> ladder("marital_status", 2)[1]
    ('Married', 'Partnered', '*')
    """
    return [(*row[:levels], "*") for row in world(name).iter_rows()]


def code_of(name: str, label: str) -> int:
    """Look up the code of something that exists.

    >>> code_of("marital_status", "Widowed")
    6
    """
    return labels(name).to_list().index(label)


def bands(starts: list[int], values: IntArray) -> IntArray:
    """Tell the band of each value; band i begins at ``starts[i]`` and ends before the next.

    >>> bands([0, 18, 65], np.array([17, 18, 80])).tolist()
    [0, 1, 2]
    """
    return np.searchsorted(np.asarray(starts), values, side="right") - 1


def draw(rng: np.random.Generator, chances: Floats, *given: IntArray) -> IntArray:
    """Draw one code per row from the line ``chances[given[0][row], given[1][row], ...]``.

    One uniform number is used per row, so that the first rows do not depend on how many follow.

    >>> chances = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]])
    >>> draws = draw(np.random.default_rng(0), chances, np.repeat([0, 1], 1000))
    >>> np.bincount(draws[:1000]).tolist(), np.unique(draws[1000:]).tolist()
    ([1000], [1, 2])
    """
    line = np.ravel_multi_index(given, chances.shape[:-1])
    steps = np.cumsum(chances.reshape(-1, chances.shape[-1]), axis=1)
    steps /= steps[:, -1:]
    line_ends = (steps + np.arange(len(steps))[:, None]).ravel()
    dice = rng.random(line.size) * (1 - 1e-9)  # line + dice must never round up to the next line
    found = np.searchsorted(line_ends, line + dice, side="right")
    codes: IntArray = (found - line * chances.shape[-1]).astype(np.int32)
    return codes
