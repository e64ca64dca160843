"""The study: tables, recipes, attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from shoal.studies._base import Finished, Item, Size, Study
from shoal.studies._findings import Findings
from shoal.studies.miche2016._conclusions import conclude
from shoal.studies.miche2016._recipes import (
    RECIPES,
    run_example,
    run_models,
    run_picture,
    run_recipe,
    run_remap,
)
from shoal.studies.miche2016._trials import ADULT_ROWS, SMALL_ROWS, TABLES

WAYS = ("noise", "centroid", "member")
PICTURED = {"Figure 1": "push back, flatten one column", "Figure 2": "push back, stir all"}
DRAWS = 5  # of which rows are released, and of everything that moves them
RELEASES = ("original", "Shoal's default", "push back, stir all", "generalized")


class Miche2016(Study):
    """Can people be hidden by moving values, and does the structure of the data survive?"""

    name = "miche2016"
    title = "Anonymization as vector quantization, tried"
    citation = (
        "Y. Miche, I. Oliver, S. Holtmanns, A. Kalliola, A. Akusok, A. Lendasse, K.-M. Björk: Data "
        "Anonymization as a Vector Quantization Problem: Control Over Privacy for Health Data. "
        "CD-ARES 2016, pages 193-203."
    )
    version = 2

    def plan(self, size: Size, done: Finished) -> Iterable[Item]:
        """List the paper's example, its figures, and every recipe on every table."""
        for way in WAYS:
            yield Item("example", {"way": way})
        for recipe in PICTURED.values():
            yield Item("picture", {"recipe": recipe})
        for table, rows, draws in _tables(size):
            yield Item("remap", {"table": table})
            for draw in range(draws):
                which = {"table": table, "rows": rows, "draw": draw}
                yield from (Item("recipe", {**which, "recipe": recipe}) for recipe in RECIPES)
                yield from (Item("models", {**which, "release": release}) for release in RELEASES)

    def work(self, item: Item) -> Mapping[str, Any]:
        """Do one item."""
        return _WORK[item.part](**item.settings)

    def conclude(self, size: Size, done: Finished) -> Findings:
        """Answer the paper's claims."""
        return conclude(size, done)


def _tables(size: Size) -> Iterator[tuple[str, int | None, int]]:
    """Name, rows and draws: tables of a few hundred rows more often than large ones."""
    if size == "miniature":
        yield "wisconsin", None, 1
        return
    full = size == "full"
    for table in TABLES:
        some = ADULT_ROWS if full else SMALL_ROWS
        yield table, some if table == "adult" else None, DRAWS if full else 1


_WORK: dict[str, Callable[..., Mapping[str, Any]]] = {
    "example": run_example,
    "picture": run_picture,
    "recipe": run_recipe,
    "models": run_models,
    "remap": run_remap,
}
