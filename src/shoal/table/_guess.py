"""A guess: a proposal with its reason, for a human to accept or change."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Guess:
    """What was chosen for a column, and why in one sentence (never a cell value).

    >>> print(Guess("numeric", "Its values are numbers."))
    numeric (Its values are numbers.)
    """

    choice: str
    reason: str

    def __str__(self) -> str:
        return f"{self.choice} ({self.reason})"


def words_of(name: str) -> tuple[str, ...]:
    """Split a column name into lower-case words.

    >>> words_of("maritalStatus"), words_of("zip-code_2"), words_of("DOB")
    (('marital', 'status'), ('zip', 'code', '2'), ('dob',))
    """
    spaced = re.sub(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])|(?<=[^\W\d_])(?=\d)", " ", name)
    return tuple(re.findall(r"[^\W_]+", spaced.lower()))
