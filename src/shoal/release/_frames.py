"""Frames without a memory: nothing of the original travels in buffers, types or row order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl

from shoal.table import drop_zero_signs
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
    if not frame.width:
        return frame, people
    keys = [column for column in frame.columns if not frame.schema[column].is_nested()]
    place = "#" + "".join(frame.columns)  # longer than any of them, so the name of none
    ordered = frame.with_row_index(place).sort(keys, maintain_order=True)
    order = ordered[place].to_numpy()
    return ordered.drop(place), None if people is None else np.asarray(people)[order]


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
