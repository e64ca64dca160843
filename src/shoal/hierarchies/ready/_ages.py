"""Ages: years by 5, 10 and 20."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.hierarchies._intervals import Intervals, Number


@dataclass(frozen=True)
class Ages(Intervals):
    """Years of age in bins that everybody knows: ``[20, 24]``, ``[20, 29]``, ``[20, 39]``.

    Without it ages are spans as narrow as their group, which loses less; bins are for tables that
    must fit those of others.

    >>> Ages().arrange(["21", "23", "27", "44"]).node_labels[4:]
    ('[20, 24]', '[20, 29]', '*')
    """

    widths: Sequence[Number] = (5, 10, 20)
