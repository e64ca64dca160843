"""Inference of kinds and roles: what a column's name and its values suggest it is."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.table._cells import Distinct
from shoal.table._header import numbers_rows
from shoal.table._kinds import COLUMN_KINDS, Guess, guess_kinds, words_of
from shoal.table._roles import Role
from shoal.table._table import Table
from shoal.typing import Kind

WORDS: dict[Role, str] = {  # words of column names, English and German
    "identifier": """name firstname lastname surname forename fullname maiden nachname vorname
        email mail phone telephone mobile fax telefon ssn svnr passport license licence iban
        account mrn login username user url website ip mac address street strasse adresse
        signature photo""",
    "target": "target label class outcome y readmitted churn default ziel",
    "sensitive": """disease diagnosis diagnoses condition illness symptom icd medication drug
        treatment therapy procedure hiv cancer allergy salary income wage wages pay charges cost
        costs debt credit score balance religion belief political party orientation union crime
        conviction offence arrest krankheit diagnose gehalt einkommen lohn kosten""",
    "quasi_identifier": """age sex gender race ethnicity ethnic zip zipcode postcode postal plz
        city town county region state province country district nationality citizenship native
        birth birthday birthdate birthplace dob born marital married education degree school
        occupation job profession employer workclass industry household children kids language
        relationship height weight admission discharge visit death military veteran location
        latitude longitude alter geschlecht geburtsdatum wohnort ort land beruf familienstand
        bildung""",
}
WHY: dict[Role, str] = {
    "identifier": "Its name says that it names or reaches a person.",
    "target": "Its name is that of a value to predict.",
    "sensitive": "Its name is that of something people keep to themselves.",
    "quasi_identifier": "Its name is that of something others may know about a person.",
}
ID_WORDS = {"id", "ids", "nr", "no", "number", "nummer", "key", "uuid", "guid", "code"}
FEWEST_KEYS = 20  # rows; in fewer, values may all differ by chance
PERSON_WORDS = {"person", "patient", "subject", "customer", "client", "member", "user", "employee"}


def infer_kinds(table: Table) -> dict[str, Guess]:
    """Propose the kind of every column, with the reason.

    Parameters
    ----------
    table : Table
        A table; the kinds it already has are not looked at.

    Returns
    -------
    dict of str to Guess
        One guess per column: ``numeric``, ``ordinal``, ``nominal``, ``date`` or ``code``.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> frame = pl.DataFrame({"zip": ["01234", "9876"], "age": ["7", "41"], "sex": ["f", "m"]})
    >>> for name, guess in infer_kinds(read_table(frame)).items():
    ...     print(name, "is", guess)
    zip is code (Its name is that of a code, and its values are digits.)
    age is numeric (Its distinct values (2) are all numbers.)
    sex is nominal (Its distinct values (2) are text.)
    """
    return guess_kinds(table.cells, table.orders, table.column_names)


def infer_roles(table: Table) -> dict[str, Guess]:
    """Propose a role for every column, with the reason; the roles it has are not looked at.

    Names are compared word by word with small vocabularies, then the values speak: a column
    that differs in every row names people, whatever it is called. At most one column is
    proposed as target and one as person. `Roles.from_choices` makes roles of the choices.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame(
    ...     {"name": ["Ann", "Bo"], "age": [34, 17], "disease": ["flu", "gout"], "n": [1, 1]}
    ... )
    >>> guesses = infer_roles(read_table(frame))
    >>> for column, guess in guesses.items():
    ...     print(column, "is", guess)
    name is identifier (Its name says that it names or reaches a person.)
    age is quasi_identifier (Its name is that of something others may know about a person.)
    disease is sensitive (Its name is that of something people keep to themselves.)
    n is other (Neither its name nor its values point to a person.)
    """
    guesses: dict[str, Guess] = {}
    for name in table.column_names:
        taken = {guess.choice for guess in guesses.values()} & {"target", "person"}
        guesses[name] = next(g for g in _candidates(table, name) if g.choice not in taken)
    return guesses


def _candidates(table: Table, name: str) -> Iterator[Guess]:
    """Guesses for one column, best first; the last one is always possible."""
    *_, last = ("", *words_of(name))
    words = set(words_of(name))
    distinct = table.cells.distinct(name)
    if words & ID_WORDS and words & (PERSON_WORDS | {"id", "uuid", "guid"}):
        if distinct.all_differ:
            yield Guess("identifier", "Its name is that of a key, and every row has its own.")
        elif words & PERSON_WORDS:
            yield Guess("person", "Its name is that of a person's key, and rows share it.")
        yield Guess("identifier", "Its name is that of a key.")
    for role, vocabulary in WORDS.items():
        telling = {last} if role == "target" else words  # "income class", not "class of worker"
        if telling & set(vocabulary.split()):
            yield Guess(role, WHY[role])
    if distinct.n_rows >= FEWEST_KEYS and numbers_rows(table.cells.series(name)):
        yield Guess("drop", "It only numbers the rows.")
    if _looks_like_keys(distinct, table.kinds[name]):
        yield Guess("identifier", f"Each of its {distinct.n_rows:,} rows has a value of its own.")
    if table.kinds[name] == "date":
        yield Guess("quasi_identifier", "It is a date, which others may know about a person.")
    yield Guess("other", "Neither its name nor its values point to a person.")


def _looks_like_keys(distinct: Distinct, kind: Kind) -> bool:
    """Whether values could name people: all differ, and they are words, codes or whole numbers."""
    if not distinct.all_differ or distinct.n_rows < FEWEST_KEYS:
        return False
    whole = kind == "numeric" and bool(distinct.texts.str.contains(r"^\d+$").all())
    return COLUMN_KINDS[kind].names_people or whole
