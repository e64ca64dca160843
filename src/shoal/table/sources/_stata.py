"""Stata files: labels and formats are kept; .a to .z are missing, as . is."""

from __future__ import annotations

from pathlib import Path

from shoal.table._reading import Reading
from shoal.table.sources._base import Place, TableSource
from shoal.table.sources._statistics import read_statistics


class StataFile(TableSource):
    """A Stata file."""

    kind = "stata"
    format = "dta"

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell by the end of the name."""
        return place.suffix in {".dta"}

    def fetch(self) -> Reading:
        """Read all columns."""
        return read_statistics(Path(self.place.where), "read_dta", "a Stata file")
