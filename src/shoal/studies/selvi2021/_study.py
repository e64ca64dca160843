"""The study: fragments by a network, experts' weights, feature selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from shoal.studies._base import Finished, Item, Size, Study
from shoal.studies._findings import Findings
from shoal.studies.malle2017._codes import equal_weights
from shoal.studies.malle2017._experts import KINDS, Expert, experts
from shoal.studies.malle2017._interviews import run_interview
from shoal.studies.malle2017._people import KS, TARGETS, TRAIN_ROWS
from shoal.studies.selvi2021._conclusions import conclude
from shoal.studies.selvi2021._work import LOCAL, run_release, run_selection, run_time

ROUTINGS = ("network", "mondrian", "random", LOCAL)
SMALL_ROWS, TINY_ROWS = 3_000, 600


class Selvi2021(Study):
    """Does a network in every mapper keep what a table cut into fragments would lose?"""

    name = "selvi2021"
    title = "Anonymization by MapReduce and neural networks, re-run"
    citation = (
        "U. Selvi, S. Pushpa: Machine Learning Privacy Aware Anonymization Using MapReduce Based "
        "Neural Network. Intelligent Automation & Soft Computing, 2021."
    )

    def plan(self, size: Size, done: Finished) -> Iterable[Item]:
        """List interviews, selections and times, then releases on Spark."""
        interviews = [_interview(expert) for expert in _cast(size)]
        yield from interviews
        rows = {"miniature": TINY_ROWS, "small": SMALL_ROWS}.get(size, TRAIN_ROWS)
        for target in _targets(size):
            yield Item("selection", {"target": target, "rows": rows})
        for n in {"miniature": (TINY_ROWS,)}.get(size, (5_000, 10_000, 20_000, 45_000)):
            for columns in ("all", "selected"):
                yield Item("time", {"rows": n, "columns": columns, "k": 10})
        yield from _routed(size, rows)
        yield from _weighted(size, rows, done)

    def work(self, item: Item) -> Mapping[str, Any]:
        """Do one item."""
        return _WORK[item.part](**item.settings)

    def conclude(self, size: Size, done: Finished) -> Findings:
        """Answer the paper's claims."""
        return conclude(size, done)


def _routed(size: Size, rows: int) -> Iterator[Item]:
    """Equal weights, income: every way to cut the table, at two k."""
    for k in (10,) if size == "miniature" else (10, 100):
        for routing in (ROUTINGS[0], ROUTINGS[-1]) if size == "miniature" else ROUTINGS:
            yield _release("income", rows, k, routing, size, "equal", 0, equal_weights("income"))


def _weighted(size: Size, rows: int, done: Finished) -> Iterator[Item]:
    """The figures: every vector at every k, routed by the network."""
    if size == "miniature":
        return
    for k in KS if size == "full" else (10, 100):
        for target in TARGETS:
            if (target, k) not in (("income", 10), ("income", 100)):  # routed above
                weights = equal_weights(target)
                yield _release(target, rows, k, "network", size, "equal", 0, weights)
        for expert in _cast(size):
            who = (expert.target, rows, k, "network", size)
            yield _release(*who, "bias", expert.number, expert.sliders)
            if _interview(expert) in done:
                learned = done[_interview(expert)]["weights"]
                yield _release(*who, "iml", expert.number, learned)


def _release(
    target: str,
    rows: int,
    k: int,
    routing: str,
    size: Size,
    way: str,
    expert: int,
    weights: Mapping[str, float],
) -> Item:
    fragments = 12 if size == "full" else 4
    head = {"target": target, "rows": rows, "k": k, "routing": routing, "fragments": fragments}
    return Item("release", {**head, "way": way, "expert": expert, "weights": dict(weights)})


def _interview(expert: Expert) -> Item:
    settings = {"expert": expert.number, "learner": "posterior", "rows": TRAIN_ROWS}
    return Item("interview", settings)


def _cast(size: Size) -> list[Expert]:
    """Some of the 63 experts of malle2017: none, one, or three of each kind for each target."""
    each = {"miniature": 0, "small": 1}.get(size, 3)
    kinds = KINDS if size == "full" else KINDS[:1]
    return [
        expert
        for target in TARGETS
        for kind in kinds
        for expert in [e for e in experts() if (e.target, e.kind) == (target, kind)][:each]
    ]


def _targets(size: Size) -> tuple[str, ...]:
    return TARGETS[:1] if size == "miniature" else TARGETS


_WORK: dict[str, Callable[..., Mapping[str, Any]]] = {
    "interview": run_interview,
    "selection": run_selection,
    "time": run_time,
    "release": run_release,
}
