"""SPSS files: labels, codes that mean missing, and formats are kept."""

from __future__ import annotations

from pathlib import Path

from shoal.table._reading import Reading
from shoal.table.sources._base import Place, TableSource
from shoal.table.sources._statistics import read_statistics


class SpssFile(TableSource):
    """An SPSS file."""

    kind = "spss"
    format = "sav"

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell by the end of the name."""
        return place.suffix in {".sav", ".zsav", ".por"}

    def fetch(self) -> Reading:
        """Read all columns."""
        reader = "read_por" if self.place.suffix == ".por" else "read_sav"
        how = {} if reader == "read_por" else {"user_missing": True}
        return read_statistics(Path(self.place.where), reader, "an SPSS file", **how)
