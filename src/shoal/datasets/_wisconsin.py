"""Breast Cancer Wisconsin (Diagnostic), as scikit-learn ships it."""

from __future__ import annotations

import polars as pl

from shoal.datasets._dataset import Dataset
from shoal.table import Roles
from shoal.typing import Kind


def wisconsin() -> Dataset:
    """Load 569 breast tumors: 30 measurements each, benign or malignant.

    Wolberg, Mangasarian, Street and Street (doi:10.24432/C5DW2B, CC BY 4.0), from scikit-learn,
    so it works offline. The quasi-identifiers are the two columns Augusto et al. (2019) predict
    the diagnosis from.

    >>> wisconsin()
    Dataset('wisconsin', 569 rows, 31 columns, 2 quasi-identifiers)
    """
    from sklearn.datasets import load_breast_cancer  # heavy: only for those who ask

    loaded = load_breast_cancer()
    features = [str(name) for name in loaded.feature_names]
    classes = pl.Series([str(name) for name in loaded.target_names])
    frame = pl.DataFrame(dict(zip(features, loaded.data.T, strict=True)))
    numeric: dict[str, Kind] = dict.fromkeys(features, "numeric")
    return Dataset(
        name="wisconsin",
        frame=frame.with_columns(classes.gather(loaded.target).alias("diagnosis")),
        roles=Roles(quasi_identifiers=("mean radius", "mean symmetry"), target="diagnosis"),
        kinds={**numeric, "diagnosis": "nominal"},
        description="Breast Cancer Wisconsin (Diagnostic); CC BY 4.0, doi:10.24432/C5DW2B.",
    )
