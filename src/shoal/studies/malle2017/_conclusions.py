"""What the results say about the paper's claims."""

from __future__ import annotations

from shoal.studies._base import Finished, Size
from shoal.studies._findings import Findings, ResultTable


def conclude(size: Size, done: Finished) -> Findings:
    """Sum up what is done."""
    codes = done.records("code")
    return Findings(summary="", tables=[ResultTable("codes", "What the original code does", codes)])
