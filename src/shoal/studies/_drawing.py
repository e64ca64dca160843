"""The look of all figures, and their files: the same numbers give the same bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from shoal.exceptions import MissingExtraError
from shoal.studies._findings import Picture

INK, QUIET, GRID = "#17202b", "#8d9aa8", "#e6eaee"
COLOURS = ("#0d7f8a", "#c2571a", "#5b4b8a", "#6f8f2a", "#8d9aa8", "#b03a5b")
_LOOK = {
    "svg.hashsalt": "shoal",
    "svg.fonttype": "none",  # text stays text: it can be searched, and needs no glyphs
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": QUIET,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": GRID,
    "axes.axisbelow": True,
    "legend.frameon": False,
}


def new_figure(rows: int = 1, columns: int = 1, **settings: Any) -> tuple[Any, Any]:
    """Make a figure with ``rows`` x ``columns`` axes in the house style; no window, no state."""
    with _matplotlib() as mpl:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        size = settings.pop("size", (3.4 * columns, 2.7 * rows))
        with mpl.rc_context(_LOOK):
            figure = Figure(figsize=size, layout="constrained")
            FigureCanvasAgg(figure)
            return figure, figure.subplots(rows, columns, squeeze=False, **settings)


def legend_above(figure: Any, axis: Any) -> None:
    """Put the legend of an axis above the whole figure, where it hides no line."""
    lines, labels = axis.get_legend_handles_labels()
    if lines:
        figure.legend(lines, labels, loc="outside upper right", ncols=len(lines), fontsize=9)


def drawn_files(picture: Picture) -> tuple[str, bytes]:
    """Draw a picture as SVG text and PNG bytes."""
    with _matplotlib() as mpl, mpl.rc_context(_LOOK):
        figure = picture.draw()
        svg, png = io.StringIO(), io.BytesIO()
        figure.savefig(svg, format="svg", dpi=150, metadata={"Date": None, "Creator": None})
        figure.savefig(png, format="png", dpi=110, metadata={"Software": None})
    return _only_the_drawing(svg.getvalue()), png.getvalue()


def _only_the_drawing(svg: str) -> str:
    """Leave out the XML heading, which may not stand inside a page."""
    return re.sub(r"^.*?(?=<svg )", "", svg, count=1, flags=re.DOTALL)


@contextmanager
def _matplotlib() -> Iterator[Any]:
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingExtraError(
            "Figures are drawn by matplotlib, which is not installed.",
            hint="Install it with: pip install 'shoal[studies]'",
        ) from None
    yield mpl
