"""One text for one value: 34, 34.0 and "34" are the same person's age to the ledger."""

from __future__ import annotations

from decimal import Decimal

import polars as pl

NUMBER = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,5})?$"
WHOLE = r"^(?:0|-?[1-9][0-9]*)$"  # is its own canonical text
MOMENT = r"^([0-9]{4}-[0-9]{2}-[0-9]{2})[t ]([0-9]{2}:[0-9]{2}.*)$"
LONGEST = 999  # digits that are written out, as somebody else may have done


def canonical_texts(texts: pl.Series) -> pl.Series:
    """Write numbers and dates in one way; other texts without blanks around them, in small letters.

    Each text is read alone, never by what its column holds: what a value is called must not depend
    on who else is in the table. So days and months that can be read in two ways stay as they are.

    >>> canonical_texts(pl.Series(["34.0", "+34", "3.4e1", "-0", "007", " Flu"])).to_list()
    ['34', '34', '34', '0', '7', 'flu']
    >>> canonical_texts(pl.Series(["2020-01-31 00:00:00", "31.1.2020", "2020/1/31"])).to_list()
    ['2020-01-31', '2020-01-31', '2020-01-31']
    """
    plain = texts.str.strip_chars().str.to_lowercase()
    numeric = plain.str.contains(NUMBER) & ~plain.str.contains(WHOLE)
    places = numeric.fill_null(False).arg_true()
    if len(places):
        told = [_number(text) for text in plain.gather(places).to_list()]
        plain = plain.scatter(places, pl.Series(told, dtype=pl.String))
    return _dates(plain)


def _number(text: str) -> str:
    value = Decimal(text).normalize()
    if not value:
        return "0"
    return f"{value:f}" if abs(value.adjusted()) <= LONGEST else str(value).lower()


def _dates(texts: pl.Series) -> pl.Series:
    """Write dates as ISO does, and a timestamp at midnight as its date."""
    days = texts.str.replace(r"^([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})$", "${3}-${2}-${1}")
    days = days.str.replace(r"^([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})$", "${1}-${2}-${3}")
    days = days.str.replace(r"^([0-9]{4})-([0-9])-([0-9]{1,2})$", "${1}-0${2}-${3}")
    days = days.str.replace(r"^([0-9]{4}-[0-9]{2})-([0-9])$", "${1}-0${2}")
    times = days.str.replace(MOMENT, "${1}t${2}")
    times = times.str.replace(r"^(.{10}t[0-9:]{5,8}(?:\.[0-9]+)?)(?:z|\+00:?00)$", "${1}")
    times = times.str.replace(r"^(.{10}t[0-9:]{8})\.0+$", "${1}")
    return times.str.replace(r"^([0-9]{4}-[0-9]{2}-[0-9]{2})t00:00(?::00)?$", "${1}")
