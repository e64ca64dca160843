"""Who may be in which group: each person against every published box, as rows of bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from shoal.risk.attacks._meanings import Meaning
from shoal.typing import BoolArray, FloatArray, IntArray

_CELLS_AT_ONCE = 16_000_000


class Matching:
    """Groups of a release, and a quick way to ask which of them fit a person.

    For every column and every value the groups whose text may stand for it are kept as bits; a
    person's groups are the bits common to all columns.

    Parameters
    ----------
    meanings : sequence of Meaning
        One for each quasi-identifier.
    texts : IntArray
        The text each group publishes, one row per group, one column per quasi-identifier.
    sizes : IntArray
        Rows in each group.
    """

    def __init__(self, meanings: Sequence[Meaning], texts: IntArray, sizes: IntArray) -> None:
        self.meanings = meanings
        self.texts = texts
        self.sizes = sizes

    @property
    def n_groups(self) -> int:
        """Groups of the release."""
        return int(self.sizes.size)

    def count(self, values: IntArray) -> FloatArray:
        """Count the released rows that fit each person (a row of ``values``)."""
        return self.sums(values, self.sizes[:, None])[:, 0]

    def sums(self, values: IntArray, amounts: FloatArray | IntArray) -> FloatArray:
        """Add up the amounts (one row per group) of all groups that fit each person."""
        people, alike = _distinct_rows(values)
        weights = np.asarray(amounts, dtype=np.float32)
        found = np.empty((len(people), weights.shape[1]), dtype=np.float64)
        for begin, fits in self.walk(people):
            found[begin : begin + len(fits)] = fits.astype(np.float32) @ weights
        return found[alike]

    def balanced(self, values: IntArray, rounds: int = 8) -> FloatArray:
        """Weigh groups so that the people who fit fill each with as many rows as it has.

        A person is in a group with the share of its weight among all that fit. With sizes as
        weights, groups that few people fit come out too empty, though every row is somebody's;
        scaling them up again and again mends that (R. Sinkhorn, 1964) and assumes nothing else.
        """
        people, alike = _distinct_rows(values)
        times, sizes = np.bincount(alike), self.sizes.astype(np.float64)
        wanted = sizes * (len(values) / max(1.0, sizes.sum()))
        weights = sizes.copy()
        for _ in range(rounds):
            filled = np.zeros(sizes.size)
            for begin, fits in self.walk(people):
                matrix = fits.astype(np.float32)
                total = np.maximum(matrix @ weights.astype(np.float32), 1e-9)
                filled += weights * ((times[begin : begin + len(fits)] / total) @ matrix)
            weights *= np.where(filled > 0, wanted / np.maximum(filled, 1e-9), 1.0)
        return weights

    def walk(self, values: IntArray) -> Iterator[tuple[int, BoolArray]]:
        """Give for chunks of people which groups fit: where the chunk begins, people by groups."""
        step = max(1, _CELLS_AT_ONCE // max(1, self.n_groups))
        for begin in range(0, len(values), step):
            yield begin, self.fits(values[begin : begin + step])

    def fits(self, values: IntArray) -> BoolArray:
        """Tell which groups (columns) fit which people (rows)."""
        everything = np.full((len(values), -(-self.n_groups // 8)), 255, dtype=np.uint8)
        for column, bits in enumerate(self._bits):
            everything &= bits[values[:, column]]
        unpacked = np.unpackbits(everything, axis=1, count=self.n_groups)
        return unpacked.astype(np.bool_)

    @cached_property
    def _bits(self) -> list[IntArray]:
        return [self._pack(meaning, column) for column, meaning in enumerate(self.meanings)]

    def _pack(self, meaning: Meaning, column: int) -> IntArray:
        """Pack for each value the groups whose text may stand for it."""
        step = max(1, _CELLS_AT_ONCE // max(1, self.n_groups, meaning.lows.size))
        numbers = np.arange(meaning.values.size)
        parts = [
            np.packbits(
                meaning.covers(numbers[begin : begin + step])[:, self.texts[:, column]], axis=1
            )
            for begin in range(0, numbers.size, step)
        ]
        return np.concatenate(parts)


def _distinct_rows(values: IntArray) -> tuple[IntArray, IntArray]:
    """Find the distinct rows, and which of them each row is: people alike are asked about once."""
    combined = np.zeros(len(values), dtype=np.int64)
    for column in values.T:
        wide = combined * (int(column.max(initial=0)) + 1) + column
        _, combined = np.unique(wide, return_inverse=True)
    _, first, alike = np.unique(combined, return_index=True, return_inverse=True)
    return values[first], alike
