"""Where people live: a few crowded ZIP codes, many small ones, and what the place is like."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import polars as pl

from shoal._random import spawn
from shoal.datasets._people._world import Floats, draw, numbers, world
from shoal.typing import IntArray

DENSITIES = ("rural", "town", "city")
N_HARDSHIPS = 4  # from well-off (0) to deprived (3)


@dataclass(frozen=True, eq=False)
class Places:
    """All ZIP codes there are, one entry each."""

    labels: pl.Series
    people: Floats
    area: IntArray
    density: IntArray
    hardship: IntArray


@dataclass(frozen=True, eq=False)
class Homes:
    """The place of each person, as codes."""

    zip: IntArray
    area: IntArray
    density: IntArray
    hardship: IntArray


def draw_homes(n: int, rng: np.random.Generator) -> Homes:
    """Draw a home for each of ``n`` people."""
    there = places()
    code = draw(spawn(rng, "zip"), there.people[None, :], np.zeros(n, dtype=np.int64))
    return Homes(code, there.area[code], there.density[code], there.hardship[code])


@cache
def places() -> Places:
    """Lay out the ZIP codes of every area: few take most of its people (a Zipf-Mandelbrot law).

    >>> there = places()
    >>> len(there.labels), there.labels.n_unique(), there.labels.str.starts_with("0").any()
    (1144, 1144, True)
    """
    n_zips = world("areas")["zips"].to_numpy()
    area = np.repeat(np.arange(n_zips.size), n_zips)
    rank = np.concatenate([np.arange(size) for size in n_zips])
    return Places(
        labels=_zip_labels(area, rank),
        people=_people_by_rank(area, rank),
        area=area,
        density=area_density()[area],
        hardship=_hardship(area, rank),
    )


def area_density() -> IntArray:
    """Tell how densely each area is settled, as a code."""
    return np.array([DENSITIES.index(name) for name in world("areas")["density"]])


def _zip_labels(area: IntArray, rank: IntArray) -> pl.Series:
    suffix = (7 * rank + 11 * area + 1) % 100  # 7 has no factor in common with 100: all distinct
    prefix = world("areas")["prefix"].gather(area)
    return (prefix + pl.Series(suffix).cast(pl.String).str.zfill(2)).alias("zip")


def _people_by_rank(area: IntArray, rank: IntArray) -> Floats:
    raw = (rank + 1.0) ** -1.9
    return raw / np.bincount(area, raw)[area] * numbers("areas", "people")[area]


def _hardship(area: IntArray, rank: IntArray) -> IntArray:
    golden = (rank * 0.6180339887 + area * 0.4142135624) % 1.0  # even, without a pattern
    felt = numbers("areas", "hardship")[area] + 0.6 * (golden - 0.5)
    return np.clip(felt * N_HARDSHIPS, 0, N_HARDSHIPS - 1).astype(np.int64)
