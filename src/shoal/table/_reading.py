"""What every way of reading hands over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import polars as pl

Native: TypeAlias = Literal["polars", "pandas", "pyarrow"]


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A frame of plain columns, what its source said about them, and what to tell the reader."""

    frame: pl.DataFrame
    notes: tuple[str, ...] = ()
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    native: Native = "polars"
