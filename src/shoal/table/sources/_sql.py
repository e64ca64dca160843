"""What all databases share: names quoted, tables found, columns read by position."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import polars as pl

from shoal._words import plural
from shoal.exceptions import InputError, InvalidParameterError, MissingExtraError
from shoal.table._frames import read_frame, refuse_broken_text
from shoal.table._reading import Reading
from shoal.table.sources._base import Place, TableSource

_PART = re.compile(r'"(?:[^"]|"")+"|[^".]+')
_NAMED = 12
EARLIEST, LATEST = "0001-01-01", "9999-12-31"


class Database(TableSource):
    """A database: a table or view by name, or a query, read as it stands at one moment."""

    takes = frozenset({"table", "query"})

    @property
    def name(self) -> str:
        """The address without secrets, and what was read."""
        what = self.place.table or "a query"
        return f"{self.place.address}: {what}"

    def asked(self, tables: Iterable[str]) -> str:
        """Give the SQL that reads what was asked for; ``tables`` are those that are there."""
        if self.place.query is not None:
            return checked_query(self.place)
        known = list(tables)
        if self.place.table is None:
            raise InvalidParameterError(
                "Which table of the database?", hint=f"table= or query=; there are: {_few(known)}."
            )
        parts = split_name(self.place.table)
        if not {parts[-1], ".".join(parts)} & {*known}:
            raise no_table(self.place.table, known)
        return f"SELECT * FROM {'.'.join(map(quote, parts))}"


class DatabaseFile(Database):
    """A database that is one file; its address begins with its kind."""

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell by the address."""
        return place.address is not None and place.address.scheme == cls.kind

    def fetch(self) -> Reading:
        """Read a file that is there."""
        address = self.place.address
        assert address is not None  # it fitted
        if address.host or not address.file:
            raise InvalidParameterError(
                "The address names no file.",
                hint=f"Three slashes are relative, four absolute: {self.kind}:///file.db",
            )
        return Reading(read_frame(self.frame(existing_database(address.file))).frame)

    @abstractmethod
    def frame(self, file: Path) -> pl.DataFrame:
        """Read what was asked for, in one transaction of a connection that cannot write."""


def checked_query(place: Place) -> str:
    """Take a query without the semicolon that ends it; it is the steward's own."""
    if place.table is not None:
        raise InvalidParameterError("table= and query= both say what to read: give one of them.")
    query = str(place.query).strip().rstrip(";").strip()
    if not query:
        raise InvalidParameterError("The query is empty.")
    return query


def quote(name: str) -> str:
    """Quote a name, so that it is one name whatever stands in it.

    >>> quote('a"; DROP TABLE b; --')
    '"a""; DROP TABLE b; --"'
    """
    if not name or "\0" in name:
        raise InvalidParameterError("No table or column of a database can have this name.")
    return '"' + name.replace('"', '""') + '"'


def split_name(typed: str) -> list[str]:
    """Take ``schema.table`` apart; a part in double quotes may hold a dot.

    >>> split_name("release.patients"), split_name('"odd.name"')
    (['release', 'patients'], ['odd.name'])
    """
    parts = _PART.findall(typed)
    whole = '"'.join(typed.split('"'))
    if not parts or len(parts) > 2 or ".".join(parts) != whole:
        raise InvalidParameterError(
            f"{typed!r} is not the name of a table.", hint='Give table, schema.table or "a.b".'
        )
    return [p[1:-1].replace('""', '"') if p.startswith('"') else p for p in parts]


def no_table(name: str, known: Sequence[str]) -> InputError:
    """Build the error for a table that is not there."""
    near = [one for one in known if one.lower() == name.lower()]
    near = near or get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"Did you mean {_few(near)}?" if near else f"There are: {_few(known)}."
    what = f"There is no table {name!r} in the database, or no right to see it."
    return InputError(what, hint=hint)


def _few(known: Sequence[str]) -> str:
    """Name some tables; one that goes by its own name need not be named with its schema."""
    names = [name for name in known if name.partition(".")[2] not in known]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return (", ".join(sorted(names)[:_NAMED]) or "none") + more


def by_position(query: str, width: int) -> str:
    """Name the columns of a query c0, c1, ...: its own names may be odd, or come twice."""
    names = ", ".join(f"c{i}" for i in range(width))
    return f"(\n{query}\n) AS asked({names})"


def in_frames(reader: Any, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    """Take what a driver hands over, an empty frame first and then each batch, copied.

    The buffers of a driver grew by doubling, and would stay as they are, half empty.
    """
    yield pl.DataFrame(reader.schema.empty_table())
    for batch in reader:
        refuse_broken_text(zip(names, batch.columns, strict=True))
        frame = pl.DataFrame(batch)
        yield frame[pl.int_range(frame.height, eager=True)]


def with_names(frames: Sequence[pl.DataFrame], names: Sequence[str]) -> pl.DataFrame:
    """Join batches, and give columns the names they have in the database.

    Each column in one piece: whoever needs it so would copy it beside the pieces.
    """
    frame = pl.concat(frames, rechunk=True)
    if len({*names}) < len(names):
        raise InputError(
            "The query gives two columns the same name.", hint="Name them: SELECT a.id AS a_id."
        )
    frame.columns = list(names)
    _refuse_endless(frame)
    return frame


def unreadable(name: str, kind: str) -> InputError:
    """Build the error for a column that is no plain value."""
    return InputError(
        f"Column {name!r} is of type {kind}: lists, structures or bytes, not plain values.",
        hint="Leave it out, or spread it over columns: give a query instead of a table.",
    )


def _refuse_endless(frame: pl.DataFrame) -> None:
    for series in frame:
        if not isinstance(series.dtype, (pl.Date, pl.Datetime)):
            continue
        ends = pl.Series([EARLIEST, LATEST]).str.to_date().cast(series.dtype).to_physical()
        outside = (series.to_physical() < ends[0]) | (series.to_physical() > ends[1])
        if outside.any():
            raise InputError(
                f"Column {series.name!r} holds dates without end, or before the year 1:"
                f" {plural(outside.sum(), 'row')}.",
                hint="Make them missing in a query: CASE WHEN day BETWEEN '0001-01-01' AND"
                " '9999-12-31' THEN day END.",
            )


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Say which extra brings what cannot be imported."""
    try:
        yield
    except ImportError:
        raise MissingExtraError(
            "What reads this source is not installed.", hint=f"pip install 'shoal[{extra}]'"
        ) from None


def existing_database(file: str) -> Path:
    """Refuse a file that is not there: opening it would make one."""
    from shoal.table._read import existing

    return existing(file)
