"""Addresses of databases: taken apart, shown without secrets, and none with a secret in it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from shoal.exceptions import InvalidParameterError

#: Databases that are one file: three slashes are relative, four absolute.
IN_A_FILE = ("sqlite", "duckdb")
_ADDRESS = re.compile(r"(jdbc:)?[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SECRET = re.compile(r"pass(word|wd|phrase)?$|pwd|secret|token|credential|api_?key", re.IGNORECASE)


def is_address(where: object) -> bool:
    """Tell an address from a path.

    >>> is_address("postgresql://host/db"), is_address("C:/patients.csv")
    (True, False)
    >>> is_address("jdbc:postgresql://host/db?password=secret")  # Java's way to write one
    True
    """
    return isinstance(where, str) and _ADDRESS.match(where) is not None


@dataclass(frozen=True)
class Address:
    """The address of a database.

    >>> str(Address.of("postgresql://ann@host:5433/clinic?sslmode=require"))
    'postgresql://host:5433/clinic'
    >>> Address.of("sqlite:///wards.db").file, Address.of("sqlite:////srv/wards.db").file
    ('wards.db', '/srv/wards.db')
    """

    text: str
    scheme: str
    host: str
    database: str

    @classmethod
    def of(cls, text: str) -> Address:
        """Take an address apart; one with a password is refused, and not quoted."""
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            raise InvalidParameterError("This is not the address of a database.") from None
        if parts.password is not None or any(_SECRET.search(k) for k, _ in parse_qsl(parts.query)):
            raise InvalidParameterError(
                "A password stands in the address of the database.", hint=NO_PASSWORDS
            )
        scheme = "postgresql" if parts.scheme == "postgres" else parts.scheme
        host = (parts.hostname or "") + (f":{port}" if port else "")
        return cls(text, scheme, host, unquote(parts.path.removeprefix("/")))

    @property
    def file(self) -> str | None:
        """The file of a database that is one."""
        return self.database if self.scheme.partition("+")[0] in IN_A_FILE else None

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}/{self.database}"


NO_PASSWORDS = (
    "It would be seen in the list of processes and stay in files. Leave it out: it is taken from"
    " PGPASSWORD, ~/.pgpass or a pg service (PostgreSQL), from SHOAL_DATABASE_PASSWORD, or asked."
)


def move_file(text: str, folder: str | os.PathLike[str], *, back: bool = False) -> str:
    """Join the file in an address with a folder, or write it as seen from there (``back``).

    >>> move_file("sqlite:///wards.db", "clinic"), move_file("postgresql://host/db", "clinic")
    ('sqlite:///clinic/wards.db', 'postgresql://host/db')
    >>> move_file("sqlite:///clinic/wards.db", "clinic", back=True)
    'sqlite:///wards.db'
    """
    address = Address.of(text)
    if address.file is None or os.path.isabs(address.file):
        return text
    moved = os.path.relpath(address.file, folder) if back else os.path.join(folder, address.file)
    return f"{address.scheme}:///{os.path.normpath(moved)}"
