"""Zeros without a sign: -0.0 equals 0.0, and must not tell which row came first."""

from __future__ import annotations

import polars as pl
import polars.selectors as cs


def drop_zero_signs(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn every -0.0 of a frame into 0.0.

    They compare as equal, so that sorting leaves them in the order of the input.

    >>> drop_zero_signs(pl.DataFrame({"x": [-0.0, 0.0, -1.5]}))["x"].to_list()
    [0.0, 0.0, -1.5]
    """
    floats = cs.float()
    return frame.with_columns(pl.when(floats == 0).then(0.0).otherwise(floats).name.keep())
