"""Tables as notebooks show them: how much columns tell people apart, and never a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import polars as pl

from shoal.table._cells import Cells
from shoal.table._roles import Roles
from shoal.typing import IntArray, Kind

#: Where the bars of crowds begin, and what they are called.
CROWDS = {1: "alone", 2: "2 to 4", 5: "5 to 9", 10: "10 to 49", 50: "50 or more"}
HEADER = ("column", "kind", "role", "distinct", "missing", "tells rows apart")
_WIDTH, _VALUE, _LONGEST_NAME = 360, 52, 18


def describe_columns(cells: Cells, kinds: Mapping[str, Kind], roles: Roles) -> str:
    """Draw the columns of a table as HTML; no cell of it is shown.

    >>> import polars as pl
    >>> cells = Cells(pl.DataFrame({"a<b": ["x", "y"]}))
    >>> page = describe_columns(cells, {"a<b": "nominal"}, Roles())
    >>> "a&lt;b" in page, ">x<" in page
    (True, False)
    """
    rows = "".join(_row(cells, name, kinds[name], roles) for name in cells.names)
    head = "".join(f"<th>{word}</th>" for word in HEADER)
    caption = f"{cells.n_rows:,} rows, {len(cells.names):,} columns"
    return f"<table><caption>{caption}</caption><tr>{head}</tr>{rows}</table>"


def _row(cells: Cells, name: str, kind: Kind, roles: Roles) -> str:
    distinct, apart = cells.distinct(name), tells_apart(cells, name)
    bar = (
        f'<svg width="100" height="10" role="img" aria-label="{apart:.0%}">'
        f'<rect width="{100 * apart:.1f}" height="10" fill="#1f6f8b"/></svg> {apart:.0%}'
    )
    facts = (escape(name), kind, roles.role_of(name).replace("_", " "))
    counts = (f"{len(distinct.texts):,}", f"{distinct.n_missing:,}", bar)
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in (*facts, *counts)) + "</tr>"


def tells_apart(cells: Cells, name: str) -> float:
    """Tell how many values a column has for each row: 1 where no two rows are alike."""
    distinct = cells.distinct(name)
    return len(distinct.texts) / max(1, distinct.n_rows)


def share_bars(rows: Sequence[tuple[str, float]], title: str) -> str:
    """Draw shares as bars with their names, as SVG.

    >>> drawn = share_bars([("a<b", 0.5)], "Halves")
    >>> drawn.count("<rect"), "a&lt;b" in drawn
    (2, True)
    """
    left = 12 + 7 * min(_LONGEST_NAME, max((len(name) for name, _ in rows), default=0))
    drawn = "".join(_bar(26 * i, left, *row) for i, row in enumerate(rows))
    head = f'viewBox="0 0 {_WIDTH} {26 * len(rows)}" role="img" aria-label="{escape(title)}"'
    return f"<svg {head}><title>{escape(title)}</title>{drawn}</svg>"


def crowd_shares(codes: Sequence[IntArray]) -> list[tuple[str, float]]:
    """Tell which share of the rows has how many others like it in all of some columns.

    >>> crowd_shares([np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1])])[:2]
    [('alone', 0.5), ('2 to 4', 0.5)]
    """
    alike = pl.DataFrame([pl.Series(str(i), each) for i, each in enumerate(codes)])
    sizes = alike.select(pl.len().over(alike.columns)).to_series().to_numpy()
    slots = np.searchsorted([*CROWDS], sizes, side="right") - 1
    counts = np.bincount(slots, minlength=len(CROWDS)) / max(1, slots.size)
    return [(label, float(share)) for label, share in zip(CROWDS.values(), counts, strict=True)]


def _bar(y: int, left: int, name: str, share: float) -> str:
    room = _WIDTH - left - _VALUE
    shown = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
    bars = "".join(
        f'<rect class="{kind}" x="{left}" y="{y + 4}" width="{width:.5g}" height="14" rx="1.5"/>'
        for kind, width in (("track", room), ("bar", room * share))
    )
    return (
        f'<text x="{left - 8}" y="{y + 15}" class="end">{escape(shown)}</text>{bars}'
        f'<text x="{_WIDTH}" y="{y + 15}" class="end">{share:.0%}</text>'
    )
