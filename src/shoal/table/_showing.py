"""Tables as notebooks show them: one line a column, with how much it tells people apart."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from shoal.table._cells import Cells
from shoal.table._roles import Roles
from shoal.typing import Kind

HEADER = ("column", "kind", "role", "distinct", "missing", "tells rows apart")


def describe_columns(cells: Cells, kinds: Mapping[str, Kind], roles: Roles) -> str:
    """Draw the columns of a table as HTML; no cell of it is shown.

    >>> import polars as pl
    >>> cells = Cells(pl.DataFrame({"a<b": ["x", "y"]}))
    >>> page = describe_columns(cells, {"a<b": "nominal"}, Roles())
    >>> "a&lt;b" in page, ">x<" in page
    (True, False)
    """
    rows = "".join(_row(cells, name, kinds[name], roles) for name in cells.frame.columns)
    head = "".join(f"<th>{word}</th>" for word in HEADER)
    caption = f"{cells.frame.height:,} rows, {cells.frame.width:,} columns"
    return f"<table><caption>{caption}</caption><tr>{head}</tr>{rows}</table>"


def _row(cells: Cells, name: str, kind: Kind, roles: Roles) -> str:
    distinct = cells.distinct(name)
    apart = len(distinct.texts) / max(1, distinct.n_rows)
    bar = (
        f'<svg width="100" height="10" role="img" aria-label="{apart:.0%}">'
        f'<rect width="{100 * apart:.1f}" height="10" fill="#1f6f8b"/></svg> {apart:.0%}'
    )
    facts = (escape(name), kind, roles.role_of(name).replace("_", " "))
    counts = (f"{len(distinct.texts):,}", f"{distinct.n_missing:,}", bar)
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in (*facts, *counts)) + "</tr>"
