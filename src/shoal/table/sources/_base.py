"""What every source of tables is: it knows its own address, and reads it into plain columns."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from shoal.exceptions import InvalidParameterError
from shoal.table._addresses import Address, is_address
from shoal.table._reading import Reading

#: Settings of a place that only some sources understand, and what those are.
MEANT_FOR = {
    "table": "a database",
    "query": "a database",
    "sheet": "an Excel workbook",
    "delimiter": "a CSV file",
    "encoding": "a CSV file",
}


@dataclass(frozen=True, eq=False)
class Place:
    """Where a table is, as it was said.

    Attributes
    ----------
    where : path, URL or connection
        A file, a folder of parts, the address of a database, or an open connection to one.
    table, query : str, optional
        What to read of a database: a table or view by name, or a query in its own SQL.
    sheet : str, optional
        What to read of a workbook: a sheet, ``sheet!A1:F200``, a table or a range with a name.
    delimiter, encoding : str, optional
        Of a CSV file.
    missing : tuple of str
        Texts that mean "no value".
    """

    where: Any
    table: str | None = None
    query: str | None = None
    sheet: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    missing: tuple[str, ...] = ("",)

    @property
    def path(self) -> Path | None:
        """The file or folder; None for an address or a connection."""
        plain = isinstance(self.where, (str, os.PathLike)) and not is_address(self.where)
        return Path(self.where) if plain else None

    @property
    def address(self) -> Address | None:
        """The address of a database, taken apart."""
        return Address.of(str(self.where)) if is_address(self.where) else None

    @property
    def suffix(self) -> str:
        """The end of the file's name, in small letters."""
        return "" if self.path is None else self.path.suffix.lower()


class TableSource(ABC):
    """A way to read tables. Make one with `open_source`, which asks each in turn.

    Reading changes nothing where the table is, gives the same cells each time, tells what it left
    out or found odd as notes, and never puts a cell or a secret into an error.
    """

    #: What the command line and the ledger call it.
    kind: ClassVar[str]
    #: What a release of it is written as, unless something else is asked for.
    format: ClassVar[str] = "csv"
    #: Settings of a `Place` that it understands, beside where it is.
    takes: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, place: Place) -> None:
        self.place = place
        for setting, meant in MEANT_FOR.items():
            if getattr(place, setting) is not None and setting not in self.takes:
                raise InvalidParameterError(
                    f"{setting}= is only for {meant}, and this is {self.kind}."
                )

    @classmethod
    @abstractmethod
    def fits(cls, place: Place) -> bool:
        """Tell by its name whether a place is of this kind; nothing is opened for it."""

    @abstractmethod
    def fetch(self) -> Reading:
        """Read it."""

    @property
    def name(self) -> str:
        """What it is called where its columns may be seen: never with a secret."""
        return "" if self.place.path is None else self.place.path.name

    def read(self) -> Reading:
        """Read it, and say where it came from."""
        reading = self.fetch()
        told = {"kind": self.kind, "name": self.name, "format": self.format}
        origin = replace(reading.origin, **told)
        return replace(reading, origin=origin)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


def source_file(where: object) -> Path | None:
    """Find the file or folder a table was read from, which no release may replace."""
    if is_address(where):
        address = Address.of(str(where))
        return None if address.file is None else Path(address.file).absolute()
    return Path(where).absolute() if isinstance(where, (str, os.PathLike)) else None
