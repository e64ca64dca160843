"""Texts without accents, so that words can be compared."""

from __future__ import annotations

import unicodedata

LETTERS = str.maketrans(
    {"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i"}
    | {"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ð": "d", "þ": "th"}
)


def bare(text: str) -> str:
    """Fold a text: lower case kept apart from camels, no accents.

    >>> bare("Staatsbürgerschaft"), bare("Straße"), bare("płeć")
    ('Staatsburgerschaft', 'Strasse', 'plec')
    """
    plain = unicodedata.normalize("NFKD", text.translate(LETTERS))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
