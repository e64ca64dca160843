"""Files as Spark reads them: every cell of a CSV as text, every record checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from shoal.exceptions import HeaderError, InputError
from shoal.table import Address, is_address, no_file, number_repeated

DELIMITERS = (",", ";", "\t", "|")
_COLUMNAR = {".parquet": "parquet", ".pq": "parquet", ".orc": "orc"}


@dataclass(frozen=True, eq=False)
class Source:
    """A Spark frame whose columns are called c0, c1, ..., and their names.

    Inside Spark a name may hold no dot and is not told apart by case; a table has no such limits.
    """

    frame: Any
    names: tuple[str, ...]
    path: Path | None = None  # where it lies, if that is a place on this machine

    @classmethod
    def of(cls, frame: Any) -> Source:
        """Take in a Spark frame; a stream has no end, so nobody could say who is in it."""
        if getattr(frame, "isStreaming", False):
            raise InputError(
                "A stream cannot be released: Spark knows nobody again whom an earlier part of it"
                " held, and would group the same people twice.",
                hint="Release what came until now as a table (spark.read); deliver month by month"
                " with the local engine (--after).",
            )
        names = tuple(frame.columns)
        _check_names(names)
        return cls(frame.toDF(*(f"c{i}" for i in range(len(names)))), names)

    def place(self, name: str) -> str:
        """Name of a column inside Spark."""
        return f"c{self.names.index(name)}"


def is_database(source: str) -> bool:
    """Tell whether Spark reads a source by JDBC.

    >>> is_database("postgresql://host/db"), is_database("hdfs://cluster/patients.parquet")
    (True, False)
    """
    return is_address(source) and Address.of(source).scheme == "postgresql"


def check_place(source: str) -> None:
    """Refuse what Spark does not read here, before anything is started.

    >>> check_place("hdfs://cluster/patients.parquet")
    """
    if is_address(source) and Address.of(source).scheme.partition("+")[0] in DATABASES:
        raise InputError(
            "Of databases Spark reads PostgreSQL here.",
            hint="Leave out --engine spark, or give shoal.spark.anonymize a frame that your own"
            " spark.read.jdbc(...) made.",
        )

    suffix = Path(source).suffix.lower()
    if suffix in NOT_HERE:
        raise InputError(
            f"Spark reads CSV, Parquet and ORC files here, not {suffix}.",
            hint="Leave out --engine spark.",
        )


NOT_HERE = {
    *(".xlsx", ".xls", ".xlsb", ".ods", ".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"),
    *(".ndjson", ".jsonl", ".arrow", ".feather", ".ipc", ".zip"),
}
DATABASES = {
    *("sqlite", "duckdb", "mysql", "mariadb", "oracle", "mssql", "jdbc", "db2"),
}


def read_source(
    spark: Any,
    source: str | PathLike[str],
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Source:
    """Read a file, a folder of parts or an address (``hdfs://``, ``s3a://``) lazily.

    CSV cells are text, as for `read_table`; nothing is inferred and nothing is trimmed. A record
    with more or fewer fields than the header fails the job that meets it.
    """
    path = str(source)
    check_place(path)
    where = _place(path)
    form = _COLUMNAR.get(Path(path).suffix.lower()) or _form_of_folder(path)
    if form != "csv":
        return replace(Source.of(spark.read.format(form).load(where)), path=_local(path))
    header = _first_line(spark, where, encoding)
    separator = delimiter or find_delimiter(header)
    options = {
        "sep": separator,
        "encoding": encoding or "UTF-8",
        "quote": '"',
        "escape": '"',
        "header": "true",
        "mode": "FAILFAST",
        "multiLine": str(_spans_lines(spark, where)).lower(),
        "maxCharsPerColumn": str(1 << 20),
    }
    names = _split_header(header, separator)
    schema = ", ".join(f"c{i} string" for i in range(len(names)))
    frame = spark.read.options(**options).schema(schema).csv(where)
    if not names[-1]:  # a delimiter ends every line
        names.pop()
        frame = _without_last(frame)
    return Source(frame, tuple(names), _local(path))


def _without_last(frame: Any) -> Any:
    """Leave out a last column that has no name, if it has no cells either."""
    from pyspark.sql import functions as sf

    *kept, last = frame.columns
    if not frame.filter(sf.length(sf.trim(last)) > 0).isEmpty():
        raise HeaderError(NO_NAME, hint="Name it in the header.")
    return frame.select(*kept)


def _local(path: str) -> Path | None:
    return None if "://" in path else Path(path).absolute()


def find_delimiter(header: str) -> str:
    """Find the delimiter that cuts the header into most fields.

    >>> find_delimiter('age;"a,b,c";sex')
    ';'
    """
    unquoted = "".join(header.split('"')[::2])
    return max(DELIMITERS, key=lambda mark: (unquoted.count(mark), -DELIMITERS.index(mark)))


def _place(path: str) -> str:
    """Give Spark an absolute address; a local file must exist."""
    if "://" in path:
        return path
    if not Path(path).exists():
        raise no_file(path)
    return Path(path).resolve().as_uri()


def _form_of_folder(path: str) -> str:
    folder = Path(path)
    if "://" not in path and folder.is_dir():
        ends = {part.suffix.lower() for part in folder.iterdir() if part.is_file()}
        found = sorted({_COLUMNAR[end] for end in ends if end in _COLUMNAR})
        return found[0] if found else "csv"
    return "csv"


def _first_line(spark: Any, where: str, encoding: str | None) -> str:
    lines = spark.read.text(where).limit(1).collect()
    if not lines:
        raise InputError("The file is empty.")
    line = str(lines[0][0]).lstrip("\ufeff")
    if "\ufffd" in line and encoding is None:
        raise InputError(
            "The file is not UTF-8.", hint="Give its encoding, such as latin-1 (--encoding)."
        )
    return line


def _spans_lines(spark: Any, where: str) -> bool:
    """Tell whether a quoted cell may hold a line end: then the file cannot be cut at lines."""
    from pyspark.sql import functions as sf

    quotes = sf.length("value") - sf.length(sf.replace("value", sf.lit('"'), sf.lit("")))
    return not spark.read.text(where).filter(quotes % 2 == 1).isEmpty()


def _split_header(header: str, delimiter: str) -> list[str]:
    """Split a header; the last name may be empty, the first of several alike keeps its name."""
    import csv

    names = next(csv.reader([header], delimiter=delimiter))
    if len(names) == 1 and " " in names[0].strip():
        raise HeaderError(
            "The first line is one sentence, not column names: is it a title?",
            hint="Remove it: Spark reads the header from the first line.",
        )
    ended = len(names) > 1 and not names[-1].strip()
    named = number_repeated(names[:-1] if ended else names)
    _check_names(named)
    return [*named, ""] if ended else named


NO_NAME = "A column of the table has no name."


def _check_names(names: Sequence[str]) -> None:
    if any(not name.strip() for name in names):
        raise HeaderError(
            NO_NAME, hint="Name it in the header, or remove it if it only numbers the rows."
        )
    if len(set(names)) < len(names):
        raise HeaderError("More than one column of the table has the same name.")
