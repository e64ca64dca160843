"""The study: both losses against k and alpha : beta, on the Adult graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from shoal.datasets import adult_graph
from shoal.graphs import build_network, mask
from shoal.privacy import KAnonymity
from shoal.recipe import resolve
from shoal.studies._base import Finished, Item, Size, Study
from shoal.studies._findings import Findings
from shoal.studies.campan2009._conclusions import conclude
from shoal.table import Table, read_table
from shoal.utility import measure_loss

KS: Mapping[Size, tuple[int, ...]] = {
    "miniature": (3, 10),
    "small": (2, 3, 4, 5, 8, 10, 15, 20, 25),
    "full": tuple(range(2, 31)),
}
RATIOS = ((1.0, 0.0), (1.0, 0.5), (1.0, 1.0), (0.5, 1.0), (0.0, 1.0))
WAYS = ("as in the paper", "refined")


class Campan2009(Study):
    """What do attributes and edges lose as k grows, and can alpha and beta trade them?"""

    name = "campan2009"
    title = "Data and structural k-anonymity, re-run"
    citation = (
        "A. Campan, T. M. Truta: Data and Structural k-Anonymity in Social Networks. PinKDD 2008, "
        "LNCS 5456, pages 33-54, 2009."
    )

    def plan(self, size: Size, done: Finished) -> Iterable[Item]:
        """List every k with every pair of weights, with and without refinement."""
        for k in KS[size]:
            for alpha, beta in RATIOS[::2] if size == "miniature" else RATIOS:
                for way in WAYS:
                    yield Item("release", {"k": k, "alpha": alpha, "beta": beta, "way": way})

    def work(self, item: Item) -> Mapping[str, Any]:
        """Group the graph and measure both losses."""
        return _losses(**item.settings)

    def conclude(self, size: Size, done: Finished) -> Findings:
        """Draw both losses, and say what the weights do."""
        return conclude(size, done)


def _losses(k: int, alpha: float, beta: float, way: str) -> Mapping[str, Any]:
    people, table = _people()
    settings = {"alpha": alpha, "beta": beta, "scale": "people", "refine": way == "refined"}
    grouper = build_network(table, people["edges"], "nodeID", **settings)
    recoder = grouper.default_recoder(people["hierarchies"])
    recipe = resolve(table, grouping=grouper, recoding=recoder, privacy=KAnonymity(k))
    fitted = recipe.grouper.fit(recipe.problem(table))
    masked = mask(grouper.graph, fitted.grouping_.labels)  # type: ignore[arg-type]  # it was given
    return {
        "ngil": measure_loss(recipe.spaces, fitted.grouping_).ngil,
        "nsil": masked.nsil,
        "edge_loss": masked.edge_loss,
        "groups": int(masked.sizes.size),
    }


@cache
def _people() -> tuple[dict[str, Any], Table]:
    people, edges = adult_graph()
    table = read_table(people.frame, roles=people.roles, kinds=people.kinds)
    return {"edges": edges, "hierarchies": people.hierarchies}, table
