"""What people are called: a name that fits sex and origin, and a number that is theirs alone."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl

from shoal._random import spawn
from shoal.datasets._people._lives import SEXES, Lives
from shoal.datasets._people._world import Floats, code_of, draw, world
from shoal.typing import IntArray

MOST_PEOPLE = 10**8  # numbers 900-00-0000 to 999-99-9999, which no authority gives to anyone
_CULTURES = ("anglo", "hispanic", "european", "african", "asian_east", "asian_south", "arabic")
_BORN_HERE = [0.62, 0.14, 0.10, 0.05, 0.04, 0.03, 0.02]
_WIDEST = 64


def draw_names(lives: Lives, rng: np.random.Generator) -> pl.Series:
    """Draw a full name for each person; as in life, some share theirs."""
    culture = draw(spawn(rng, "culture"), _culture_chances(), lives.country)
    given = _pick(spawn(rng, "given name"), SEXES, culture * len(SEXES) + lives.sex)
    family = _pick(spawn(rng, "family name"), ("family",), culture)
    return (given + " " + family).alias("name")


def person_numbers(n: int, rng: np.random.Generator) -> pl.Series:
    """Give each person a number of their own, shaped like a social security number."""
    step, first = spawn(rng, "person_id").integers(MOST_PEOPLE // 10, size=2).tolist()
    # a step that ends in 7 has no factor in common with 10**8: it visits every number once
    number = (np.arange(n) * (10 * step + 7) + first) % MOST_PEOPLE + 9 * MOST_PEOPLE
    digits = pl.Series("person_id", number).cast(pl.String)
    return digits.str.slice(0, 3) + "-" + digits.str.slice(3, 2) + "-" + digits.str.slice(5, 4)


def _pick(rng: np.random.Generator, parts: tuple[str, ...], pool: IntArray) -> pl.Series:
    """Pick a name from the pool of each row; pools are numbered by culture, then part."""
    pools = [_pool(culture, part) for culture in _CULTURES for part in parts]
    padded = pl.Series([name for names in pools for name in names + [""] * (_WIDEST - len(names))])
    sizes = np.array([len(names) for names in pools])
    rank = np.arange(_WIDEST)
    common = np.where(rank < sizes[:, None], 1 / (rank + 4), 0.0)
    return padded.gather(pool * _WIDEST + draw(rng, common, pool))


def _pool(culture: str, part: str) -> list[str]:
    names = world("names").filter(pl.col("culture") == culture, pl.col("part") == part)["names"]
    return str(names.item()).split()


@cache
def _culture_chances() -> Floats:
    """By birth country."""
    own = [_CULTURES.index(name) for name in world("countries")["names"]]
    chances = 0.95 * np.eye(len(_CULTURES))[own] + 0.05 * np.array(_BORN_HERE)
    chances[code_of("countries", "United States")] = _BORN_HERE
    return chances
