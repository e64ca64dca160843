"""Frames without a memory: nothing of the original travels in buffers, types or row order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl

from shoal.table import Distinct, drop_zero_signs
from shoal.typing import IntArray

_FORMULA = "^'*[=+\\-@\\t\\r\\x00＝＋－＠]"
_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"


def forgetful(frame: pl.DataFrame, as_text: Iterable[str]) -> pl.DataFrame:
    """Rebuild a frame: categories become text, zeros lose their sign, buffers hold what is shown.

    A column cut from another one may keep all of its values in memory, and a categorical column
    keeps all of its categories: both would travel with the release.

    >>> jobs = pl.Series("job", ["cook", "spy"], dtype=pl.Categorical).to_frame()
    >>> forgetful(jobs.filter(pl.col("job") == "cook"), []).dtypes
    [String]
    """
    texts = {*as_text}
    columns = drop_zero_signs(frame)
    return pl.DataFrame([_rebuilt(column, column.name in texts) for column in columns])


def _rebuilt(column: pl.Series, as_text: bool) -> pl.Series:
    import pyarrow as pa

    if as_text or column.dtype in (pl.String, pl.Categorical, pl.Enum):
        plain = column.cast(pl.String).to_arrow().cast(pa.large_string())
        return pl.Series(column.name, plain, dtype=pl.String)
    return column  # sorting copies the cells that are there, and no others


def sort_by_content(
    frame: pl.DataFrame, people: IntArray | None
) -> tuple[pl.DataFrame, IntArray | None]:
    """Sort rows by what they show, left to right, so that their order says nothing else.

    >>> frame, people = sort_by_content(pl.DataFrame({"a": ["y", "x"]}), np.array([7, 8]))
    >>> frame["a"].to_list(), people.tolist()
    (['x', 'y'], [8, 7])
    """
    keys = [column for column in frame if not column.dtype.is_nested()]
    if not keys or not frame.height:
        return frame, people
    words = pl.DataFrame({str(i): word for i, word in enumerate(_packed_ranks(keys))})
    order = words.select(pl.arg_sort_by(words.columns, maintain_order=True)).to_series()
    return frame[order], None if people is None else np.asarray(people)[order.to_numpy()]


def _packed_ranks(columns: Sequence[pl.Series]) -> list[IntArray]:
    """Rank the cells of each column, missing first, and pack the ranks into few numbers.

    These sort as the columns do, left to right: many times faster, in a fraction of the memory.

    >>> _packed_ranks([pl.Series([5, None, 7]), pl.Series(["b", "a", "b"])])
    [array([ 6,  1, 10], dtype=uint64)]
    """
    words: list[IntArray] = []
    room = 0
    for column in columns:
        ranks, n = _ranks(column)
        bits = max(1, int(n - 1).bit_length())
        if bits > room:
            words.append(np.zeros(len(column), dtype=np.uint64))
            room = 64
        words[-1] <<= np.uint64(bits)
        words[-1] |= ranks
        room -= bits
    return words


def _ranks(column: pl.Series) -> tuple[IntArray, int]:
    """Rank each cell among the values of its column, from 0, and count the ranks."""
    if column.null_count() == len(column):
        return np.zeros(len(column), dtype=np.uint64), 1
    if column.dtype.is_numeric() or column.dtype.is_temporal() or column.dtype == pl.Boolean:
        ranks = column.rank("dense").fill_null(0).to_numpy().astype(np.uint64)
        return ranks, int(ranks.max()) + 1
    distinct = Distinct.of(column.cast(pl.String))
    by_text = distinct.texts.arg_sort().to_numpy()
    rank = np.zeros(by_text.size + 1, dtype=np.uint64)  # the last is of what is missing
    rank[by_text] = np.arange(1, by_text.size + 1)
    return rank[distinct.codes], by_text.size + 1


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
