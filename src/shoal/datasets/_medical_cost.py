"""Medical Cost: the beneficiaries of a health insurance in Lantz, "Machine Learning with R"."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.datasets._dataset import Dataset
from shoal.datasets._store import PublicFile, fetch
from shoal.hierarchies import read_hierarchies
from shoal.table import Roles
from shoal.typing import Kind

_FILE = PublicFile(
    "insurance/insurance.csv",
    "505c1cbc2e63d0363bac59501563df2530aadf4cdb9cfee226f4ef32f5468281",
    "https://raw.githubusercontent.com/stedy/Machine-Learning-with-R-datasets/master/insurance.csv",
)
_KINDS: dict[str, Kind] = {
    "age": "numeric",
    "sex": "nominal",
    "bmi": "numeric",
    "children": "numeric",
    "smoker": "nominal",
    "region": "nominal",
    "charges": "numeric",
}


def medical_cost() -> Dataset:
    """Read the Medical Cost table: 1,338 simulated people, public domain.

    Augusto et al. (2019) predict ``smoker`` from ``bmi`` and ``charges``. Here what others may know
    of a person (age, sex, bmi, children, region) is quasi-identifying, the charges are sensitive.

    Examples
    --------
    >>> medical_cost()  # doctest: +SKIP
    Dataset('medical_cost', 1338 rows, 7 columns, 5 quasi-identifiers)
    """
    return Dataset(
        name="medical_cost",
        frame=pl.read_csv(fetch(_FILE)),
        roles=Roles(
            quasi_identifiers=("age", "sex", "bmi", "children", "region"),
            sensitive="charges",
            target="smoker",
        ),
        kinds=_KINDS,
        hierarchies=read_hierarchies(Path(__file__).parent / "ladders" / "medical_cost"),
        description='Lantz, "Machine Learning with R"; simulated, public domain.',
    )
