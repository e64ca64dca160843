"""Counting a written file again, and holding claims against what was counted.

It is read back from its bytes, every cell as text, into DuckDB.
"""

from __future__ import annotations

import csv
import signal
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from os import PathLike
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any

from shoal.exceptions import EmptyTableError, InputError, InvalidParameterError, UnknownColumnError
from shoal.verifier._claims import MEASURES, Claim, Order, Outcome, plain_number

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


_MEMORY = "1GB"
_USUAL_LINE, _LONGEST_LINE = 1 << 21, 1 << 30  # DuckDB holds 32 of the longest, or all of a file
_STOPPED = "Query interrupted"  # what DuckDB makes of Ctrl-C, whoever handles the signal


@contextmanager
def database(scratch: Path | None = None) -> Iterator[DuckDBPyConnection]:
    """Open a DuckDB of our own: bounded memory, private spill folder, no network.

    DuckDB quotes the offending line in its messages, so they never leave this function.
    """
    duckdb = _duckdb()
    with tempfile.TemporaryDirectory(prefix="spill-", dir=scratch) as spill:
        settings = {
            "memory_limit": _MEMORY,
            "temp_directory": spill,
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        }
        connection = duckdb.connect(":memory:", config=settings)
        try:
            yield connection
        except duckdb.Error as error:
            kind = type(error).__name__
            raise InputError(f"The file could not be read back and counted ({kind}).") from None
        except RuntimeError as error:
            if str(error) == _STOPPED:
                raise KeyboardInterrupt from None
            raise
        finally:
            connection.close()


def _duckdb() -> ModuleType:
    """Import DuckDB; Ctrl-C waits for that, because an exception inside would abort the process."""
    if threading.current_thread() is not threading.main_thread():
        return import_module("duckdb")
    heard: list[tuple[int, FrameType | None]] = []
    handler = signal.signal(signal.SIGINT, lambda *told: heard.append(told))
    try:
        return import_module("duckdb")
    finally:
        signal.signal(signal.SIGINT, handler)
        if heard and callable(handler):
            handler(*heard[0])


def load(
    connection: DuckDBPyConnection,
    path: Path,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str],
    people: Sequence[int] | None,
) -> None:
    """Fill the table ``written``: position, q0.. and s0.. as text, and person if people are given.

    Columns are taken by position, because SQL names ignore upper and lower case. In a CSV file
    nothing tells a missing cell from an empty one: both are missing.
    """
    names = column_names(path)
    is_csv = path.suffix.lower() == ".csv"
    text = "nullif(c{}, '')" if is_csv else "CAST(c{} AS VARCHAR)"
    wanted = {f"q{i}": name for i, name in enumerate(quasi_identifiers)}
    wanted |= {f"s{i}": name for i, name in enumerate(sensitive)}
    for name in wanted.values():
        if name not in names:
            raise UnknownColumnError.among(name, names)
    cells = [f"{text.format(names.index(name))} AS {alias}" for alias, name in wanted.items()]
    columns = ", ".join(["row_number() OVER () - 1 AS position", *cells])
    # DuckDB would take these for a pattern of several files.
    literal = "".join(f"[{char}]" if char in "*?[" else char for char in str(path))
    quoted = "'" + literal.replace("'", "''") + "'"
    plain = [f"c{i}" for i in range(len(names))]  # none of them parsed
    sources = [f"read_parquet({quoted}) AS file({', '.join(plain)})"]
    if is_csv:
        typed = ", ".join(f"'{name}': 'VARCHAR'" for name in plain)
        sources = [
            f"read_csv({quoted}, auto_detect = false, header = true, delim = ',', quote = '\"',"
            f" escape = '\"', new_line = '\\n', nullstr = '', max_line_size = {longest},"
            f" columns = {{{typed}}})"
            for longest in (_USUAL_LINE, _LONGEST_LINE)
        ]
    for attempt, source in enumerate(sources, start=1):
        with suppress(_duckdb().Error) if attempt < len(sources) else nullcontext():
            connection.execute(f"CREATE TABLE written AS SELECT {columns} FROM {source}")
            break
    if people is not None:
        _attach(connection, people)


def column_names(path: Path) -> list[str]:
    """Read the names of the columns of a CSV or Parquet file."""
    if not path.is_file():
        raise InputError("There is no file to recount.", hint="Give a data.csv or data.parquet.")
    if path.suffix.lower() not in (".csv", ".parquet"):
        raise InvalidParameterError("A file to recount ends in .csv or .parquet.")
    if path.suffix.lower() == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return list(pq.read_schema(path).names)
        except pa.ArrowException:
            raise InputError("The file is not a Parquet file.") from None
    before = csv.field_size_limit(_LONGEST_LINE)  # the limit is the whole process's
    try:
        with path.open(newline="", encoding="utf-8") as lines:
            header = next(csv.reader(lines, strict=True), [])
    finally:
        csv.field_size_limit(before)
    if not header:
        raise InputError("The file has no header.")
    return header


def _attach(connection: DuckDBPyConnection, people: Sequence[int]) -> None:
    import pyarrow as pa

    ((rows,),) = connection.execute("SELECT count(*) FROM written").fetchall()
    if len(people) != rows:
        raise InvalidParameterError(f"{len(people)} people for {rows} written rows.")
    connection.register(
        "people_given", pa.table({"position": range(rows), "person": pa.array(people, pa.int64())})
    )
    connection.execute(
        "CREATE TABLE known AS SELECT written.*, person"
        " FROM written JOIN people_given USING (position)"
    )
    connection.execute("DROP TABLE written")
    connection.execute("ALTER TABLE known RENAME TO written")


@dataclass(frozen=True)
class Recount:
    """What was recounted of a file.

    Parameters
    ----------
    rows, groups : int
        Rows of the file, and how many groups of rows equal on all quasi-identifiers.
    k : int
        Size of the smallest group: in people if people were given, else in rows.
    people : bool
        Whether people were counted.
    sensitive : mapping of str to mapping of str to Any
        What each measure found of each sensitive column, the worst group each time. Ratios of
        counts are exact (`fractions.Fraction`); "no bound would hold" is ``inf``.
    """

    rows: int
    groups: int
    k: int
    people: bool
    sensitive: Mapping[str, Mapping[str, Any]]


def recount(
    path: str | PathLike[str],
    *,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str] | Mapping[str, Collection[str]] = (),
    orders: Mapping[str, Order] | None = None,
    people: Sequence[int] | None = None,
    scratch: Path | None = None,
) -> Recount:
    """Read a written release again and count it.

    Groups are rows whose quasi-identifiers are equal as text; a missing cell is a value like any
    other, and rows published as ``*`` count as the group they form.

    Parameters
    ----------
    path : path
        A ``.csv`` (UTF-8, commas) or ``.parquet`` file.
    quasi_identifiers : sequence of str
        All of them.
    sensitive : sequence of str, or mapping of str to collection of str
        The sensitive columns; a mapping says which measures of each are wanted, else all are.
    orders : mapping, optional
        For sensitive columns with an order: ``"numeric"``, or the values from low to high. Only
        these get ``t_ordered``. A missing value comes last.
    people : sequence of int, optional
        A number for the person behind each row, in the order of the file, negative where that is
        not known (such rows add no person). Then k counts people, and a sensitive value counts
        once per person in a group, and once per person in the table.
    scratch : Path, optional
        Where to spill what does not fit in memory; a private temporary folder by default.

    Returns
    -------
    Recount

    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "data.csv")
    >>> _ = path.write_text("age,disease\\n30-39,flu\\n30-39,cold\\n*,flu\\n*,flu\\n*,cold\\n")
    >>> counted = recount(path, quasi_identifiers=["age"], sensitive=["disease"])
    >>> counted.rows, counted.groups, counted.k, counted.sensitive["disease"]["distinct_l"]
    (5, 2, 2, 2)
    >>> counted.sensitive["disease"]["alpha"]
    Fraction(2, 3)
    >>> folder.cleanup()
    """
    orders, counts_people = orders or {}, people is not None
    wanted = sensitive if isinstance(sensitive, Mapping) else dict.fromkeys(sensitive, MEASURES)
    with database(scratch) as connection:
        load(connection, Path(path), quasi_identifiers, tuple(wanted), people)
        # ``groups`` are the groups with their sizes, ``members`` all rows with their group g
        keys = [f"q{i}" for i in range(len(quasi_identifiers))]
        known = "greatest(1, count(DISTINCT person) FILTER (person >= 0))"
        size = known if counts_people else "count(*)"
        by = f"GROUP BY {', '.join(keys)}" if keys else ""
        chosen = "".join(f"{key}, " for key in keys)
        connection.execute(
            f"""CREATE TABLE groups AS SELECT row_number() OVER () AS g, *
            FROM (SELECT {chosen}{size} AS size FROM written {by})"""
        )
        ((rows, groups, k),) = connection.execute(
            "SELECT (SELECT count(*) FROM written), count(*), min(size) FROM groups"
        ).fetchall()
        if not rows:
            raise EmptyTableError("The file has no rows to count.")
        if wanted:
            alike = [f"w.{key} IS NOT DISTINCT FROM groups.{key}" for key in keys]
            kept = [f"s{i}" for i in range(len(wanted))] + ["person"] * counts_people
            connection.execute(
                f"""CREATE TABLE members AS SELECT g, {", ".join(kept)}
                FROM written AS w JOIN groups ON {" AND ".join(alike) or "true"}"""
            )
        found = measure_members(connection, wanted, orders, people=counts_people)
    return Recount(int(rows), int(groups), int(k), counts_people, found)


@dataclass(frozen=True)
class Verification:
    """All outcomes of one file."""

    recount: Recount
    outcomes: tuple[Outcome, ...]

    @property
    def holds(self) -> bool:
        """True if every claim holds."""
        return all(outcome.holds for outcome in self.outcomes)

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """The claims that do not hold."""
        return tuple(outcome for outcome in self.outcomes if not outcome.holds)

    def __str__(self) -> str:
        bad = self.failures
        if not bad:
            return f"All {len(self.outcomes)} claims hold on the written file."
        lines = [f"{o.claim} (recounted: {plain_number(o.recounted)})" for o in bad]
        return f"Does not hold on the written file: {'; '.join(lines)}."


def verify(
    path: str | PathLike[str],
    claims: Sequence[Claim],
    *,
    quasi_identifiers: Sequence[str],
    people: Sequence[int] | None = None,
    scratch: Path | None = None,
) -> Verification:
    """Recount a written file and compare it with what is claimed of it.

    Parameters
    ----------
    path : path
        The ``.csv`` or ``.parquet`` file.
    claims : sequence of Claim
        What the release promises.
    quasi_identifiers : sequence of str
        All of them: a group is rows that are equal on every one.
    people, scratch
        As for `recount`.

    Returns
    -------
    Verification

    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "data.csv")
    >>> _ = path.write_text("age,disease\\n30-39,flu\\n30-39,cold\\n*,flu\\n*,flu\\n*,flu\\n")
    >>> claims = [Claim("k", 2), Claim("distinct_l", 2, "disease")]
    >>> print(verify(path, claims, quasi_identifiers=["age"]))
    Does not hold on the written file: distinct_l of 'disease' at least 2 (recounted: 1).
    >>> folder.cleanup()
    """
    wanted: dict[str, list[str]] = {}
    for claim in claims:
        if claim.column:
            wanted.setdefault(claim.column, []).append(claim.name)
    counted = recount(
        path,
        quasi_identifiers=quasi_identifiers,
        sensitive=wanted,
        orders={claim.column: claim.order for claim in claims if claim.order},
        people=people,
        scratch=scratch,
    )
    return judge_claims(claims, counted)


def judge_claims(claims: Sequence[Claim], counted: Recount) -> Verification:
    """Hold claims against a recount, whoever counted."""
    outcomes = []
    for claim in claims:
        if claim.name == "rows":
            outcomes.append(Outcome(claim, counted.rows, counted.rows == claim.bound))
        elif claim.name == "k":
            outcomes.append(Outcome(claim, counted.k, counted.k >= claim.bound))
        elif claim.name not in counted.sensitive[claim.column]:
            raise InvalidParameterError(f"The claim {claim.name!r} needs the order of its column.")
        else:
            measure, number = MEASURES[claim.name], counted.sensitive[claim.column][claim.name]
            outcomes.append(Outcome(claim, *measure.judge(number, claim.bound, claim.l)))
    return Verification(counted, tuple(outcomes))


def measure_members(
    connection: DuckDBPyConnection,
    wanted: Mapping[str, Collection[str]],
    orders: Mapping[str, Order],
    *,
    people: bool,
) -> dict[str, dict[str, Any]]:
    """Measure the columns s0, s1, ... of ``members``, each row of which has its group g."""
    found = {}
    for i, (name, names) in enumerate(wanted.items()):
        order = orders.get(name, ())
        _count_cells(connection, i, order, people=people)
        found[name] = {
            measure: MEASURES[measure].read(connection.execute(MEASURES[measure].query).fetchall())
            for measure in names
            if order or not MEASURES[measure].ordered
        }
    return found


def script_source() -> str:
    """Give the text of ``verify.py``: the recount anyone can run with nothing but Python.

    >>> script_source().splitlines()[0]
    '#!/usr/bin/env python3'
    """
    folder = files("shoal.verifier")
    script, network = (
        folder.joinpath(name).read_text(encoding="utf-8")
        for name in ("_script.py", "_script_network.py")
    )
    before, start, after = script.rpartition('if __name__ == "__main__":\n')
    return before + network.partition("# ---- verify.py ----\n\n")[2] + "\n\n" + start + after


def _count_cells(
    connection: DuckDBPyConnection, column: int, order: Order, *, people: bool
) -> None:
    """Build ``domain`` (the values in order, with their counts) and ``cells`` for one column."""
    once = "count(DISTINCT person)" if people else "count(*)"
    rank = "dense_rank() OVER (ORDER BY s NULLS LAST) - 1"
    if order:
        rank = _rank(connection, column, order)
    connection.execute(
        f"""CREATE OR REPLACE TABLE ranked AS SELECT s, {rank} AS v
        FROM (SELECT DISTINCT s{column} AS s FROM members)"""
    )
    connection.execute(
        f"""CREATE OR REPLACE TABLE counts AS
        SELECT g, v, {once} AS c, bool_or(s IS NULL) AS missing
        FROM members JOIN ranked ON s{column} IS NOT DISTINCT FROM s GROUP BY g, v"""
    )
    connection.execute(
        f"""CREATE OR REPLACE TABLE domain AS SELECT v, p,
            CAST(sum(p) OVER (ORDER BY v) AS HUGEINT) AS upto
        FROM (SELECT v, CAST({once} AS HUGEINT) AS p
            FROM members JOIN ranked ON s{column} IS NOT DISTINCT FROM s GROUP BY v)"""
    )
    connection.execute(
        f"""CREATE OR REPLACE TABLE cells AS SELECT g, v, missing, CAST(c AS HUGEINT) AS c, n, p,
            heads, (SELECT max(upto) FROM domain) AS total
        FROM counts JOIN domain USING (v)
        JOIN (SELECT g, CAST(sum(c) AS HUGEINT) AS n FROM counts GROUP BY g) USING (g)
        JOIN (SELECT g, CAST({once} AS HUGEINT) AS heads FROM members GROUP BY g) USING (g)"""
    )


def _rank(connection: DuckDBPyConnection, column: int, order: Order) -> str:
    """SQL that numbers the values 0, 1, ... in their order, a missing one last."""
    if order == "numeric":
        _refuse_strangers(
            connection, f"s{column} IS NOT NULL AND TRY_CAST(s{column} AS DOUBLE) IS NULL"
        )
        # The second key tells apart integers that are too large for a double.
        number, digits = "TRY_CAST(s AS DOUBLE)", "TRY_CAST(s AS DECIMAL(38, 0))"
        return f"dense_rank() OVER (ORDER BY {number} NULLS LAST, {digits} NULLS LAST) - 1"
    import pyarrow as pa

    table = pa.table({"value": pa.array(order, pa.string()), "place": range(len(order))})
    connection.register("order_given", table)
    _refuse_strangers(
        connection,
        f"s{column} IS NOT NULL AND s{column} NOT IN (SELECT value FROM order_given)",
    )
    place = "(SELECT min(place) FROM order_given WHERE value = s)"
    return f"dense_rank() OVER (ORDER BY {place} NULLS LAST) - 1"


def _refuse_strangers(connection: DuckDBPyConnection, condition: str) -> None:
    ((strangers,),) = connection.execute(
        f"SELECT count(*) FROM members WHERE {condition}"
    ).fetchall()
    if strangers:
        raise InputError(f"{strangers} cells of a sensitive column have no place in its order.")
