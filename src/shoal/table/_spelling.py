"""Spelling: blanks around values, and values that differ only in case or accents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import polars as pl

Spell: TypeAlias = Callable[[pl.Series], pl.Series]


def clean_texts(
    cells: pl.Series, cleaners: Sequence[str], rows: pl.Series | None = None
) -> pl.Series:
    """Take blanks off, then let values that are spelled alike become the most frequent of them.

    ``rows`` says how often each cell counts; once, if it is not given.

    >>> towns = pl.Series(["Graz", "graz ", "GRAZ", "Graz", "Linz"])
    >>> clean_texts(towns, ["trim", "case"]).to_list()
    ['Graz', 'Graz', 'Graz', 'Graz', 'Linz']
    """
    if "trim" in cleaners:
        cells = cells.str.strip_chars()
    alike = [CLEANERS[word] for word in cleaners if word != "trim"]
    if not alike:
        return cells
    counted = pl.DataFrame({"text": cells, "rows": 1 if rows is None else rows})
    plain = counted.drop_nulls("text").group_by("text").agg(pl.col("rows").sum())
    texts = plain.sort(["rows", "text"], descending=[True, False]).get_column("text")
    spelled = texts
    for spell in alike:
        spelled = spell(spelled)
    keys = spelled.to_list()
    chosen = dict(zip(reversed(keys), reversed(texts.to_list()), strict=True))
    into = pl.Series([chosen[key] for key in keys], dtype=pl.String)
    return cells.replace_strict(texts, into, default=None, return_dtype=pl.String)


def fold_texts(texts: pl.Series, cleaners: Sequence[str]) -> pl.Series:
    """Spell texts in the one way that all spellings of a value share, whatever table they are in.

    >>> fold_texts(pl.Series(["AB7 ", "ab7"]), ["trim", "case"]).to_list()
    ['ab7', 'ab7']
    """
    for word, spell in CLEANERS.items():
        texts = spell(texts) if word in cleaners else texts
    return texts


def _fold_case(texts: pl.Series) -> pl.Series:
    return texts.str.to_lowercase()


def _drop_accents(texts: pl.Series) -> pl.Series:
    return texts.str.normalize("NFD").str.replace_all(r"\p{M}", "")


CLEANERS: dict[str, Spell] = {
    "trim": lambda texts: texts.str.strip_chars(),
    "case": _fold_case,
    "accents": _drop_accents,
}
