"""UCI Adult: the census extract the literature of k-anonymity measures itself on."""

from __future__ import annotations

from typing import Literal

import polars as pl

from shoal.datasets._dataset import Dataset
from shoal.datasets._store import PublicFile, fetch
from shoal.datasets._uci import read_uci
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Hierarchy, read_hierarchy
from shoal.table import Roles
from shoal.typing import Kind

COLUMNS = (
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "income",
)
NUMBERS = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
ROLES = Roles(
    quasi_identifiers=(
        "sex",
        "age",
        "race",
        "marital-status",
        "education",
        "native-country",
        "workclass",
        "occupation",
    ),
    target="income",
)

_UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/adult"
_FILES = {
    "train": PublicFile(
        "adult/adult.data",
        "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
        f"{_UCI}/adult.data",
    ),
    "test": PublicFile(
        "adult/adult.test",
        "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
        f"{_UCI}/adult.test",
    ),
}
_ARX = {
    "education": "f22e5ee519c28b05538d4e5ddea0fbee5f0017fefb3abab3fa02272325bf9ce5",
    "marital-status": "3e7ba2c4a5cd4fec059b4e3a2c57fce6e7c34a20daee1e624990ddd7beba85e5",
    "native-country": "696d3b53973311c096b33f98bb56e526016910b1a1cd5a1e904cb799d1077023",
    "occupation": "16dc420d5d7f8ab4d1e6144eb1d19ab8314ef42523fe8c4ee202372db1c98126",
    "race": "df11abf41fa0669455adc9c9f9fa88663afa0cee8327684ecca861cd32dc4209",
    "sex": "537d23f7b6969b916b5a5490eb1b32c273fefdc62ca050a7a813e23bbf3b78b2",
    "workclass": "106f420349bf0071dbb25371795a78799edf24a64c3424619d563c3990ee8d02",
}
_MALLE = {
    "income": "164bc15a1ea859874845a453167950f69251ebe996c314280fea5511d49abbd7",
    "marital-status": "0b06ffb1885c17f0292301f4007f81a5e529e9b938061260cef924b4daa06fcc",
    "native-country": "6458974f0c1b3e434450c368e03a7665610622e12321cb43f1fc45586cbea7af",
    "occupation": "1e0b552b560a7696e14ac6c65abd2ab01ddfbf3e723775487ae7bdcdb7ae5818",
    "race": "4730f04650f93ec67001dfe8dbcbbca59a44f3a4e67bbb9abacd17c0a47f6c4d",
    "relationship": "91910673e7fdc74bdb03d5cad65dcd7bb856412f995253dca86ad9daf6156405",
    "sex": "e90f838cc2812f1b0762a84362418cd7a6c5391ec5b9d25ff2a826451b09091e",
    "workclass": "0b525971af6ca0e4f57ebebe32a9c1b50a4c0d955443987eafe456e5d3a56764",
}
_RAW = "https://raw.githubusercontent.com"
_LADDERS = {
    "arx": {
        column: PublicFile(
            f"adult_hierarchies/arx/adult_hierarchy_{column}.csv",
            sha256,
            f"{_RAW}/arx-deidentifier/arx/master/data/adult_hierarchy_{column}.csv",
        )
        for column, sha256 in _ARX.items()
    },
    "malle": {
        column: PublicFile(
            f"adult_hierarchies/malle/{column}GH.json",
            sha256,
            f"{_RAW}/cassinius/iml-anonymization-data/master/inputs/genHierarchies/{column}GH.json",
        )
        for column, sha256 in _MALLE.items()
    },
}


def adult(
    complete: bool = True,
    part: Literal["train", "test", "both"] = "train",
    hierarchies: Literal["arx", "malle"] = "arx",
) -> Dataset:
    """Read UCI Adult, 1994 US census data (Kohavi and Becker; doi:10.24432/C5XW20, CC BY 4.0).

    Columns are named as in UCI's ``adult.names``; the trailing dot of the labels of the test part
    is removed. A question mark is a missing value (workclass, occupation, native-country).

    Parameters
    ----------
    complete : bool
        Leave out rows with a missing value: 30,162 of 32,561 train rows and 15,060 of 16,281
        test rows remain.
    part : {"train", "test", "both"}
        Which of UCI's two files, or one after the other.
    hierarchies : {"arx", "malle"}
        The ladders that come with ARX, or the trees of Malle et al. (2017), which have none for
        education. Age is a number and needs none.

    Raises
    ------
    MissingDataError
        The files are not on this machine and cannot be downloaded.

    Examples
    --------
    >>> adult()  # doctest: +SKIP
    Dataset('adult', 30162 rows, 15 columns, 8 quasi-identifiers)
    """
    if part not in ("train", "test", "both"):
        raise InvalidParameterError("part must be 'train', 'test' or 'both'.")
    if hierarchies not in _LADDERS:
        raise InvalidParameterError("hierarchies must be 'arx' or 'malle'.")
    parts = ("train", "test") if part == "both" else (part,)
    frame = pl.concat([_read_part(name) for name in parts])
    return Dataset(
        name="adult",
        frame=frame.drop_nulls() if complete else frame,
        roles=ROLES,
        kinds={name: _kind(name) for name in COLUMNS},
        hierarchies=_read_ladders(hierarchies),
        description="UCI Adult, 1994 US census data; CC BY 4.0, doi:10.24432/C5XW20.",
    )


def _read_part(part: str) -> pl.DataFrame:
    frame = read_uci(fetch(_FILES[part]), COLUMNS, NUMBERS)
    return frame.with_columns(pl.col("income").str.strip_chars_end("."))


def _kind(column: str) -> Kind:
    return "numeric" if column in NUMBERS else "nominal"


def _read_ladders(which: str) -> dict[str, Hierarchy]:
    return {column: read_hierarchy(fetch(file)) for column, file in _LADDERS[which].items()}
