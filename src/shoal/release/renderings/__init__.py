"""Renderings: the released table once more, in the format it came in.

Beside ``data.csv``, which anybody can recount, a release of a workbook holds ``data.xlsx``, one of
an SPSS file ``data.sav``, and so on, with the labels of what is still labelled. Each is read back
and compared with the rows that were verified, cell by cell; what a format cannot hold is said
before the work begins.
"""

from __future__ import annotations

from shoal.release.renderings._arrow import ArrowRendering
from shoal.release.renderings._base import Rendering, render, told_before
from shoal.release.renderings._excel import ExcelRendering
from shoal.release.renderings._ndjson import JsonLinesRendering
from shoal.release.renderings._statistics import SasRendering, SpssRendering, StataRendering

RENDERINGS: dict[str, Rendering] = {
    rendering.format: rendering
    for rendering in (
        ArrowRendering(),
        JsonLinesRendering(),
        ExcelRendering(),
        SpssRendering(),
        StataRendering(),
        SasRendering(),
    )
}

__all__ = ["RENDERINGS", "Rendering", "render", "told_before"]
