"""The study: fragments by a network, experts' weights, feature selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

from shoal.studies._base import Finished, Item, Size, Study
from shoal.studies._census._experts import KINDS, StudyExpert, experts
from shoal.studies._census._interviews import run_interview
from shoal.studies._census._people import TARGETS, TRAIN_ROWS, equal_weights
from shoal.studies._findings import Findings
from shoal.studies.selvi2021._ablation import RULES, run_ablation
from shoal.studies.selvi2021._conclusions import conclude
from shoal.studies.selvi2021._work import (
    FIGURE_ROWS,
    LOCAL,
    lasting_session,
    run_missing,
    run_release,
    run_selection,
    run_time,
)

ROUTINGS = ("network", "mondrian", "random", LOCAL)
TINY_ROWS = 600
FRAGMENTS = 4  # of the rows of the figures; 12 of the whole train part
DRAWS = 4  # of the rows of the figures, in a full run
FIGURE_KS = (10, 50, 200)
CARELESS = 6  # for each target, beside one of each other kind: those are near-copies


class Selvi2021(Study):
    """Does a network in every mapper keep what a table cut into fragments would lose?"""

    name = "selvi2021"
    title = "Anonymization by MapReduce and neural networks, re-run"
    citation = (
        "U. Selvi, S. Pushpa: Machine Learning Privacy Aware Anonymization Using MapReduce Based "
        "Neural Network. Intelligent Automation & Soft Computing, 2021."
    )
    version = 5

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
        yield Item("missing", {"rows": rows if size != "full" else FIGURE_ROWS, "k": 10})
        some = TINY_ROWS if size == "miniature" else FIGURE_ROWS
        for draw in range(_draws(size)):
            for rule in RULES:
                yield Item("ablation", {"rule": rule, "rows": some, "draw": draw})
        yield from _routed(size)
        if size != "miniature":
            yield from _weighted(size, done)

    def work(self, item: Item) -> Mapping[str, Any]:
        """Do one item."""
        return _WORK[item.part](**item.settings)

    def at_work(self) -> AbstractContextManager[object]:
        """One Spark session for all items: starting it takes longer than a release."""
        return lasting_session()

    def conclude(self, size: Size, done: Finished) -> Findings:
        """Answer the paper's claims."""
        return conclude(size, done)


def _routed(size: Size) -> Iterator[Item]:
    """Equal weights, income: every way to cut the table, on draws of it; once on all of it."""
    few = size == "miniature"
    for draw in range(_draws(size)):
        for routing in (ROUTINGS[0], ROUTINGS[-1]) if few else ROUTINGS:
            what = ("income", TINY_ROWS if few else FIGURE_ROWS, 10, routing, FRAGMENTS)
            yield _release(*what, "equal", 0, equal_weights("income"), draw)
    if size == "full":
        for routing in ROUTINGS:
            what = ("income", TRAIN_ROWS, 10, routing, 12)
            yield _release(*what, "equal", 0, equal_weights("income"), 0)


def _draws(size: Size) -> int:
    return {"miniature": 1, "small": 2}.get(size, DRAWS)


def _weighted(size: Size, done: Finished) -> Iterator[Item]:
    """The figures: every vector at some k, routed by the network, each on a draw of the rows."""
    draws = _draws(size)
    for k in FIGURE_KS if size == "full" else FIGURE_KS[:1]:
        for target in TARGETS:
            for draw in range(draws):
                if (target, k) != ("income", 10):  # routed above
                    what = (target, FIGURE_ROWS, k, "network", FRAGMENTS)
                    yield _release(*what, "equal", 0, equal_weights(target), draw)
        for place, expert in enumerate(_cast(size)):
            who = (expert.target, FIGURE_ROWS, k, "network", FRAGMENTS)
            yield _release(*who, "bias", expert.number, expert.sliders, place % draws)
            if _interview(expert) in done:
                learned = done[_interview(expert)]["weights"]
                yield _release(*who, "iml", expert.number, learned, place % draws)


def _release(
    target: str,
    rows: int,
    k: int,
    routing: str,
    fragments: int,
    way: str,
    expert: int,
    weights: Mapping[str, float],
    draw: int,
) -> Item:
    head = {"target": target, "rows": rows, "k": k, "routing": routing, "fragments": fragments}
    who = {"way": way, "expert": expert, "draw": draw, "weights": dict(weights)}
    return Item("release", {**head, **who})


def _interview(expert: StudyExpert) -> Item:
    settings = {"expert": expert.number, "learner": "posterior", "rows": TRAIN_ROWS}
    return Item("interview", settings)


def _cast(size: Size) -> list[StudyExpert]:
    """Some of the 63 experts of malle2017, for each target: one who knows it, or more of them."""
    kinds = {"miniature": (), "small": KINDS[:1]}.get(size, KINDS)
    return [
        expert
        for target in TARGETS
        for kind in kinds
        for expert in _some(target, kind, CARELESS if kind == "careless" else 1)
    ]


def _some(target: str, kind: str, most: int) -> list[StudyExpert]:
    return [e for e in experts() if (e.target, e.kind) == (target, kind)][:most]


def _targets(size: Size) -> tuple[str, ...]:
    return TARGETS[:1] if size == "miniature" else TARGETS


_WORK: dict[str, Callable[..., Mapping[str, Any]]] = {
    "interview": run_interview,
    "selection": run_selection,
    "time": run_time,
    "release": run_release,
    "missing": run_missing,
    "ablation": run_ablation,
}
