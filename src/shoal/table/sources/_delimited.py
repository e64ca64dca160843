"""CSV and its kin: text with a delimiter, which is found if it is not given."""

from __future__ import annotations

from shoal.table._read import read_file
from shoal.table._reading import Reading
from shoal.table.sources._base import Place, TableSource


class DelimitedFile(TableSource):
    """A text file with a delimiter: whatever its name ends in, if nothing else fits."""

    kind = "csv"
    takes = frozenset({"delimiter", "encoding"})

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Take any file: one that is no text is told by its first bytes."""
        return place.path is not None

    def fetch(self) -> Reading:
        """Read every cell as text."""
        place = self.place
        return read_file(
            place.where, delimiter=place.delimiter, encoding=place.encoding, missing=place.missing
        )
