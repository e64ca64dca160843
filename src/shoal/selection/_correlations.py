"""Symmetrical uncertainty of columns, counted once and remembered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from shoal.selection._uncertainty import Tally, chance_level, symmetrical_uncertainty


class Counts(Protocol):
    """Whoever can count how often values occur together: a table, a cluster."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns to choose from, in the order of the table."""

    @property
    def target(self) -> str:
        """The column to be told."""

    def tallies(self, groups: Sequence[tuple[str, ...]]) -> list[Tally]:
        """Tally the combinations of values of each group of columns."""


class Correlations:
    """What pairs of columns tell of each other; asks for counts in as few rounds as it can.

    >>> import polars as pl
    >>> from shoal.selection import TableCounts
    >>> from shoal.table import read_table
    >>> frame = pl.DataFrame({"sky": ["b", "b", "g", "g"] * 9, "rain": ["n", "n", "y", "y"] * 9})
    >>> known = Correlations(TableCounts(read_table(frame), "rain"))
    >>> known.between("sky", "rain"), known.is_chance("sky")
    (1.0, False)
    """

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        self._tallies: dict[tuple[str, ...], Tally] = {}

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns to choose from."""
        return self.counts.columns

    def prepare(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Count what these pairs need, all of it in one round."""
        groups = [group for one, other in pairs for group in _groups(one, other)]
        missing = [g for g in dict.fromkeys(groups) if g not in self._tallies]
        if missing:
            self._tallies.update(zip(missing, self.counts.tallies(missing), strict=True))

    def between(self, one: str, other: str) -> float:
        """Symmetrical uncertainty of two columns."""
        self.prepare([(one, other)])
        x, y, both = (self._tallies[group] for group in _groups(one, other))
        return symmetrical_uncertainty(x, y, both)

    def relevance(self, column: str) -> float:
        """Symmetrical uncertainty of a column and the target."""
        return self.between(column, self.counts.target)

    def is_chance(self, column: str) -> bool:
        """Tell whether unrelated columns would look as related as this one and the target."""
        found = self.relevance(column)
        x, y, _ = (self._tallies[group] for group in _groups(column, self.counts.target))
        return found <= chance_level(x, y)

    def ranking(self) -> tuple[tuple[str, float], ...]:
        """All columns with their relevance, the highest first, ties in the order of the table."""
        self.prepare((column, self.counts.target) for column in self.columns)
        found = [(column, self.relevance(column)) for column in self.columns]
        return tuple(sorted(found, key=lambda pair: -pair[1]))


def _groups(one: str, other: str) -> tuple[tuple[str, ...], ...]:
    first, second = sorted((one, other))
    return (first,), (second,), (first, second)
