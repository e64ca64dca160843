"""The weighted sum over attributes: the weights a human moves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.kernels.losses import FORBIDDEN, Losses
from shoal.spaces._base import Space
from shoal.typing import FloatArray, IntArray


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

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return tuple(space.name for space in self.spaces)

    @cached_property
    def codes(self) -> IntArray:
        """Codes of all rows, one column per attribute."""
        if not self.spaces:
            return np.zeros((0, 0), dtype=np.int32)
        return np.column_stack([space.codes for space in self.spaces]).astype(np.int32)

    @cached_property
    def unit(self) -> int:
        """Fixed-point number that a loss of 1 at weight 1 becomes."""
        bits = 24
        while (len(self.spaces) << bits) >= FORBIDDEN:
            bits -= 1
        return 1 << bits

    def with_weights(self, weights: Mapping[str, float] | None) -> WeightedSpaces:
        """Return the same spaces under other weights."""
        return WeightedSpaces(self.spaces, normalize_weights(weights, self.names))

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
