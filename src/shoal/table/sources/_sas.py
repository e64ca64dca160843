"""SAS files: labels and formats are kept; a release of one is written as a transport file."""

from __future__ import annotations

from pathlib import Path

from shoal.table._reading import Reading
from shoal.table.sources._base import Place, TableSource
from shoal.table.sources._statistics import read_statistics


class SasFile(TableSource):
    """A SAS file."""

    kind = "sas"
    format = "xpt"

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell by the end of the name."""
        return place.suffix in {".sas7bdat", ".xpt"}

    def fetch(self) -> Reading:
        """Read all columns."""
        reader = "read_xport" if self.place.suffix == ".xpt" else "read_sas7bdat"
        return read_statistics(Path(self.place.where), reader, "a SAS file")
