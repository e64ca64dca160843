"""Warnings: what a careful reader should know of cells and roles; counts, never values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from shoal._words import listing
from shoal.exceptions import EncodingError
from shoal.table._cells import Cells, Distinct
from shoal.table._kinds import COLUMN_KINDS
from shoal.table._numbers import are_numbers
from shoal.table._roles import Roles
from shoal.table._suggest import Suggestion, suggest_kind, suggest_ranges
from shoal.typing import BoolArray, Kind

CONTROL = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
INVISIBLE = "[\u0080-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
ODDITIES = {  # pattern -> what to say of the cells that match
    r"^\s|\s$": "begin or end with a blank",
    INVISIBLE: "hold invisible characters (zero width, text direction)",
    "\ufffd": "hold the replacement character, a sign of text damaged earlier",
}
FORMULA = r"^[=+\-@\t\r]"


def find_doubts(cells: Cells, kinds: Mapping[str, Kind], roles: Roles) -> list[str]:
    """Say which columns are text because of a few cells or of a format, and what that costs.

    >>> cells = Cells(pl.DataFrame({"age": [*map(str, range(20, 80)), "4o"]}))
    >>> find_doubts(cells, {"age": "nominal"}, Roles())[0].split(";")[0]
    "Column 'age': 1 of 61 cells is not a number, so it is read as text and nearly all is lost"
    """
    said = []
    for name in cells.names:
        matters = not roles.named or roles.role_of(name) in ROLES_IN_DOUBT
        if not matters or cells.dtypes[name] != pl.String or kinds[name] != "nominal":
            continue
        distinct = cells.distinct(name)
        if not distinct.texts.str.contains("[0-9]").any():  # nor a number, a date or a range
            continue
        found = suggest_ranges(distinct) or suggest_kind(name, distinct)
        if found is not None and found.kind is None:
            said.append(f"Column {name!r}: {found.reason[:1].lower()}{found.reason[1:]}")
        elif found is not None:
            said.append(f"Column {name!r}: {_doubt(found, distinct)}; {_ASK}")
    return said


_ASK = "'shoal init' proposes how to read it, missing= says which texts mean no value."
NOUNS = {"date": ("a date", "dates"), "ordinal": ("a range of numbers", "ranges of numbers")}
ROLES_IN_DOUBT = ("quasi_identifier", "sensitive", "target")


def _doubt(found: Suggestion, distinct: Distinct) -> str:
    lost = "so it is read as text and nearly all is lost"
    wrong = found.named + found.odd
    if not wrong:
        return f"{found.reason[:1].lower()}{found.reason[1:-1]}, {lost}"
    one, many = NOUNS.get(str(found.kind), ("a number", "numbers"))
    are = f"cells is not {one}" if wrong == 1 else f"cells are not {many}"
    return f"{wrong:,} of {distinct.n_rows - distinct.n_missing:,} {are}, {lost}"


def find_oddities(
    cells: Cells, kinds: Mapping[str, Kind], dropped: Sequence[str] = ()
) -> list[str]:
    """Say what is odd about the text of each column that is not dropped; nothing is rewritten.

    >>> cells = Cells(pl.DataFrame({"city": ["Graz", "Graz ", "graz", "=1+1"]}))
    >>> for oddity in find_oddities(cells, {"city": "nominal"}):
    ...     print(oddity)
    Column 'city': 1 of 4 cells begin or end with a blank.
    Column 'city': 1 of 4 cells begin like a spreadsheet formula (=, +, -, @).
    Column 'city': 3 of 4 cells look like another value (case, blanks, accents, invisible marks).
    """
    blank = sum(name != name.strip() for name in cells.names)
    said = [f"Column names that begin or end with a blank: {blank:,}."] if blank else []
    empty: list[str] = []
    for name in cells.names:
        distinct = cells.distinct(name)
        if name in dropped:
            continue
        if len(distinct.texts) == 0:
            empty.append(name)
        elif cells.dtypes[name] == pl.String:
            for flags, what in _odd(distinct.texts, kinds[name]):
                if count := int(distinct.counts[flags].sum()):
                    told = f"{count:,} of {distinct.n_rows:,} cells {what}"
                    said.append(f"Column {name!r}: {told}.")
    return [*said, *_empty(empty)] if empty else said


def _empty(names: Sequence[str]) -> list[str]:
    if len(names) < 2:
        return [f"Column {name!r} has no values at all." for name in names]
    return [f"{len(names):,} columns have no values at all: {listing(names)}."]


def refuse_control_characters(cells: Cells) -> None:
    """Raise `EncodingError` if a text column holds NUL or another control character."""
    for name in cells.names:
        if cells.dtypes[name] != pl.String:
            continue
        distinct = cells.distinct(name)
        found = distinct.texts.str.contains(CONTROL)
        if found.any():
            count, first = distinct.rows_with(found.to_numpy())
            raise EncodingError(
                f"Column {name!r} has cells with NUL or control characters: {count:,}, "
                f"the first in row {first}.",
                hint="Remove these characters before reading the table.",
            )


def _odd(texts: pl.Series, kind: Kind) -> Iterator[tuple[BoolArray, str]]:
    for pattern, what in ODDITIES.items():
        yield texts.str.contains(pattern).to_numpy(), what
    if COLUMN_KINDS[kind].measured:
        return
    formula = texts.str.contains(FORMULA)
    if formula.any():
        numbers = are_numbers(texts)
        yield formula.to_numpy() & ~numbers, "begin like a spreadsheet formula (=, +, -, @)"
    composed = texts.str.normalize("NFC")
    yield (composed != texts).to_numpy(), "are not in Unicode's composed form (NFC)"
    bare = composed.str.replace_all(INVISIBLE, "").str.to_lowercase().str.strip_chars()
    if bare.n_unique() < len(bare):
        alike = "look like another value (case, blanks, accents, invisible marks)"
        yield bare.is_duplicated().to_numpy(), alike


def find_suspicions(cells: Cells, kinds: Mapping[str, Kind], roles: Roles) -> list[str]:
    """Say which columns may name people in a release, and where people have several rows.

    >>> import polars as pl
    >>> cells = Cells(pl.DataFrame({"name": ["Ann", "Bo", "Ann"], "mail": ["a@x", "b@x", "c@x"]}))
    >>> kinds = {"name": "nominal", "mail": "nominal"}
    >>> for suspicion in find_suspicions(cells, kinds, Roles(identifiers="name")):
    ...     print(suspicion)
    Column 'mail' has another value in every row and would be published; is it an identifier?
    2 rows share their 'name' with another row; if some people have several rows, give the key that
    tells people apart as person.
    """
    if not roles.named:  # nobody said anything yet
        return []
    said = [
        f"Column {name!r} has another value in every row and would be published; "
        "is it an identifier?"
        for name in cells.names
        if COLUMN_KINDS[kinds[name]].names_people
        and cells.distinct(name).all_differ
        and roles.role_of(name) == "other"
    ]
    known = roles.person is not None or roles.identifiers
    return [*said, *_repeated(cells, roles)] if known else said


def _repeated(cells: Cells, roles: Roles) -> Iterator[str]:
    if roles.person is not None:
        repeated = _rows_sharing(cells, roles.person)
        if repeated:
            yield f"{repeated:,} rows belong to people with several rows; people are counted once."
        missing = cells.distinct(roles.person).n_missing
        if missing:
            yield f"{missing:,} rows have no {roles.person!r}; together they count as one person."
        return
    keyed = any(_numbers_everybody(cells, name) for name in roles.identifiers)
    asked_about = (n for n in roles.identifiers if not keyed or _likeness_to_key(cells, n)[0])
    shared = {name: _rows_sharing(cells, name) for name in asked_about}
    if any(shared.values()):  # the one most like a key: a doctor's name is on everybody's rows
        likest = max(filter(shared.get, shared), key=lambda name: _likeness_to_key(cells, name))
        asked = (
            f"if it tells people apart, give person={likest!r}."
            if _likeness_to_key(cells, likest)[0]
            else "if some people have several rows, give the key that tells people apart as person."
        )
        yield f"{shared[likest]:,} rows share their {likest!r} with another row; {asked}"


def _numbers_everybody(cells: Cells, name: str) -> bool:
    """Tell whether a key is new in every row: then a first name that comes again says nothing."""
    return cells.distinct(name).all_differ and _likeness_to_key(cells, name)[0]


def _likeness_to_key(cells: Cells, name: str) -> tuple[bool, int]:
    """Tell whether values have digits, without which none is a key of a person, and how many."""
    distinct = cells.distinct(name)
    return bool(distinct.texts.str.contains(r"\d").any()), len(distinct.counts)


def _rows_sharing(cells: Cells, name: str) -> int:
    counts = cells.distinct(name).counts
    return int(counts[counts > 1].sum())
