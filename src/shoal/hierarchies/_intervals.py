"""Intervals: numbers in bins that grow wider step by step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.exceptions import HierarchyShapeError, InvalidParameterError
from shoal.hierarchies._base import (
    Arrangement,
    Hierarchy,
    arrange_sorted,
    distinct_labels,
    gap_error,
    meeting_heights,
)

Number = int | float | str | Decimal
_NUMBER = re.compile(
    r"[ \t]*[+-]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:[eE][+-]?\d{1,3})?[ \t]*", re.ASCII
)
_INTEGER = re.compile(r"[ \t]*[+-]?\d+[ \t]*", re.ASCII)
_EXACT = Context(prec=4000)  # far more digits than any number that _NUMBER lets through
_SAFE = 2**60  # below this, sums and differences of two fit into 64 bits


@dataclass(frozen=True)
class Intervals(Hierarchy):
    """Numbers by bins of the given widths, counted from ``start``.

    Arithmetic is on decimals as written, never on floats: 0.3 lies in [0.3, 0.4), and integers of
    any size stay exact. Where all values are integers a bin is named by its first and last,
    ``[20, 24]``; else by its ends, the upper one left out, ``[20, 25)``.

    Parameters
    ----------
    widths : sequence of numbers
        Each a multiple of the one before, so that every bin lies inside one wider bin.
    start : number
        Where some bin begins; bins reach below it too.

    Examples
    --------
    >>> ages = Intervals([5, 10, 20]).arrange(["17", "23", "24", "26", "44"])
    >>> ages.height, ages.node_labels[ages.n_leaves:]
    (4, ('[20, 24]', '[20, 29]', '*'))
    >>> Intervals([0.5, 1]).arrange(["0.75", "0.5", "1.25"]).node_labels[3:]
    ('[0.5, 1)', '*')
    """

    widths: Sequence[Number]
    start: Number = 0

    def __post_init__(self) -> None:
        widths = tuple(_decimal(width, "A width") for width in self.widths)
        object.__setattr__(self, "widths", widths)
        object.__setattr__(self, "start", _decimal(self.start, "The start"))
        if not widths or min(widths) <= 0:
            raise InvalidParameterError("Intervals need at least one width, each greater than 0.")
        odd = sum(
            wide <= narrow or _EXACT.remainder(wide, narrow) != 0
            for narrow, wide in pairwise(widths)
        )
        if odd:
            raise HierarchyShapeError(
                f"{odd} of {len(widths)} interval widths are not a multiple of the one before.",
                hint="Let every width be a multiple of the narrower one, such as 5, 10, 20.",
            )

    def arrange(self, labels: Sequence[str], *, column: str | None = None) -> Arrangement:
        """Arrange the numbers by value."""
        labels = distinct_labels(labels, column)
        odd = sum(_NUMBER.fullmatch(label) is None for label in labels)
        if odd:
            hint = "Intervals are for columns in which every value is a number."
            raise gap_error(odd, len(labels), column, hint=hint)
        parameters = [Decimal(number) for number in (self.start, *self.widths)]
        numbers, decimals = _as_integers(labels, parameters)
        start, widths = numbers[0], numbers[1 : len(parameters)]
        values = numbers[len(parameters) :]
        order = np.argsort(values, kind="stable")
        offsets = values[order] - start
        closed = decimals == 0 and all(map(_INTEGER.fullmatch, labels))

        def name(height: int, leaf: int) -> str:
            width = int(widths[height - 1])
            low = int(start) + int(offsets[leaf]) // width * width
            return _closed(low, width) if closed else _half_open(low, width, decimals)

        gap_heights = meeting_heights([offsets // width for width in widths])
        return arrange_sorted(labels, order, gap_heights, height=len(widths) + 1, name=name)


def _decimal(number: Number, what: str) -> Decimal:
    text = str(number)  # the shortest text of a float is what its author wrote: 0.1 is 0.1
    if isinstance(number, bool) or _NUMBER.fullmatch(text) is None:
        raise InvalidParameterError(f"{what} of intervals must be a finite number.")
    exact = Decimal(text)
    return Decimal(int(exact)) if exact == int(exact) else exact  # 5.0 is 5: no decimals in labels


def _as_integers(labels: list[str], parameters: list[Decimal]) -> tuple[NDArray[Any], int]:
    """Scale parameters and labels by a power of ten until all are integers, exactly."""
    numbers = [*parameters, *map(Decimal, labels)]
    decimals = max(0, max(-int(number.as_tuple().exponent) for number in numbers))
    integers = [int(_EXACT.scaleb(number, decimals)) for number in numbers]
    small = min(integers) > -_SAFE and max(integers) < _SAFE
    return np.array(integers, dtype=np.int64 if small else object), decimals


def _closed(low: int, width: int) -> str:
    """Name a bin of integers by its first and last."""
    return str(low) if width == 1 else f"[{low}, {low + width - 1}]"


def _half_open(low: int, width: int, decimals: int) -> str:
    """Name a bin by its ends, the upper one left out."""
    return f"[{_text(low, decimals)}, {_text(low + width, decimals)})"


def _text(scaled: int, decimals: int) -> str:
    """Write a scaled integer as a decimal without trailing zeros."""
    if decimals == 0:
        return str(scaled)
    whole, fraction = divmod(abs(scaled), 10**decimals)
    tail = str(fraction).zfill(decimals).rstrip("0")
    return f"{'-' if scaled < 0 else ''}{whole}{'.' if tail else ''}{tail}"
