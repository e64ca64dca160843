"""Reading a written file back, every cell as text, into DuckDB."""

from __future__ import annotations

import csv
import signal
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING

from shoal.exceptions import InputError, InvalidParameterError, UnknownColumnError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_MEMORY = "1GB"
_LONGEST_LINE = 1 << 30
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
    text = "nullif(c{}, '')" if _is_csv(path) else "CAST(c{} AS VARCHAR)"
    wanted = {f"q{i}": name for i, name in enumerate(quasi_identifiers)}
    wanted |= {f"s{i}": name for i, name in enumerate(sensitive)}
    for name in wanted.values():
        if name not in names:
            raise UnknownColumnError.among(name, names)
    cells = [f"{text.format(names.index(name))} AS {alias}" for alias, name in wanted.items()]
    columns = ", ".join(["row_number() OVER () - 1 AS position", *cells])
    source = _source(path, len(names))
    connection.execute(f"CREATE TABLE written AS SELECT {columns} FROM {source}")
    if people is not None:
        _attach(connection, people)


def column_names(path: Path) -> list[str]:
    """Read the names of the columns of a CSV or Parquet file."""
    if not path.is_file():
        raise InputError("There is no file to recount.", hint="Give a data.csv or data.parquet.")
    if not _is_csv(path):
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


def _is_csv(path: Path) -> bool:
    if path.suffix.lower() not in (".csv", ".parquet"):
        raise InvalidParameterError("A file to recount ends in .csv or .parquet.")
    return path.suffix.lower() == ".csv"


def _source(path: Path, width: int) -> str:
    """SQL that reads a file with columns c0, c1, ..., none of them parsed."""
    # DuckDB would take these for a pattern of several files.
    literal = "".join(f"[{char}]" if char in "*?[" else char for char in str(path))
    quoted = "'" + literal.replace("'", "''") + "'"
    names = [f"c{i}" for i in range(width)]
    if not _is_csv(path):
        return f"read_parquet({quoted}) AS file({', '.join(names)})"
    columns = ", ".join(f"'{name}': 'VARCHAR'" for name in names)
    return (
        f"read_csv({quoted}, auto_detect = false, header = true, delim = ',', quote = '\"',"
        f" escape = '\"', new_line = '\\n', nullstr = '', max_line_size = {_LONGEST_LINE},"
        f" columns = {{{columns}}})"
    )


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
