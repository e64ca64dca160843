"""What every way of reading hands over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import polars as pl

from shoal.table._cells import CodedFrame

Native: TypeAlias = Literal["polars", "pandas", "pyarrow"]


@dataclass(frozen=True, eq=False)
class Origin:
    """Where a table came from, as it may be told to anybody who may see the table's columns.

    Attributes
    ----------
    kind : str
        What `shoal.table.sources.SOURCES` calls it, or ``"frame"``.
    name : str
        The name of the file, or the address of the database and what was read of it; no secrets.
    format : str
        What a release of it is written as, unless something else is asked for.
    codebook : Codebook, optional
        Labels, formats and missing codes that a statistics file keeps beside its cells.
    """

    kind: str = "frame"
    name: str = ""
    format: str = "csv"
    codebook: Any = field(default=None, repr=False)

    def to_dict(self) -> dict[str, str]:
        """Tell a script; a password was never in here."""
        return {"kind": self.kind, **({"name": self.name} if self.name else {})}


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A frame of plain columns, what its source said about them, and what to tell the reader."""

    given: CodedFrame | pl.DataFrame
    notes: tuple[str, ...] = ()
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    native: Native = "polars"
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # texts, by column
    origin: Origin = field(default_factory=Origin)

    @property
    def frame(self) -> pl.DataFrame:
        """The frame, written out."""
        return self.given if isinstance(self.given, pl.DataFrame) else self.given.frame
