"""KDD Census-Income: the large real table, for scaling."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import polars as pl

from shoal.datasets._dataset import Dataset
from shoal.datasets._store import PublicFile, fetch
from shoal.datasets._uci import read_uci
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import read_hierarchies
from shoal.table import Roles
from shoal.typing import Kind

COLUMNS = (
    "age",
    "class of worker",
    "detailed industry recode",
    "detailed occupation recode",
    "education",
    "wage per hour",
    "enroll in edu inst last wk",
    "marital stat",
    "major industry code",
    "major occupation code",
    "race",
    "hispanic origin",
    "sex",
    "member of a labor union",
    "reason for unemployment",
    "full or part time employment stat",
    "capital gains",
    "capital losses",
    "dividends from stocks",
    "tax filer stat",
    "region of previous residence",
    "state of previous residence",
    "detailed household and family stat",
    "detailed household summary in household",
    "instance weight",
    "migration code-change in msa",
    "migration code-change in reg",
    "migration code-move within reg",
    "live in this house 1 year ago",
    "migration prev res in sunbelt",
    "num persons worked for employer",
    "family members under 18",
    "country of birth father",
    "country of birth mother",
    "country of birth self",
    "citizenship",
    "own business or self employed",
    "fill inc questionnaire for veteran's admin",
    "veterans benefits",
    "weeks worked in year",
    "year",
    "income class",
)
NUMBERS = (
    "age",
    "wage per hour",
    "capital gains",
    "capital losses",
    "dividends from stocks",
    "instance weight",
    "num persons worked for employer",
    "weeks worked in year",
)
ROLES = Roles(
    quasi_identifiers=(
        "age",
        "sex",
        "race",
        "education",
        "marital stat",
        "class of worker",
        "major industry code",
        "major occupation code",
        "country of birth self",
        "detailed household summary in household",
    ),
    target="income class",
)
_FILES = {
    "train": PublicFile(
        "census_income_kdd/census_income_1994_1995_train.csv.gz",
        "3a8265c042a3a804761b804e3fbd2b44d26780fc11848cdc499a439b6ec209c2",
    ),
    "test": PublicFile(
        "census_income_kdd/census_income_1994_1995_test.csv.gz",
        "9d476164fbf1fdb9c79af8e567da35102f9309dbc1111740a63c07a437b0f034",
    ),
}


def census_income(part: Literal["train", "test"] = "train") -> Dataset:
    """Read KDD Census-Income, the US surveys of 1994 and 1995 (doi:10.24432/C5N30T, CC BY 4.0).

    The ten quasi-identifiers are what a neighbour or an employer knows of a person: age, sex, race,
    education, marital status, class of worker, industry, occupation, country of birth and the
    place in the household. Their hierarchies are ours. A question mark is a missing value; the
    trailing dot of the labels is removed. There is no download: the file must be on this machine.

    Parameters
    ----------
    part : {"train", "test"}
        199,523 or 99,762 rows.

    Examples
    --------
    >>> census_income()  # doctest: +SKIP
    Dataset('census_income', 199523 rows, 42 columns, 10 quasi-identifiers)
    """
    if part not in _FILES:
        raise InvalidParameterError("part must be 'train' or 'test'.")
    frame = read_uci(fetch(_FILES[part]), COLUMNS, NUMBERS)
    return Dataset(
        name="census_income",
        frame=frame.with_columns(pl.col("income class").str.strip_chars_end(".")),
        roles=ROLES,
        kinds={name: _kind(name) for name in COLUMNS},
        hierarchies=read_hierarchies(Path(__file__).parent / "ladders" / "census_income"),
        description="UCI Census-Income (KDD), 1994-1995; CC BY 4.0, doi:10.24432/C5N30T.",
    )


def _kind(column: str) -> Kind:
    return "numeric" if column in NUMBERS else "nominal"
