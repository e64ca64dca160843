"""The study: who leaves, how they are forgotten, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shoal.studies._base import Finished, Item, Size, Study
from shoal.studies._census._people import INPUT_ROWS
from shoal.studies._findings import Findings
from shoal.studies.malle2016._conclusions import conclude
from shoal.studies.malle2016._work import LEAVERS, WAYS, run_forget

ROWS: Mapping[Size, int] = {"miniature": 600, "small": INPUT_ROWS, "full": INPUT_ROWS}
SHARES: Mapping[Size, tuple[float, ...]] = {
    "miniature": (0.0, 0.3),
    "small": (0.0, 0.02, 0.1, 0.2, 0.4, 0.8),
    "full": (0.0, 0.02, 0.1, 0.2, 0.4, 0.8),
}
DRAWS: Mapping[Size, int] = {"miniature": 1, "small": 1, "full": 4}  # of rows and of who leaves


class Malle2016(Study):
    """What do models lose when people leave, and when their crowds must be mended?"""

    name = "malle2016"
    title = "The right to be forgotten, re-run"
    citation = (
        "B. Malle, P. Kieseberg, E. Weippl, A. Holzinger: The Right to Be Forgotten: Towards "
        "Machine Learning on Perturbed Knowledge Bases. CD-ARES 2016, pages 251-266."
    )
    version = 2

    def plan(self, size: Size, done: Finished) -> Iterable[Item]:
        """List every way to forget ever more people."""
        leavers = list(LEAVERS)[:1] if size == "miniature" else list(LEAVERS)
        for draw in range(DRAWS[size]):
            for who in leavers:
                yield from _items(who, ROWS[size], SHARES[size], draw)

    def work(self, item: Item) -> Mapping[str, Any]:
        """Forget, and test what is left."""
        return run_forget(**item.settings)

    def conclude(self, size: Size, done: Finished) -> Findings:
        """Say what forgetting costs, and what it may not cost."""
        return conclude(size, done)


def _items(who: str, rows: int, shares: tuple[float, ...], draw: int) -> Iterator[Item]:
    for share in shares:
        for way in WAYS:
            what = {"who": who, "way": way, "share": share}
            yield Item("forget", {**what, "rows": rows, "draw": draw})
