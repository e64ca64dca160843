"""The three tables that quantization is tried on, each split into rows to release and to test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.datasets import Dataset, adult, medical_cost, wisconsin
from shoal.table import Roles

TEST_SHARE = 0.3


@dataclass(frozen=True, eq=False)
class Trial:
    """A table to release, and untouched rows to test models on."""

    name: str
    train: Dataset
    test: pl.DataFrame
    target: str

    @property
    def features(self) -> list[str]:
        """Columns that models predict from: the quasi-identifiers."""
        return list(self.train.roles.quasi_identifiers)


def trials() -> list[Trial]:
    """Adult with its own test part; the others split once, three in ten rows to test.

    Every column but the target is a quasi-identifier (of the thirty measurements of a tumor the
    ten means), so that nothing a model learns from escapes anonymization.
    """
    costs = medical_cost()
    columns = [name for name in costs.frame.columns if name != "smoker"]
    tumors = wisconsin()
    means = [name for name in tumors.frame.columns if name.startswith("mean ")]
    return [
        Trial("adult", adult(part="train"), adult(part="test").frame, "income"),
        _split("wdbc", tumors, means, "diagnosis"),
        _split("insurance", costs, columns, "smoker"),
    ]


def _split(name: str, data: Dataset, columns: list[str], target: str) -> Trial:
    frame = data.frame.select(*columns, target)
    testing = np.random.default_rng(0).random(frame.height) < TEST_SHARE
    train = Dataset(
        name=name,
        frame=frame.filter(pl.Series(~testing)),
        roles=Roles(quasi_identifiers=columns, target=target),
        kinds={column: data.kinds[column] for column in frame.columns},
        hierarchies={c: tree for c, tree in data.hierarchies.items() if c in columns},
    )
    return Trial(name, train, frame.filter(pl.Series(testing)), target)
