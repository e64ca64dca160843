"""Spaces: one quasi-identifier with its losses, and the weighted sum of all of them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.kernels.losses import FORBIDDEN, TABLE, Losses
from shoal.table import Grouping
from shoal.typing import FloatArray, IntArray

OF_PAPERS = ("width", "height")  # what losses in the papers are shares of
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
    missing : int
        Code of a missing value, the last one; -1 if there is none.
    limit : float or None
        The widest span that may be published (a width for intervals, a level for trees).
    measured_by : str
        What the loss of a span is a share of: ``width``, or what a tree counts.
    on_grid : bool
        Whether intervals reach further than the values in them: their ends are nobody's.
    """

    name: str
    codes: IntArray
    n_codes: int
    missing: int
    limit: float | None
    measured_by: str = field(default="width", kw_only=True)
    on_grid: bool = field(default=False, kw_only=True)

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

    def by_height(self) -> Self:
        """Return the space with the loss of Malle et al. (2017), which NGIL is made of."""
        return self

    def released_loss(self, lo: IntArray, hi: IntArray) -> FloatArray:
        """Loss of each published span, in a table that consists of these spans.

        An interval loses its width over the reach of all intervals published, a label its height
        over that of its tree, a masked code its stars over the longest code published, ``*``
        everything. So whoever has the release and the hierarchies can recompute it.
        """
        return self.by_height().loss(lo, hi)

    def covers(self, lo: IntArray, hi: IntArray) -> tuple[IntArray, IntArray]:
        """First and last code that what is published for each span may stand for."""
        mixed = (hi == self.missing) & (lo != hi)  # ``*``, which may be anything
        return np.where(mixed, 0, lo), np.where(mixed, self.n_codes - 1, hi)

    def span_form(self, full: int) -> SpanForm:
        """Losses of all spans in whole numbers, where ``full`` stands for a loss of 1."""
        reach = None if self.limit is None else self.reach()
        if self.n_codes > LARGEST_TABLE:
            kind, values = self.large_form(full)
            return SpanForm(kind, self.n_codes, values, self.missing, full, reach)
        a, b = np.triu_indices(self.n_codes)
        table = np.zeros((self.n_codes, self.n_codes), dtype=np.int32)
        table[a, b] = np.round(self.loss(a, b) * full)
        if reach is not None:
            table[a, b] = np.where(b <= reach[a], table[a, b], FORBIDDEN)
        table[b, a] = table[a, b]
        return SpanForm(TABLE, self.n_codes, table.ravel(), self.missing, full, None)


def normalize_weights(weights: Mapping[str, float] | None, names: Sequence[str]) -> FloatArray:
    """One weight per name, the largest 1; names not mentioned weigh as much as a 1 given.

    Only ratios matter. They are kept to twelve digits, so that scaling all weights by any
    factor gives the very same numbers.

    >>> normalize_weights({"zip": 2.0}, ["age", "zip"]).tolist()
    [0.5, 1.0]
    >>> normalize_weights({"age": 0.1, "zip": 0.3}, ["age", "zip"]).tolist()
    [0.333333333333, 1.0]
    """
    given = dict(weights or {})
    for name, weight in given.items():
        if name not in names:
            raise UnknownColumnError.among(name, names, what="quasi-identifier to weight")
        if isinstance(weight, bool) or not math.isfinite(weight) or weight < 0:
            raise InvalidParameterError(
                f"The weight of {name!r} must be a number of 0 or more.",
                hint="Weights steer what keeps its detail: 2 matters twice as much as 1.",
            )
    values = np.array([float(given.get(name, 1.0)) for name in names])
    if values.size and values.max() == 0:
        raise InvalidParameterError(
            "All weights are 0, so nothing matters.", hint="Give at least one a positive weight."
        )
    largest = values.max() if values.size else 1.0
    return np.array([float(f"{value / largest:.12g}") for value in values])


@dataclass(frozen=True, eq=False)
class WeightedSpaces:
    """All quasi-identifiers of a table side by side, with weights that steer the search.

    Weights act on the search only; `loss` and `ngil` speak of what is published, unweighted.
    """

    spaces: tuple[Space, ...]
    weights: FloatArray
    #: Names of the quasi-identifiers.
    names: tuple[str, ...] = field(init=False)
    #: Fixed-point number that a loss of 1 at weight 1 becomes.
    unit: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(space.name for space in self.spaces))
        bits = 24
        while (len(self.spaces) << bits) >= FORBIDDEN:
            bits -= 1
        object.__setattr__(self, "unit", 1 << bits)

    @cached_property
    def codes(self) -> IntArray:
        """Codes of all rows, one column per attribute."""
        if not self.spaces:
            return np.zeros((0, 0), dtype=np.int32)
        codes = np.empty((self.spaces[0].codes.size, len(self.spaces)), dtype=np.int32)
        for j, space in enumerate(self.spaces):
            codes[:, j] = space.codes
            object.__setattr__(space, "codes", codes[:, j])  # held once
        return codes

    def with_weights(self, weights: Mapping[str, float] | None) -> WeightedSpaces:
        """Return the same spaces under other weights."""
        other = normalize_weights(weights, self.names)
        return self if np.array_equal(other, self.weights) else WeightedSpaces(self.spaces, other)

    def by_height(self) -> WeightedSpaces:
        """Return the same spaces with the loss of Malle et al. (2017), which NGIL is made of."""
        if all(space.measured_by in OF_PAPERS for space in self.spaces):
            return self
        return WeightedSpaces(tuple(space.by_height() for space in self.spaces), self.weights)

    @cached_property
    def losses(self) -> Losses:
        """Loss of all spans in fixed point, weighted, for kernels."""
        fulls = np.round(self.weights * self.unit).astype(np.int64)
        forms = [s.span_form(int(full)) for s, full in zip(self.spaces, fulls, strict=True)]
        reaches = [form.reach for form in forms]
        sizes = [0 if reach is None else reach.size for reach in reaches]
        at = np.cumsum([0, *sizes])[:-1]
        parts = [reach for reach in reaches if reach is not None]
        offsets = np.cumsum([0, *[form.values.size for form in forms]])[:-1]
        reach_at = np.where(np.array(sizes) > 0, at, -1)
        meta = [[f.kind for f in forms], [f.size for f in forms], offsets]
        meta += [[f.missing for f in forms], fulls, reach_at]
        return Losses(
            meta=np.ascontiguousarray(np.array(meta, dtype=np.int64).T),
            values=np.concatenate([form.values for form in forms]).astype(np.int32),
            reach=np.concatenate([*parts, np.zeros(1, dtype=np.int32)]).astype(np.int32),
        )

    def loss_by_attribute(self, lo: IntArray, hi: IntArray) -> FloatArray:
        """Unweighted loss of each box (row) in each attribute (column)."""
        columns = [s.loss(lo[:, j], hi[:, j]) for j, s in enumerate(self.spaces)]
        return np.column_stack(columns) if columns else np.zeros((len(lo), 0))

    def entropy_by_attribute(
        self, lo: IntArray, hi: IntArray, sizes: IntArray, suppressed: int
    ) -> FloatArray:
        """Share of the bits of each attribute that boxes hide, from 0 to 1.

        A cell with original value a that is published as a set B of values hides
        ``-log2 Pr(a | B)`` bits, where Pr(a | B) is the number of rows with value a over the
        number of rows with a value in B, both counted in the whole table (A. Gionis and T. Tassa,
        "k-Anonymization with minimal loss of information", IEEE TKDE 21, 2009). The sum over all
        rows is divided by what it would be if every cell were ``*``, as in ARX; behind a
        suppressed row all values are possible.
        """
        shares = np.zeros(len(self.spaces))
        for j, space in enumerate(self.spaces):
            counts = np.bincount(space.codes, minlength=space.n_codes)
            first, last = space.covers(lo[:, j], hi[:, j])
            up_to = np.concatenate([[0], np.cumsum(counts)])
            possible = np.log2(np.maximum(up_to[last + 1] - up_to[first], 1))
            all_bits = float(np.log2(max(counts.sum(), 1)))
            known = float(counts @ np.log2(np.maximum(counts, 1)))  # log2 of each row's equals
            hidden = float(sizes @ possible) + suppressed * all_bits - known
            everything = int(counts.sum()) * all_bits - known
            shares[j] = min(max(hidden / everything, 0.0), 1.0) if everything > 0 else 0.0
        return shares


def group_boxes(codes: IntArray, grouping: Grouping) -> tuple[IntArray, IntArray]:
    """Smallest and largest code of every group in every attribute.

    >>> import numpy as np
    >>> lo, hi = group_boxes(np.array([[1, 5], [2, 4], [7, 7]]), Grouping(np.array([0, 0, 1])))
    >>> lo.tolist(), hi.tolist()
    ([[1, 4], [7, 7]], [[2, 5], [7, 7]])
    """
    empty = np.zeros((grouping.n_groups, codes.shape[1]), dtype=codes.dtype)
    if empty.size == 0:
        return empty, empty
    kept = grouping.labels >= 0 if grouping.n_suppressed else slice(None)  # no copies of all rows
    groups = grouping.labels[kept]
    lo, hi = empty + codes.max(), empty + codes.min()
    for j, column in enumerate(codes.T):  # without sorting rows by group
        low, high = lo[:, j].copy(), hi[:, j].copy()  # side by side in memory: quick
        np.minimum.at(low, groups, column[kept])
        np.maximum.at(high, groups, column[kept])
        lo[:, j], hi[:, j] = low, high
    return lo, hi
