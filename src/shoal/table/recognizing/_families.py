"""Columns that are one question spread over several: at most one of them is true of anybody.

``south``, ``west`` and ``midatl`` are the regions of a country, one column each. What is known of
one of them holds of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from shoal.table._kinds import Guess
from shoal.table.recognizing._folding import bare
from shoal.table.recognizing._look import Look
from shoal.table.recognizing._tongues import words_in_cells
from shoal.typing import BoolArray

FEWEST = 3  # columns: two that exclude each other may do so by chance
TRUE = frozenset(("1", "1.0", *words_in_cells("yes").split()))
KNOWN = ("quasi_identifier", "sensitive")


def keep_families(looks: Mapping[str, Look], guesses: Mapping[str, Guess]) -> dict[str, Guess]:
    """Give the columns of a family that nothing is known of the role of those that are known.

    >>> import polars as pl
    >>> from shoal.table._cells import Distinct
    >>> people = {"south": [1, 0, 0, 0], "west": [0, 1, 0, 0], "midatl": [0, 0, 1, 0]}
    >>> of = {n: Look(n, "numeric", Distinct.of(pl.Series(v).cast(str))) for n, v in people.items()}
    >>> where, unknown = Guess("quasi_identifier", "A place."), Guess("other", "Unknown.")
    >>> found = keep_families(of, {"south": where, "west": where, "midatl": unknown})
    >>> print(found["midatl"])
    quasi_identifier (With south, west it is one question: at most one of them is true of anybody.)
    """
    found = dict(guesses)
    for family in _families(looks):
        known = [name for name in family if guesses[name].choice in KNOWN]
        roles = {guesses[name].choice for name in known}
        if len(roles) == 1:
            listed = ", ".join(known[:2])
            reason = f"With {listed} it is one question: at most one of them is true of anybody."
            unknown = [name for name in family if guesses[name].choice == "other"]
            found |= dict.fromkeys(unknown, Guess(roles.pop(), reason))
    return found


def _families(looks: Mapping[str, Look]) -> Iterator[list[str]]:
    """Yield runs of neighbours, each yes or no, of which at most one is yes in any row."""
    family: list[str] = []
    taken = np.zeros(0, dtype=np.bool_)
    for name, look in looks.items():
        true = _truths(look)
        if true is not None and family and not (taken & true).any():
            family, taken = [*family, name], taken | true
            continue
        if len(family) >= FEWEST:
            yield family
        family, taken = ([name], true) if true is not None else ([], taken)
    if len(family) >= FEWEST:
        yield family


def _truths(look: Look) -> BoolArray | None:
    """Return the rows of which it is true, if it is yes or no and neither is rare."""
    if not look.is_binary or look.size != 2:  # one answer alone excludes nothing
        return None
    said = [i for i, text in enumerate(look.distinct.texts.to_list()) if _says_yes(text)]
    return np.asarray(look.distinct.codes == said[0]) if len(said) == 1 else None


def _says_yes(text: str) -> bool:
    return bare(text).strip().lower() in TRUE
