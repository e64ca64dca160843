"""Corrections under the law: what was published of somebody was wrong, and must not stay."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import polars as pl

from shoal._words import plural
from shoal.exceptions import InputError, InvalidParameterError
from shoal.growing._earlier import Earlier
from shoal.table import Table
from shoal.typing import BoolArray


def corrected_rows(path: str | PathLike[str], table: Table, earlier: Earlier) -> BoolArray:
    """Find the rows of the people whom a file names, one a line.

    Names are read from a file so that none stands in a plan, a log or an error.
    """
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(
            f"The file {Path(path).name!r} of people to correct cannot be read.",
            hint="Write one name a line, as in the column that tells people apart.",
        ) from None
    names = {line for line in lines if line}
    column = earlier.trace.identity
    if not earlier.trace.once or "\x1f" in column:
        raise InvalidParameterError(
            "People can be corrected where one column names them and each has one row.",
            hint="Name it (--person); or forget them ('shoal forget') and deliver them anew.",
        )
    texts = table.text(column)
    unknown = len(names - {*texts.drop_nulls().to_list()})
    if unknown:
        raise InputError(
            f"{plural(unknown, 'name')} of {len(names):,} to correct are not in {column!r}.",
            hint="Deliver the corrected rows of everybody who is named.",
        )
    found: BoolArray = texts.is_in(pl.Series(sorted(names)).implode()).fill_null(False).to_numpy()
    return found
