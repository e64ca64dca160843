"""Connections: tables of databases that an administrator listed; a visitor never types a host.

``SHOAL_HOME/connections.toml`` has a section for each, with the keys of ``[table]`` in a plan::

    [patients]
    source = "postgresql://reader@db.example.org/clinic"
    table = "ward.patients"

A visitor sees the names. What they take is read once, with the server's rights, into their own
folder, as an upload would be, and goes when they forget it. No password stands in the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal._home import home
from shoal.exceptions import InvalidParameterError
from shoal.plan import read_sql
from shoal.table import Address, Table, is_address, read_table

FILE = "connections.toml"
KEYS = {"source", "table", "query"}


def listed_connections() -> dict[str, dict[str, str]]:
    """Read which tables an administrator listed; none without a file."""
    path = home() / FILE
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        raise InvalidParameterError(f"The file {FILE} cannot be read.") from None
    return {name: _checked(name, section) for name, section in found.items()}


def read_connection(name: str) -> Table:
    """Read a table that is listed."""
    known = listed_connections()
    if name not in known:
        raise InvalidParameterError("There is no such connection.")
    where = dict(known[name])
    if "query" in where:
        where["query"] = read_sql(str(Path(home(), where["query"])))
    return read_table(where.pop("source"), **where)  # type: ignore[arg-type]


def _checked(name: str, section: Any) -> dict[str, str]:
    texts = isinstance(section, Mapping) and all(isinstance(v, str) for v in section.values())
    if not texts or "source" not in section or not {*section} <= KEYS:
        raise InvalidParameterError(
            f"The connection {name!r} in {FILE} needs a source, and a table or a query."
        )
    if not is_address(section["source"]):
        raise InvalidParameterError(f"The source of {name!r} in {FILE} is no database.")
    Address.of(section["source"])  # refuses one with a password
    return dict(section)
