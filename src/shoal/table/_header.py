"""Column names: each must be there, and be there once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl

from shoal.exceptions import HeaderError
from shoal.table._numbers import are_numbers


def check_header(names: Sequence[str]) -> None:
    """Raise `HeaderError` if a column has no name or shares it.

    >>> check_header(["age", "sex", "age"])
    Traceback (most recent call last):
    shoal.exceptions.HeaderError: Columns 1 and 3 have the same name 'age'.
    """
    empty = [place for place, name in enumerate(names, start=1) if not name.strip()]
    if empty:
        raise HeaderError(
            f"Column {empty[0]} of {len(names)} has no name.",
            hint="Name it in the header, or remove it if it only numbers the rows.",
        )
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        places = [place for place, name in enumerate(names, start=1) if name == twice[0]]
        # Without a header the first row of people stands here: then no name may be shown.
        data = looks_like_data(names)
        shown = "" if data else f" {twice[0]!r}"
        raise HeaderError(
            f"Columns {places[0]} and {places[1]} have the same name{shown}.",
            hint="The first line looks like data; put a line of column names above it."
            if data
            else "Give every column its own name in the header.",
        )


def looks_like_data(names: Sequence[str]) -> bool:
    """Tell whether a header holds numbers, as a row of data would.

    >>> looks_like_data(["39", "Graz"]), looks_like_data(["age", "city"])
    (True, False)
    """
    return bool(are_numbers(pl.Series(names, dtype=pl.String)).any())
