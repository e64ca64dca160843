"""The people of the experiment: Adult without four columns, ten quasi-identifiers and a target."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl

from shoal._random import spawn
from shoal.datasets import Dataset, adult
from shoal.table import Roles, Table, read_table

TARGETS = ("income", "marital-status", "education-num")
KS = (5, 10, 20, 50, 100, 200)
DROPPED = ("fnlwgt", "education", "capital-gain", "capital-loss")
NUMBERS = ("age", "hours-per-week", "education-num")
CATEGORIES = (
    "workclass",
    "native-country",
    "sex",
    "race",
    "relationship",
    "occupation",
    "marital-status",
    "income",
)
PUBLISHED_ROWS, INPUT_ROWS, TRAIN_ROWS = 3_000, 5_000, 30_162
SEED = 2017
EQUAL = 0.1  # the original's weight of each of the ten attributes
#: Education years below these are one class: pre-school, school, college, advanced studies.
EDUCATION_STEPS = (3, 10, 14)


def quasi_identifiers(target: str) -> tuple[str, ...]:
    """Name the ten columns beside the target, in the order of the published files."""
    return tuple(name for name in (*NUMBERS, *CATEGORIES) if name != target)


def equal_weights(target: str) -> dict[str, float]:
    """Give the original's weights of the ten quasi-identifiers."""
    return dict.fromkeys(quasi_identifiers(target), EQUAL)


@cache
def people() -> Dataset:
    """Read the complete rows of both parts of Adult, the train part first, in file order."""
    data = adult(part="both", hierarchies="malle")
    return Dataset(
        name="adult",
        frame=data.frame.drop(DROPPED),
        roles=Roles(quasi_identifiers=quasi_identifiers("income"), target="income"),
        kinds={name: kind for name, kind in data.kinds.items() if name not in DROPPED},
        hierarchies=data.hierarchies,
        description=data.description,
    )


def first_rows(n: int) -> pl.DataFrame:
    """Take the first ``n`` complete rows."""
    return people().frame.head(n)


def drawn_rows(n: int, draw: int) -> pl.DataFrame:
    """Take ``n`` rows of the train part: the first ones, as the authors did, or another draw."""
    if draw == 0:
        return first_rows(n)
    chosen = spawn(SEED, f"{n} rows, draw {draw}").choice(TRAIN_ROWS, size=n, replace=False)
    return first_rows(TRAIN_ROWS)[np.sort(chosen)]


def untouched_rows() -> pl.DataFrame:
    """Take Adult's own test part: originals that have no part in any smaller release."""
    return people().frame.slice(TRAIN_ROWS)


def as_table(frame: pl.DataFrame, target: str) -> Table:
    """Read rows with the roles they have when ``target`` is to be predicted."""
    roles = Roles(quasi_identifiers=quasi_identifiers(target), target=target)
    return read_table(frame, roles=roles, kinds=people().kinds)


def classes(frame: pl.DataFrame, target: str) -> pl.Series:
    """Read the classes to predict; years of education become the paper's four groups.

    >>> classes(pl.DataFrame({"education-num": [2, 9, 13, 16]}), "education-num").to_list()
    ['0', '1', '2', '3']
    """
    column = frame[target]
    if target != "education-num":
        return column.cast(pl.String)
    years = column.cast(pl.Float64)
    group = sum(((years >= step).cast(pl.Int64) for step in EDUCATION_STEPS), start=years * 0)
    return group.cast(pl.Int64).cast(pl.String)
