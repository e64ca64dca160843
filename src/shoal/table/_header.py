"""Headers as people really write them: titles above, columns without a name or with another's."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import polars as pl

from shoal._words import plural
from shoal.exceptions import HeaderError
from shoal.kernels.delimited import Bytes
from shoal.table._numbers import are_numbers

TITLES = 5  # lines above a header, at most
HEAD = 1 << 16  # bytes that decide on them
INDEX = "index"
FEWEST_ROWS = 3  # fewer may be numbered by chance
FEWEST_NAMES = 3  # in a header of which several are missing; else it may be a row of people
SAID = 3  # columns told one by one
DISTINCT = 0.9  # of the names under a title: one that is there twice gets a number


def skip_titles(data: Bytes, delimiter: str) -> tuple[Bytes, int]:
    """Leave out the lines of a title above the header; return the rest, and how many they were.

    A title has one field where the header has several. A file whose first line may be a header
    of one column and its second a row of people keeps both: it is refused, as a ragged one.

    >>> data = np.frombuffer(b"Patients of 2024,\\nage,sex\\n34,f\\n", dtype=np.uint8)
    >>> rest, lines = skip_titles(data, ",")
    >>> rest.tobytes(), lines
    (b'age,sex\\n34,f\\n', 1)
    """
    lines = data[:HEAD].tobytes().splitlines(keepends=True)[: 4 * TITLES]
    texts = [line.decode("utf-8", "replace").rstrip("\r\n") for line in lines]
    top, titles = find_titles([next(csv.reader([t], delimiter=delimiter), []) for t in texts])
    return data[sum(map(len, lines[:top])) :], titles


def find_titles(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Find the row of a header that has a title above it, and how many rows the title has.

    >>> find_titles([["Patients of 2024", ""], ["", ""], ["age", "sex"], ["34", "f"]])
    (2, 1)
    >>> find_titles([["age", "sex"], ["34", "f"]])
    (0, 0)
    """
    records = [[field.strip() for field in row] for row in rows]
    filled = [sum(map(bool, record)) for record in records]
    top = next((place for place, fields in enumerate(filled) if fields > 1), 0)
    titles = [records[place] for place in range(top) if filled[place]]
    if not 1 <= len(titles) <= TITLES or not _is_header(records[top : top + 2], titles):
        return 0, 0
    return top, len(titles)


def _is_header(records: list[list[str]], titles: list[list[str]]) -> bool:
    """Tell column names from a first row of people, by what stands above and below them."""
    if len(records) < 2 or len(records[0]) != len(records[1]):
        return False
    cells = records[1]
    names = records[0][not records[0][0] :]  # an index has no name
    while names and not names[-1]:  # a delimiter may end the line
        names.pop()
    if not all(names) or len(set(names)) < DISTINCT * len(names) or looks_like_data(names):
        return False
    sentence = any(" " in field or field.startswith("#") for title in titles for field in title)
    return sentence or bool(are_numbers(pl.Series(cells, dtype=pl.String)).any())


def mend_header(data: Bytes, delimiter: str, missing_fields: int, first: bool) -> Bytes:
    """Give the header as many fields as its rows have: one more (in front or behind), or one less.

    >>> data = np.frombuffer(b"a,b\\n1,2,\\n", dtype=np.uint8)
    >>> mend_header(data, ",", 1, first=False).tobytes()
    b'a,b,\\n1,2,\\n'
    """
    start = int(np.argmax((data != 10) & (data != 13)))  # empty lines are skipped
    ends = np.flatnonzero((data[start:] == 10) | (data[start:] == 13))
    end = start + int(ends[0]) if ends.size else data.size
    mark = np.frombuffer(delimiter.encode(), dtype=np.uint8)
    if missing_fields > 0:
        place = start if first else end
        return np.concatenate([data[:place], mark, data[place:]])
    ended = end > start and data[end - 1] == mark[0]
    return np.concatenate([data[: end - 1], data[end:]]) if ended else data


def name_columns(names: Sequence[str], columns: Iterable[pl.Series]) -> tuple[list[str], list[str]]:
    """Name every column; an empty name means that the column is left out. Says what was done.

    >>> cells = [pl.Series(["0", "1", "2"]), *[pl.Series(["34", "17", "9"])] * 2]
    >>> names, said = name_columns(["", "age", "age"], cells)
    >>> names, said[0]
    (['index', 'age', 'age_2'], "Column 1 has no name and numbers the rows; it is called 'index'.")
    """
    if all(name.strip() for name in names) and len(set(names)) == len(names):
        return list(names), []
    columns = list(columns)
    unexplained = sum(map(_unexplained, names, columns))
    told = sum(bool(name.strip()) for name in names)
    if looks_like_data(names) or (unexplained > 1 and told < FEWEST_NAMES):
        check_header(names)
    named, repeated = list(names), number_repeated(names)
    empty: list[int] = []
    unnamed: list[int] = []
    for place, (name, cells) in enumerate(zip(names, columns, strict=True)):
        if name.strip():
            named[place] = repeated[place]
        elif _is_empty(cells):
            named[place] = ""
            empty.append(place)
        else:
            usual = INDEX if numbers_rows(cells) else f"column_{place + 1}"
            named[place] = _free(usual, [*names, *named])
            unnamed.append(place)
    again = [place for place, name in enumerate(names) if name.strip() and named[place] != name]
    said = [*_say_unnamed(unnamed, named), *_say_repeated(again, named)]
    if empty:
        ended = "; lines end in a delimiter" if empty == [len(names) - 1] else ""
        said.append(f"{plural(len(empty), 'column')} without name and cells left out{ended}.")
    return named, said


def _say_unnamed(places: list[int], named: Sequence[str]) -> Iterator[str]:
    if len(places) > SAID:
        told = f"{named[places[0]]!r} to {named[places[-1]]!r}"
        yield f"{len(places)} columns have no name; they are called {told}: a header of two lines?"
        return
    for place in places:
        what = " and numbers the rows" if named[place].startswith(INDEX) else ""
        yield f"Column {place + 1} has no name{what}; it is called {named[place]!r}."


def _say_repeated(places: list[int], named: Sequence[str]) -> Iterator[str]:
    if len(places) > SAID:
        yield f"{len(places)} columns have the name of another; they got a number: '_2', '_3'."
        return
    for place in places:
        yield f"Column {place + 1} has the name of another; it is called {named[place]!r}."


def number_repeated(names: Sequence[str]) -> list[str]:
    """Number the names that were there before.

    >>> number_repeated(["age", "age", "sex", "age", "age_2"])
    ['age', 'age_3', 'sex', 'age_4', 'age_2']
    """
    named: list[str] = []
    for place, name in enumerate(names):
        named.append(_free(name, [*names, *named]) if name in names[:place] else name)
    return named


def _unexplained(name: str, cells: pl.Series) -> bool:
    """Tell whether cells stand under no name: more than one such column is no slip."""
    return not name.strip() and not _is_empty(cells) and not numbers_rows(cells)


def _is_empty(cells: pl.Series) -> bool:
    return bool((cells.is_null() | (cells.str.strip_chars() == "")).all())


def _free(name: str, taken: Sequence[str]) -> str:
    """Number a name until nobody has it."""
    if name not in taken:
        return name
    return next(f"{name}_{n}" for n in range(2, len(taken) + 3) if f"{name}_{n}" not in taken)


def numbers_rows(cells: pl.Series) -> bool:
    """Tell whether a column only counts the rows, from 0 or from 1.

    >>> numbers_rows(pl.Series(["1", "2", "3"])), numbers_rows(pl.Series(["1", "3", "2"]))
    (True, False)
    """
    first = cells.cast(pl.String).head(1).to_list()
    if first not in (["0"], ["1"]) or len(cells) < FEWEST_ROWS:
        return False
    start = int(first[0])
    count = pl.int_range(start, start + len(cells), eager=True).cast(pl.String)
    return bool((cells.cast(pl.String) == count).fill_null(False).all())


def check_header(names: Sequence[str]) -> None:
    """Raise `HeaderError` if a column has no name or shares it.

    >>> check_header(["age", "sex", "age"])
    Traceback (most recent call last):
    shoal.exceptions.HeaderError: Columns 1 and 3 have the same name 'age'.
    """
    # Without a header the first row of people stands here: then no name may be shown.
    data = looks_like_data(names)
    ask = "The first line looks like data; put a line of column names above it."
    empty = [place for place, name in enumerate(names, start=1) if not name.strip()]
    if empty:
        raise HeaderError(
            f"Column {empty[0]} of {len(names)} has no name.",
            hint=ask if data else "Name it in the header, or remove it.",
        )
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        places = [place for place, name in enumerate(names, start=1) if name == twice[0]]
        shown = "" if data else f" {twice[0]!r}"
        raise HeaderError(
            f"Columns {places[0]} and {places[1]} have the same name{shown}.",
            hint=ask if data else "Give every column its own name in the header.",
        )


def looks_like_data(names: Sequence[str]) -> bool:
    """Tell whether a header holds numbers, as a row of data would.

    >>> looks_like_data(["39", "Graz"]), looks_like_data(["age", "city"])
    (True, False)
    """
    return bool(are_numbers(pl.Series(names, dtype=pl.String)).any())
