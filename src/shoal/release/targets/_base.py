"""What every target does: fill a table out of sight, count it in its own SQL, give it its name."""

from __future__ import annotations

import math
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars as pl

from shoal.exceptions import InputError, InvalidParameterError, OutputError
from shoal.release._manifest import MANIFEST, read_manifest
from shoal.release.targets._recount import CountingQueries
from shoal.table import Address, as_text, hash_rows
from shoal.table.sources import quote, split_name
from shoal.verifier import Claim

_AT_ONCE = 200  # columns counted by one query
_ROWS_AT_ONCE = 65_536
#: Types whose cells every database gives back as the same texts.
SAME_AGAIN = {pl.String, pl.Boolean, pl.Date, pl.Int8, pl.Int16, pl.Int32, pl.Int64}


@dataclass(frozen=True)
class TableCount:
    """What a database counted in a table, by its own SQL."""

    rows: int
    groups: int
    k: int
    filled: Mapping[str, int]  # cells that are not missing, by column
    measures: tuple[tuple[Claim, float], ...]  # infinite where no bound would hold


class ReleaseTarget(ABC):
    """A table to be, in a database.

    Parameters
    ----------
    address : str
        Of the database; no password stands in it.
    into : str
        The name of the table: ``table``, ``schema.table``, or in double quotes.
    """

    kind: ClassVar[str]
    #: Types of columns that it holds as they are; all others are text there.
    plain: ClassVar[tuple[type[pl.DataType], ...]] = ()

    def __init__(self, address: str, into: str) -> None:
        self.address = Address.of(address)
        *schema, self.table = split_name(into)
        self.schema = schema[0] if schema else None
        if len(self.table.encode()) > 63:
            raise InvalidParameterError("The name of the table is longer than 63 bytes.")

    @property
    def name(self) -> str:
        """The name of the table as it was given, for people."""
        return self.table if self.schema is None else f"{self.schema}.{self.table}"

    @property
    def lies_in(self) -> Path | None:
        """The file of a database that is one."""
        return None if self.address.file is None else Path(self.address.file).absolute()

    def facts(self) -> dict[str, str]:
        """Say where the table is: in public, so without a host."""
        return {"kind": self.kind, "name": self.name}

    def quoted(self, table: str | None = None) -> str:
        """Name the table, or another one beside it, in SQL."""
        name = quote(self.table if table is None else table)
        return name if self.schema is None else f"{quote(self.schema)}.{name}"

    @contextmanager
    def held(self) -> Iterator[TargetTable]:
        """Open a transaction; it is undone unless it was committed."""
        try:
            with self._connected() as connection:
                table = TargetTable(self, connection, f"shoal_staging_{secrets.token_hex(8)}")
                try:
                    yield table
                finally:
                    if not table.committed:
                        self._undo(connection)
        except InputError as error:  # the same sentences as for reading
            raise OutputError(f"The release was not written. {error}", hint=error.hint) from None

    def exactly(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Turn into text what the database would hold as something else."""
        return frame.with_columns(
            as_text(series) for series in frame if not isinstance(series.dtype, self.plain)
        )

    @abstractmethod
    def _connected(self) -> AbstractContextManager[Any]:
        """Connect, with messages of the driver turned into sentences."""

    @abstractmethod
    def run(self, connection: Any, sql: str) -> list[tuple[Any, ...]]:
        """Run SQL of ours inside the transaction."""

    @abstractmethod
    def fill(self, connection: Any, table: str, frame: pl.DataFrame) -> None:
        """Create a table and fill it, inside the transaction."""

    @abstractmethod
    def exists(self, connection: Any) -> bool:
        """Tell whether something of the table's name is there."""

    def check_rights(self, connection: Any) -> None:
        """Refuse where no table may be created; a file says so when it is written."""
        self.run(connection, "SELECT 1")

    def grants(self, connection: Any) -> list[str]:
        """Give the SQL that lets others do with the table what they may do now; a file has none."""
        return []

    @abstractmethod
    def width(self, connection: Any) -> int:
        """Count the columns of the table that has the name."""

    @abstractmethod
    def parts(self, connection: Any, query: str) -> Iterator[pl.DataFrame]:
        """Read a query of ours some rows at a time."""

    def overwrite(self, connection: Any) -> None:
        """Make unreadable what the table that gave way leaves in a file, if it does; here nothing.

        It comes after the end of the transaction, and what fails in it is not told: the table
        is there.
        """
        del connection

    @abstractmethod
    def commit(self, connection: Any) -> None:
        """End the transaction; from here on the table is there."""

    @abstractmethod
    def _undo(self, connection: Any) -> None: ...


@dataclass
class TargetTable:
    """A table that nobody else sees yet."""

    target: ReleaseTarget
    connection: Any
    staging: str
    committed: bool = False
    replaced: bool = False
    rows: pl.DataFrame | None = None  # as they were filled in

    def check(self, papers: Path | None) -> None:
        """Refuse a name that is taken; one that is taken by an earlier release may give way.

        ``papers`` is the folder of that release, or None if nothing may be replaced.
        """
        self.target.check_rights(self.connection)
        if not self.target.exists(self.connection):
            return
        name = self.target.name
        if papers is None:
            raise OutputError(
                f"There is a table {name!r} in the database already.",
                hint="Name another (--into), or replace an earlier release with --force.",
            )
        if not self._is_told_by(_earlier(papers)):
            raise OutputError(
                f"The table {name!r} is not the release that its papers speak of.",
                hint="Only an earlier release is replaced, as it was written. Name another table,"
                " or drop this one if a run was killed while it replaced it.",
            )

    def _is_told_by(self, manifest: Mapping[str, Any]) -> bool:
        """Tell whether the table that has the name is as it was written, cell by cell."""
        told, facts = manifest.get("table"), self.target.facts()
        if not isinstance(told, dict) or {**told, **facts} != told:
            return False
        table = self.target.quoted()
        ((rows,),) = self.target.run(self.connection, f"SELECT count(*) FROM {table}")
        size = int(rows), self.target.width(self.connection)
        if size != (manifest.get("rows"), len(manifest.get("columns", ()))):
            return False
        return self._digest(table) == told.get("sha256")

    def digest(self) -> str:
        """Sum up every cell as it was verified; as the database gives it back, if that may differ.

        A table that its database changed is then another one than its papers speak of.
        """
        if self.rows is not None and {*map(type, self.rows.dtypes)} <= SAME_AGAIN:
            return digest_of([self.rows])
        return self._digest(self.target.quoted(self.staging))

    def _digest(self, table: str) -> str:
        return digest_of(self.target.parts(self.connection, f"SELECT * FROM {table}"))

    def fill(self, frame: pl.DataFrame) -> None:
        """Fill it."""
        self.rows = self.target.exactly(frame)
        self.target.fill(self.connection, self.staging, self.rows)

    def count(
        self,
        names: Sequence[str],
        quasi: Sequence[str],
        claims: Sequence[Claim],
        person: str | None = None,
    ) -> TableCount:
        """Count it in the database's own SQL; people where ``person`` tells them apart."""
        table = self.target.quoted(self.staging)
        queries = CountingQueries(table, quasi, person)
        ((rows, groups, k),) = self._run(queries.groups())
        measures = tuple((claim, self._measure(queries, claim)) for claim in claims)
        filled: dict[str, int] = {}
        for start in range(0, len(names), _AT_ONCE):
            some = names[start : start + _AT_ONCE]
            counts = ", ".join(f"count({quote(name)})" for name in some)
            (found,) = self._run(f"SELECT {counts} FROM {table}")
            filled |= dict(zip(some, map(int, found), strict=True))
        return TableCount(int(rows), int(groups), int(k), filled, measures)

    def _measure(self, queries: CountingQueries, claim: Claim) -> float:
        """Measure what a claim speaks of; an order that was given is a table meanwhile."""
        if isinstance(claim.order, str) or not claim.order:
            return _number(self._run(queries.measure(claim)))
        places = f"{self.staging}_order"
        # a value that nobody released has must not come into the file, not even for a moment
        shown = set() if self.rows is None else {*self.rows[claim.column].to_list()}
        values = [value for value in claim.order if value in shown]
        schema = {"value": pl.String, "place": pl.Int64}
        order = pl.DataFrame({"value": values, "place": range(len(values))}, schema)
        self.target.fill(self.connection, places, order)
        there = self.target.quoted(places)
        found = _number(self._run(replace(queries, places=there).measure(claim)))
        self._run(f"DROP TABLE {there}")
        return found

    def name_it(self) -> None:
        """Give it its name, still out of sight; an earlier one goes, and leaves it its rights."""
        grants: list[str] = []
        if self.target.exists(self.connection):
            self.replaced = True
            grants = self.target.grants(self.connection)
            self._run(f"DROP TABLE {self.target.quoted()}")
        renamed = f"ALTER TABLE {self.target.quoted(self.staging)} RENAME TO"
        self._run(f"{renamed} {quote(self.target.table)}")
        for grant in grants:
            self._run(grant)

    def commit(self) -> None:
        """Let everybody see it."""
        self.target.commit(self.connection)
        self.committed = True

    def overwrite(self) -> None:
        """Leave nothing to be read of a table that gave way."""
        if self.replaced:
            self.target.overwrite(self.connection)

    def _run(self, sql: str) -> list[tuple[Any, ...]]:
        return self.target.run(self.connection, sql)


def digest_of(frames: Iterable[pl.DataFrame]) -> str:
    """Sum up the cells of rows in whatever order they come.

    >>> one, two = pl.DataFrame({"a": [1, 2, 2]}), pl.DataFrame({"a": ["2", "1", "2"]})
    >>> digest_of([one]) == digest_of([two[:1], two[1:]])
    True
    """
    parts = (part for frame in frames for part in frame.iter_slices(_ROWS_AT_ONCE))
    hashes = np.concatenate([hash_rows(part) for part in parts] or [np.empty(0, np.uint64)])
    hashes.sort()  # where they are, and read there: a large table has many
    return sha256(hashes.astype("<u8", copy=False).data).hexdigest()


def _number(rows: list[tuple[Any, ...]]) -> float:
    ((found,),) = rows
    return math.inf if found is None else float(found)


def check_target(target: ReleaseTarget, papers: Path, *, force: bool) -> None:
    """Refuse a table that cannot be written, before any work is done for it."""
    with target.held() as table:
        table.check(papers if force else None)


def _earlier(papers: Path) -> dict[str, Any]:
    """Read the manifest of the release that may give way; nothing gives way without one."""
    try:
        return read_manifest((papers / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        return {}


def in_batches(frame: pl.DataFrame) -> Any:
    """Hand rows over as Arrow, some at a time: nothing sits in memory twice."""
    import pyarrow as pa

    oldest = pl.CompatLevel.oldest()
    schema = frame.clear().to_arrow(compat_level=oldest).schema
    batches = (
        batch
        for part in frame.iter_slices(_ROWS_AT_ONCE)
        for batch in part.to_arrow(compat_level=oldest).to_batches()
    )
    return pa.RecordBatchReader.from_batches(schema, batches)
