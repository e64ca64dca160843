"""The study: fragments by a network, experts' weights, feature selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from shoal.studies._base import Finished, Item, Size, Study
from shoal.studies._census._experts import KINDS, StudyExpert, experts
from shoal.studies._census._interviews import run_interview
from shoal.studies._census._people import KS, TARGETS, TRAIN_ROWS, equal_weights
from shoal.studies._findings import Findings
from shoal.studies.selvi2021._conclusions import conclude
from shoal.studies.selvi2021._work import FIGURE_ROWS, LOCAL, run_release, run_selection, run_time

ROUTINGS = ("network", "mondrian", "random", LOCAL)
TINY_ROWS = 600
FRAGMENTS = 4  # of the rows of the figures; 12 of the whole train part


class Selvi2021(Study):
    """Does a network in every mapper keep what a table cut into fragments would lose?"""

    name = "selvi2021"
    title = "Anonymization by MapReduce and neural networks, re-run"
    citation = (
        "U. Selvi, S. Pushpa: Machine Learning Privacy Aware Anonymization Using MapReduce Based "
        "Neural Network. Intelligent Automation & Soft Computing, 2021."
    )
    version = 3

    def plan(self, size: Size, done: Finished) -> Iterable[Item]:
        """List interviews, selections and times, then releases on Spark."""
        interviews = [_interview(expert) for expert in _cast(size)]
        yield from interviews
        rows = {"miniature": TINY_ROWS, "small": FIGURE_ROWS}.get(size, TRAIN_ROWS)
        for target in _targets(size):
            yield Item("selection", {"target": target, "rows": rows})
        for n in {"miniature": (TINY_ROWS,)}.get(size, (5_000, 10_000, 20_000, 45_000)):
            for columns in ("all", "selected"):
                yield Item("time", {"rows": n, "columns": columns, "k": 10})
        yield from _routed(size, rows)
        if size != "miniature":
            yield from _weighted(size, done)

    def work(self, item: Item) -> Mapping[str, Any]:
        """Do one item."""
        return _WORK[item.part](**item.settings)

    def conclude(self, size: Size, done: Finished) -> Findings:
        """Answer the paper's claims."""
        return conclude(size, done)


def _routed(size: Size, rows: int) -> Iterator[Item]:
    """Equal weights, income: every way to cut the table, at two k."""
    fragments = 12 if rows == TRAIN_ROWS else FRAGMENTS
    for k in (10,) if size == "miniature" else (10, 100):
        for routing in (ROUTINGS[0], ROUTINGS[-1]) if size == "miniature" else ROUTINGS:
            what = ("income", rows, k, routing, fragments)
            yield _release(*what, "equal", 0, equal_weights("income"))


def _weighted(size: Size, done: Finished) -> Iterator[Item]:
    """The figures: every vector at every k, routed by the network."""
    for k in KS if size == "full" else (10, 100):
        for target in TARGETS:
            if (size, target) != ("small", "income"):  # routed above
                what = (target, FIGURE_ROWS, k, "network", FRAGMENTS)
                yield _release(*what, "equal", 0, equal_weights(target))
        for expert in _cast(size):
            who = (expert.target, FIGURE_ROWS, k, "network", FRAGMENTS)
            yield _release(*who, "bias", expert.number, expert.sliders)
            if _interview(expert) in done:
                learned = done[_interview(expert)]["weights"]
                yield _release(*who, "iml", expert.number, learned)


def _release(
    target: str,
    rows: int,
    k: int,
    routing: str,
    fragments: int,
    way: str,
    expert: int,
    weights: Mapping[str, float],
) -> Item:
    head = {"target": target, "rows": rows, "k": k, "routing": routing, "fragments": fragments}
    return Item("release", {**head, "way": way, "expert": expert, "weights": dict(weights)})


def _interview(expert: StudyExpert) -> Item:
    settings = {"expert": expert.number, "learner": "posterior", "rows": TRAIN_ROWS}
    return Item("interview", settings)


def _cast(size: Size) -> list[StudyExpert]:
    """Some of the 63 experts of malle2017, for each target: one who knows it, or one of a kind."""
    kinds = {"miniature": (), "small": KINDS[:1]}.get(size, KINDS)
    return [
        next(e for e in experts() if (e.target, e.kind) == (target, kind))
        for target in TARGETS
        for kind in kinds
    ]


def _targets(size: Size) -> tuple[str, ...]:
    return TARGETS[:1] if size == "miniature" else TARGETS


_WORK: dict[str, Callable[..., Mapping[str, Any]]] = {
    "interview": run_interview,
    "selection": run_selection,
    "time": run_time,
    "release": run_release,
}
