"""What every attribute space can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from shoal.kernels.losses import FORBIDDEN, TABLE
from shoal.typing import FloatArray, IntArray

LARGEST_TABLE = 1024  # codes; 4 MB of losses, past which the formula is faster than the cache


class SpanForm(NamedTuple):
    """The losses of one attribute's spans as kernels read them (see `shoal.kernels.losses`)."""

    kind: int
    size: int
    values: IntArray
    missing: int
    full: int
    reach: IntArray | None


@dataclass(frozen=True, eq=False)
class Space(ABC):
    """One quasi-identifier with its codes numbered so that loss never falls as spans widen.

    Codes run from 0 to ``n_codes - 1``; a missing value, if there is one, is the last code and
    lies directly under the root: beside any other value it costs everything.

    Attributes
    ----------
    name : str
        The column.
    codes : IntArray
        One code per row of the table.
    n_codes : int
        Number of codes.
    has_missing : bool
        Whether the last code stands for a missing value.
    limit : float or None
        The widest span that may be published (a width for intervals, a level for trees).
    """

    name: str
    codes: IntArray
    n_codes: int
    has_missing: bool
    limit: float | None

    @abstractmethod
    def loss(self, lo: IntArray, hi: IntArray) -> FloatArray:
        """Loss of publishing each span ``lo..hi``, from 0 (exact) to 1 (nothing said)."""

    @abstractmethod
    def publish(self, lo: IntArray, hi: IntArray) -> list[str | None]:
        """Text published for each span; None is the empty cell of an all-missing group."""

    @abstractmethod
    def reach(self) -> IntArray | None:
        """Last code that a span starting at each code may end at; None without a limit."""

    @abstractmethod
    def large_form(self, full: int) -> tuple[int, IntArray]:
        """Kind and values of the losses when there are too many codes for a table."""

    @property
    def missing_code(self) -> int:
        """Code of a missing value, -1 if the column has none."""
        return self.n_codes - 1 if self.has_missing else -1

    def span_form(self, full: int) -> SpanForm:
        """Losses of all spans in whole numbers, where ``full`` stands for a loss of 1."""
        reach = self.reach()
        if self.n_codes > LARGEST_TABLE:
            kind, values = self.large_form(full)
            return SpanForm(kind, self.n_codes, values, self.missing_code, full, reach)
        a, b = np.triu_indices(self.n_codes)
        table = np.zeros((self.n_codes, self.n_codes), dtype=np.int32)
        table[a, b] = np.round(self.loss(a, b) * full)
        if reach is not None:
            table[a, b] = np.where(b <= reach[a], table[a, b], FORBIDDEN)
        table[b, a] = table[a, b]
        return SpanForm(TABLE, self.n_codes, table.ravel(), self.missing_code, full, None)
