"""From coded columns to spaces: which numbering, which hierarchy, which grid, which limit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Context, Decimal

import numpy as np
import polars as pl

from shoal.exceptions import InvalidParameterError, UnknownColumnError, ValueKindError
from shoal.hierarchies import Arrangement, Hierarchy, infer_hierarchy
from shoal.spaces._base import Space, WeightedSpaces, normalize_weights
from shoal.spaces._losses import check_loss, node_losses
from shoal.spaces._spans import IntervalSpace, TreeSpace, gap
from shoal.table import CodedTable, Column, read_bracket, read_dates
from shoal.typing import IntArray

ON_GRIDS = ("numeric", "date")
MONTHS = (1, 3, 12, 60, 120)  # of which a grid of dates is chosen
YEARS = 1970  # before which numpy counts back
_EXACT = Context(prec=4000)  # more digits than any number that a table lets through


def build_spaces(
    table: CodedTable,
    *,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    weights: Mapping[str, float] | None = None,
    limits: Mapping[str, float] | None = None,
    grid: Mapping[str, float] | bool | None = None,
    loss: str | None = None,
) -> WeightedSpaces:
    """Make a space of every quasi-identifier of a table.

    A column with a hierarchy publishes its nodes; numbers, dates and ordinals without one
    publish intervals; codes are masked from the right; other text is kept or starred.
    ``grid`` widens intervals outward to multiples of a step (True: a step of about a
    twentieth of the column, rounded to 1, 2 or 5 times a power of ten); steps of dates are whole
    months, 12 for years. ``loss`` says what a
    node of a tree loses (`LOSSES`); by default each hierarchy does.
    """
    if loss is not None:
        check_loss(loss)
    names = table.roles.quasi_identifiers
    for what, given in (("limit", limits), ("put on a grid", grid)):
        for name in given if isinstance(given, Mapping) else ():
            if name not in names:
                raise UnknownColumnError.among(name, names, what=f"quasi-identifier to {what}")
    columns = [table.column(name) for name in names]
    trees = [(hierarchies or {}).get(c.name) or infer_hierarchy(c) for c in columns]
    arranged = [
        None if tree is None else tree.arrange(column.labels, column=column.name)
        for column, tree in zip(columns, trees, strict=True)
    ]
    spaces: list[Space] = []
    for column, tree, arrangement in zip(columns, trees, arranged, strict=True):
        limit = (limits or {}).get(column.name)
        if limit is not None and (isinstance(limit, bool) or not 0 <= limit < math.inf):
            raise InvalidParameterError(
                f"The limit of {column.name!r} must be a number of 0 or more."
            )
        step = grid.get(column.name) if isinstance(grid, Mapping) else None
        if grid is True and tree is None and column.kind in ON_GRIDS:
            step = default_step(column)
        if step is not None and (tree is not None or column.kind not in ON_GRIDS):
            raise InvalidParameterError(
                "A grid needs numbers or dates without a hierarchy;"
                f" {column.name!r} is not such a column."
            )
        if tree is not None and arrangement is not None:
            spaces.append(_tree_space(column, arrangement, limit, loss or tree.loss))
        elif step is not None:
            lay = _date_grid if column.kind == "date" else _grid_space
            spaces.append(lay(column, limit, step))
        else:
            spaces.append(_interval_space(column, limit))
    return WeightedSpaces(tuple(spaces), normalize_weights(weights, names))


def _tree_space(
    column: Column, arrangement: Arrangement, limit: float | None, loss: str
) -> TreeSpace:
    positions = np.append(arrangement.position, len(column.labels))
    codes = positions[column.codes].astype(np.int32)
    return TreeSpace(
        name=column.name,
        codes=codes,
        n_codes=column.n_codes,
        missing=column.missing,
        limit=limit,
        tree=arrangement,
        node_losses=None if loss == "height" else node_losses(arrangement, loss, codes),
        measured_by=loss,
    )


def _interval_space(column: Column, limit: float | None) -> IntervalSpace:
    numbers, ends, width = _extent(column)
    labels = tuple(column.labels)
    return IntervalSpace(
        name=column.name,
        codes=column.codes,
        n_codes=column.n_codes,
        missing=column.missing,
        limit=limit,
        starts=numbers,
        ends=numbers,
        lows=labels,
        highs=labels,
        width=width,
        range=ends,
        moments=_moments(column) if limit is not None else None,
        brackets=column.kind == "ordinal" and all(map(read_bracket, labels)),
    )


def _grid_space(column: Column, limit: float | None, step: float) -> IntervalSpace:
    """Codes are the cells of the grid, so that a group never cuts a cell in two."""
    if isinstance(step, bool) or not math.isfinite(step) or step <= 0:
        raise InvalidParameterError(f"The grid of {column.name!r} must be a positive number.")
    decimals = max((_decimals(label) for label in column.labels), default=0)
    if column.labels and Decimal(str(step)) < Decimal(1).scaleb(-decimals):
        raise InvalidParameterError(
            f"The grid of {column.name!r} is finer than its values.",
            hint=f"Use a step of {Decimal(1).scaleb(-decimals)} or more.",
        )
    cells, sides = _lay_grid(column.labels, str(step), decimals)
    _refuse_narrower(column.name, limit, step, decimals)
    lows, highs = ([_EXACT.scaleb(Decimal(end), -decimals) for end in side] for side in sides)
    starts, ends = (np.array([float(end) for end in side]) for side in (lows, highs))
    n_cells, (_, whole, width) = len(lows), _extent(column)
    return IntervalSpace(
        name=column.name,
        codes=np.append(cells, n_cells)[column.codes].astype(np.int32),
        n_codes=n_cells + column.has_missing,
        missing=n_cells if column.has_missing else -1,
        limit=limit,
        starts=starts,
        ends=ends,
        lows=tuple(f"{low:f}" for low in lows),
        highs=tuple(f"{high:f}" for high in highs),
        width=width,
        range=whole,
        on_grid=not np.array_equal(starts, ends),  # as one with steps of 1 does
    )


def _date_grid(column: Column, limit: float | None, step: float) -> IntervalSpace:
    """Codes are so many months, published by their first and last day."""
    if isinstance(step, bool) or not math.isfinite(step) or step < 1 or step != int(step):
        raise InvalidParameterError(
            f"The grid of {column.name!r} must be a whole number of months.",
            hint="Use 1, 3 for quarters, 12 for years or 120 for decades.",
        )
    numbers, _, width = _extent(column)
    days = np.floor(numbers).astype(np.int64) - date(YEARS, 1, 1).toordinal()
    months = days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) + 12 * YEARS
    cells, codes = np.unique(months // int(step), return_inverse=True)
    first, beyond = (
        ((cells + more) * int(step) - 12 * YEARS).astype("datetime64[M]").astype("datetime64[D]")
        for more in (0, 1)
    )
    sides = np.maximum(first, np.datetime64("0001-01-01")), beyond - 1
    sides = sides[0], np.minimum(sides[1], np.datetime64("9999-12-31"))
    starts, ends = (side.astype(np.int64) + date(YEARS, 1, 1).toordinal() for side in sides)
    if limit is not None and (ends - starts > limit).any():
        raise InvalidParameterError(
            f"The limit of {column.name!r} is narrower than a cell of its grid.",
            hint="Use a wider limit, in days, or a finer grid.",
        )
    return IntervalSpace(
        name=column.name,
        codes=np.append(codes, cells.size)[column.codes].astype(np.int32),
        n_codes=cells.size + column.has_missing,
        missing=cells.size if column.has_missing else -1,
        limit=limit,
        starts=starts.astype(np.float64),
        ends=ends.astype(np.float64),
        lows=tuple(sides[0].astype(str).tolist()),
        highs=tuple(sides[1].astype(str).tolist()),
        width=width,
        on_grid=True,
    )


def _refuse_narrower(name: str, limit: float | None, step: float, decimals: int) -> None:
    """Raise if every cell of the grid is wider than an interval may be."""
    width = Decimal(str(step)) - Decimal(1).scaleb(-decimals)
    if limit is not None and Decimal(str(limit)) < width:
        raise InvalidParameterError(
            f"The limit of {name!r} is narrower than a cell of its grid.",
            hint=f"Use a limit of {width} or more, or a finer grid.",
        )


def _lay_grid(
    labels: Sequence[str], step: str, decimals: int
) -> tuple[np.ndarray, tuple[list[int], list[int]]]:
    """Find the cell of each number, and the first and last number of each cell.

    Exact on whole numbers of any size; ends count in units of the last decimal of the labels, so
    that a cell of 2.5 years is published by the whole years in it.

    >>> _lay_grid(["3", "4", "8"], "2.5", 0)
    (array([0, 0, 1]), ([3, 8], [4, 9]))
    """
    digits = max(decimals, _decimals(step))
    size, unit = int(_EXACT.scaleb(Decimal(step), digits)), 10 ** (digits - decimals)
    found = [int(_EXACT.scaleb(Decimal(label), digits)) // size for label in labels]
    cells = sorted(set(found))
    place = {cell: number for number, cell in enumerate(cells)}
    firsts = [-(-cell * size // unit) for cell in cells]
    lasts = [-(-(cell + 1) * size // unit) - 1 for cell in cells]
    return np.array([place[cell] for cell in found], dtype=np.int64), (firsts, lasts)


def default_step(column: Column) -> float:
    """A round step of about a twentieth of the column: 1, 2 or 5 times a power of ten.

    Of dates it is a month, a quarter, a year, five or ten, and no more than that. The twentieth of
    the rows at either end has no part in it, nor that with most decimals: one odd value, which may
    be left out of the release, would show in the ends of all intervals.
    """
    if column.kind == "date":
        months = _bulk_of_days(column) / 20 / 30.44
        return max((float(unit) for unit in MONTHS if unit <= months), default=1.0)
    width = gap(*bulk) if (bulk := _bulk(column)) else 0.0
    finest = 2 * 10.0 ** -_usual_decimals(column)
    if width <= 0:
        return finest
    power = 10.0 ** math.floor(math.log10(width / 20))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= width / 20)
    return max(float(f"{step:.12g}"), finest)


def _bulk_of_days(column: Column) -> float:
    """How many days a column of dates spans without a twentieth of its rows at either end."""
    rows = np.sort(column.codes[column.codes < len(column.labels)])
    if not rows.size or column.numbers is None:
        return 0.0
    outside = rows.size // 20
    return float(column.numbers[rows[-1 - outside]] - column.numbers[rows[outside]])


def _bulk(column: Column) -> tuple[str, ...]:
    """The smallest and the largest number of a column without a twentieth of its rows each."""
    rows = np.sort(column.codes[column.codes < len(column.labels)])
    if not rows.size:
        return ()
    outside = rows.size // 20
    return column.labels[rows[outside]], column.labels[rows[-1 - outside]]


def _usual_decimals(column: Column) -> int:
    """The most decimals of a column without a twentieth of its rows."""
    rows = column.codes[column.codes < len(column.labels)]
    found = np.array([_decimals(label) for label in column.labels], dtype=np.int64)[rows]
    found.sort()
    return int(found[-1 - found.size // 20]) if found.size else 0


def _moments(column: Column) -> IntArray | None:
    """Dates in microseconds; None for what is no date, or is one only beside others."""
    if column.kind != "date":
        return None
    dates = read_dates(pl.Series(column.labels, dtype=pl.String))
    return dates.moments if dates.sure else None


def _extent(column: Column) -> tuple[np.ndarray, tuple[str, ...], float]:
    """The values of a column, its smallest and largest number as written, and how far apart.

    Dates and ordinals have no such numbers; the width of a column without values is 0.
    """
    if column.numbers is None:
        raise InvalidParameterError(f"Column {column.name!r} has no order to make intervals of.")
    numbers = np.asarray(column.numbers, dtype=np.float64)
    ends: tuple[str, ...] = ()
    if column.kind == "numeric" and column.labels:
        ends = column.labels[0], column.labels[-1]
    if not numbers.size:
        return numbers, ends, 0.0
    width = gap(*ends) if ends else float(numbers[-1] - numbers[0])
    if math.isinf(width):
        raise ValueKindError(
            f"The values of column {column.name!r} lie too far apart for floating point numbers.",
            hint="Give the column another kind, or write its values in a larger unit.",
        )
    return numbers, ends, width


def _decimals(label: str) -> int:
    exponent = Decimal(label).as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
