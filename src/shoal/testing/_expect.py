"""How the batteries fail: with one sentence, and never a cell value."""

from __future__ import annotations


def expect(holds: object, sentence: str) -> None:
    """Raise `AssertionError` with the sentence unless the condition holds.

    Unlike ``assert`` it also speaks under ``python -O``.

    >>> expect(1 + 1 == 2, "Arithmetic is broken.")
    """
    if not holds:
        raise AssertionError(sentence)
