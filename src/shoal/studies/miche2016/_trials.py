"""The tables the paper's ideas are tried on, each split into rows to release and rows to test."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import polars as pl

from shoal._random import spawn
from shoal.datasets import Dataset, adult, medical_cost, wisconsin
from shoal.table import Roles, Table, read_table
from shoal.typing import FloatArray

SEED = 2016
TEST_SHARE = 0.3
TABLES = ("wisconsin", "medical_cost", "adult")
SMALL_ROWS = 3_000
ADULT_ROWS = 5_000  # of the train part, another draw of them each time

#: Table 1 of the paper: the one table it has.
EXAMPLE = pl.DataFrame(
    {
        "zip": ["13053", "13068", "13068", "13053", "14853"],
        "age": [28, 29, 21, 23, 50],
        "nationality": ["Russian", "American", "Japanese", "American", "Indian"],
        "condition": ["Heart disease", "Heart disease", "Viral infection", "Viral infection",
                      "Cancer"],
    }
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class MovingTrial:
    """Rows to release and untouched rows to test models on."""

    train: Dataset
    test: pl.DataFrame
    target: str

    @property
    def features(self) -> list[str]:
        """The quasi-identifiers: every column but the target."""
        return list(self.train.roles.quasi_identifiers)

    @property
    def first_number(self) -> str:
        """The first numeric quasi-identifier: what is done to it, distances can see."""
        return next(name for name in self.features if self.train.kinds[name] == "numeric")


def example_table() -> Table:
    """Read Table 1 with the roles the paper gives its columns."""
    roles = Roles(quasi_identifiers=["zip", "age", "nationality"], sensitive="condition")
    return read_table(EXAMPLE, roles=roles, kinds={"zip": "code", "age": "numeric"})


@cache
def find_trial(name: str, rows: int | None = None, draw: int = 0) -> MovingTrial:
    """Read a table and part it, another way for each draw; ``rows`` releases only so many."""
    if name == "adult":
        data, test = adult(part="train"), adult(part="test").frame
        frame = data.frame
        if rows:
            chance = spawn(SEED, f"{name} {draw}")
            frame = frame[np.sort(chance.choice(frame.height, size=rows, replace=False))]
        columns, target = list(data.roles.quasi_identifiers), "income"
    else:
        data = wisconsin() if name == "wisconsin" else medical_cost()
        target = "diagnosis" if name == "wisconsin" else "smoker"
        columns = _columns(name, data, target)
        asked = spawn(SEED, f"{name} {draw}").random(data.frame.height) < TEST_SHARE
        frame, test = data.frame.filter(pl.Series(~asked)), data.frame.filter(pl.Series(asked))
    chosen = [*columns, target]
    train = Dataset(
        name=name,
        frame=frame.select(chosen),
        roles=Roles(quasi_identifiers=columns, target=target),
        kinds={column: data.kinds[column] for column in chosen},
        hierarchies={c: tree for c, tree in data.hierarchies.items() if c in columns},
    )
    return MovingTrial(train, test.select(chosen), target)


def _columns(name: str, data: Dataset, target: str) -> list[str]:
    columns = [column for column in data.frame.columns if column != target]
    if name == "wisconsin":  # of thirty measurements of a tumor the ten means
        return [column for column in columns if column.startswith("mean ")]
    return columns


def numbers_of(trial: MovingTrial, frame: pl.DataFrame) -> FloatArray:
    """Numeric columns of a frame as multiples of the original's spread."""
    names = [n for n in trial.features if trial.train.kinds[n] == "numeric"]
    spread = trial.train.frame.select(pl.col(names).cast(pl.Float64).std()).to_numpy()
    numbers: FloatArray = frame.select(pl.col(names).cast(pl.Float64)).to_numpy() / spread
    return numbers
