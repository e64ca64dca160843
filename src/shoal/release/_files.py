"""Writing the files of a release: private while they are written, on disk before they count.

The frames in them have no memory: nothing of the original travels in buffers, types or row order.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import numpy as np
import polars as pl

from shoal._progress import Progress, at_once, stop_if_cancelled
from shoal.exceptions import OutputError
from shoal.table import CodedFrame, Distinct, drop_zero_signs
from shoal.typing import IntArray

_ROWS_AT_ONCE = 65_536
_WHAT_WENT_WRONG = {
    errno.ENOSPC: "The disk is full.",
    errno.EDQUOT: "The disk quota is used up.",
    errno.EFBIG: "The file is larger than this system allows.",
    errno.EROFS: "The disk is read-only.",
    errno.EACCES: "There is no permission to write there.",
    errno.EPERM: "There is no permission to write there.",
    errno.ENAMETOOLONG: "The name of the folder is too long.",
    errno.EIO: "The disk failed.",
}


@contextmanager
def durable(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file, readable by its owner only, that is on disk when the block ends."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def write_text(path: Path, text: str) -> None:
    """Write a text file."""
    with durable(path) as file:
        file.write(text.encode("utf-8"))


def write_data(path: Path, given: pl.DataFrame | CodedFrame, progress: Progress) -> None:
    """Write a frame as ``.csv`` or ``.parquet``, by the name of the file.

    CSV is UTF-8 with commas and quotes where needed; a missing cell is an empty one. Empty text is
    written as a missing cell is: told apart by quotes alone, they would make groups that look
    alike and are not.
    """
    frame = CodedFrame.of(given) if isinstance(given, pl.DataFrame) else given
    progress.phase("writing", frame.height)
    if path.suffix != ".csv":
        _write_parquet(path, frame, progress)
        return
    for name, column in frame.columns.items():
        dtype = pl.String() if isinstance(column, Distinct) else column.dtype
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
            raise OutputError(f"CSV cannot hold column {name!r}.", hint="Write it as Parquet.")
    text = pl.col(pl.String)
    cells = pl.when(text == "").then(None).otherwise(text).name.keep()
    if len(frame.columns) == 1:  # many readers skip an empty line: write a quoted nothing
        cells = pl.all().cast(pl.String).fill_null("")
    header = pl.DataFrame({str(i): [name] for i, name in enumerate(frame.columns)})
    with durable(path) as file:
        file.write(header.write_csv(include_header=False, line_terminator="\n").encode("utf-8"))
        for begin in range(0, frame.height, _ROWS_AT_ONCE):
            stop_if_cancelled(progress)
            part = frame.part(slice(begin, begin + _ROWS_AT_ONCE))
            shown = part.with_columns(cells)  # part by part: no second frame of a large table
            lines = shown.write_csv(include_header=False, line_terminator="\n")
            file.write(lines.encode("utf-8"))
            progress.advance(part.height)


def _write_parquet(path: Path, frame: CodedFrame, progress: Progress) -> None:
    """Write plain columns: no index, no dictionary of categories, no statistics, no notes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    none = frame.part(slice(0)).to_arrow(compat_level=pl.CompatLevel.oldest())
    table = none.replace_schema_metadata(None)
    with (
        durable(path) as file,
        pq.ParquetWriter(
            file, table.schema, compression="zstd", write_statistics=False, version="2.6"
        ) as writer,
    ):
        for begin in range(0, frame.height, _ROWS_AT_ONCE):
            stop_if_cancelled(progress)
            part = frame.part(slice(begin, begin + _ROWS_AT_ONCE))  # no second frame of a large one
            rows = part.to_arrow(compat_level=pl.CompatLevel.oldest())
            writer.write_table(pa.Table.from_arrays(rows.columns, schema=table.schema))
            progress.advance(part.height)


def number_parts(folder: Path) -> list[str]:
    """Number the parts in a folder, drop whatever lies beside them, and force them to disk."""
    parts = sorted(path for path in folder.iterdir() if path.name.startswith("part-"))
    if not parts:
        raise OutputError("No part of the release was written.")
    for path in folder.iterdir():
        if path not in parts:
            path.unlink()
    names = []
    for number, path in enumerate(parts):
        plain = path.with_name(f"part-{number:05d}{path.suffix}")
        path.rename(plain)
        with plain.open("rb") as file:
            os.fsync(file.fileno())
        names.append(f"{folder.name}/{plain.name}")
    return names


def describe(path: Path) -> dict[str, int | str]:
    """Give the size of a file and its SHA-256."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"bytes": path.stat().st_size, "sha256": digest}


@contextmanager
def explained() -> Iterator[None]:
    """Turn what the system says about files into a sentence."""
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        known = _WHAT_WENT_WRONG.get(error.errno or 0)
        reason = known or f"The system said: {error.strerror or type(error).__name__}."
        raise OutputError(f"The release was not written. {reason}") from error


_FORMULA = "^'*[=+\\-@\\t\\r\\x00＝＋－＠]"
_TEXTUAL = (pl.String, pl.Categorical, pl.Enum)
_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"


def sort_by_content(
    frame: pl.DataFrame | CodedFrame, people: IntArray | None, as_text: Collection[str] = ()
) -> tuple[CodedFrame, IntArray | None]:
    """Sort rows by what they show, left to right, so that their order says nothing else.

    The frame is rebuilt: categories and ``as_text`` become text, zeros lose their sign, and buffers
    hold what is shown. A column cut from another one may keep all of its values in memory, and a
    categorical column all of its categories: both would travel with the release.

    >>> jobs = pl.Series("job", ["spy", "cook"], dtype=pl.Categorical).to_frame()
    >>> coded, people = sort_by_content(jobs, np.array([7, 8]))
    >>> coded.frame["job"].to_list(), coded.frame.dtypes, people.tolist()
    (['cook', 'spy'], [String], [8, 7])
    """

    def look_up(column: pl.Series) -> pl.Series | Distinct:
        is_text = column.dtype in _TEXTUAL or column.name in as_text
        return Distinct.of(column.cast(pl.String)) if is_text else column

    coded = CodedFrame.of(frame) if isinstance(frame, pl.DataFrame) else frame
    plain = {n: c.alias(n) for n, c in coded.columns.items() if isinstance(c, pl.Series)}
    if any(column.dtype.is_float() for column in plain.values()):
        coded = drop_zero_signs(coded)
        plain = {name: cast(pl.Series, coded.columns[name]) for name in plain}
    looked_up = dict(zip(plain, at_once(look_up, [*plain.values()]), strict=True))
    coded = CodedFrame({**coded.columns, **looked_up}, coded.height)
    columns = coded.columns.items()
    keys = [n for n, c in columns if isinstance(c, Distinct) or not c.dtype.is_nested()]
    if not keys:
        return coded, people
    words, oldest = coded.words(keys), pl.CompatLevel.oldest()
    order = words.select(pl.arg_sort_by(words.columns, maintain_order=True)).to_series()
    rows = order.to_numpy()
    ordered = at_once(
        lambda c: (
            c[order]
            if isinstance(c, pl.Series)
            else Distinct(
                pl.Series(c.texts.to_arrow(compat_level=oldest), dtype=pl.String), c.codes[rows]
            )
        ),
        [*coded.columns.values()],
    )
    shown = CodedFrame(dict(zip(coded.columns, ordered, strict=True)), coded.height)
    return shown, None if people is None else np.asarray(people)[rows]


def spreadsheet_safe(frame: pl.DataFrame) -> pl.DataFrame:
    """Put a quote before text that a spreadsheet would run as a formula; numbers stay.

    Text that has such a quote already gets another one, so that what differed still differs.

    >>> spreadsheet_safe(pl.DataFrame({"=a": ["=1+1", "-5", "-x", None]})).to_dict(as_series=False)
    {"'=a": ["'=1+1", '-5', "'-x", None]}
    >>> spreadsheet_safe(pl.DataFrame({"=a": ["=b"], "'=a": ["'=b"]})).to_dict(as_series=False)
    {"'=a": ["'=b"], "''=a": ["''=b"]}
    """
    safe = frame.with_columns(_quoted(pl.col(pl.String)).name.keep())
    safe.columns = safe_texts(frame.columns)
    return safe


def safe_texts(texts: Sequence[str]) -> list[str]:
    """Do the same to texts.

    >>> safe_texts(["age", "@sum"])
    ['age', "'@sum"]
    """
    column = pl.DataFrame({"text": pl.Series(texts, dtype=pl.String)})
    return column.select(_quoted(pl.col("text"))).to_series().to_list()


def _quoted(cell: pl.Expr) -> pl.Expr:
    runs = cell.str.contains(_FORMULA) & ~cell.str.contains(_NUMBER)
    return pl.when(runs).then("'" + cell).otherwise(cell)
