"""The 774 + 1 datasets: every vector of weights at every k, and the original."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from shoal.grouping import Problem, SaNGreeA
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.spaces import build_spaces
from shoal.studies._base import Finished, Item, Size
from shoal.studies._census._experts import KINDS, StudyExpert, experts
from shoal.studies._census._people import (
    INPUT_ROWS,
    KS,
    PUBLISHED_ROWS,
    TARGETS,
    TRAIN_ROWS,
    as_table,
    drawn_rows,
    equal_weights,
    first_rows,
    people,
    quasi_identifiers,
)
from shoal.studies._census._scoring import FOLDS, PublishedTable, score_as_published, score_properly
from shoal.studies.malle2017._legacy import legacy_groups
from shoal.table import Grouping
from shoal.utility import measure_loss

#: The code and the rows: today's and the original's on the published rows, then more of them.
ARMS = (
    ("today", PUBLISHED_ROWS),
    ("legacy", PUBLISHED_ROWS),
    ("today", INPUT_ROWS),
    ("today", TRAIN_ROWS),
)
SMALL_KS = (5, 50, 200)  # of a small run, and of the whole train part
DRAWS = 6  # of the rows that today's code releases: the luck of one base is not a gain
ONE_FOLD = 1  # of ten, another for each expert: their scores are averaged anyway
NOT_AS_PUBLISHED = 0  # folds: larger releases are scored on untouched people alone
SHOWN_TO_PEOPLE = 500  # rows of the paper's pages


def interview_items(size: Size) -> Iterator[Item]:
    """List who is interviewed: by a session on the whole table, and by the paper's pages."""
    for expert in _cast(size):
        if size != "miniature":
            yield _today(expert)
        if size != "small":
            yield _on_paper_page(expert)


def original_items(size: Size) -> Iterator[Item]:
    """List the tables as they were, un-anonymized."""
    sizes = (PUBLISHED_ROWS, INPUT_ROWS, TRAIN_ROWS) if size == "full" else (PUBLISHED_ROWS,)
    for rows in sizes:
        for target in _targets(size):
            folds = ONE_FOLD if size == "miniature" or rows == TRAIN_ROWS else FOLDS
            yield Item("original", {"target": target, "rows": rows, "folds": folds})


def dataset_items(size: Size, done: Finished) -> Iterator[Item]:
    """List the datasets, arm by arm: equal weights first, then those of people.

    Vectors of interviews are listed once they are learned.
    """
    for code, rows in ARMS:
        if size == "full" or rows == PUBLISHED_ROWS:
            yield from _equal_items(size, code, rows)
            if code == "today" or size != "small":
                yield from _expert_items(size, done, code, rows)


def run_dataset(
    code: str,
    target: str,
    rows: int,
    k: int,
    weights: Mapping[str, float],
    folds: int,
    expert: int,
    way: str,
    draw: int,
) -> Mapping[str, Any]:
    """Anonymize, measure and score one dataset; without folds, on untouched people alone."""
    frame, ngil = _release(code, drawn_rows(rows, draw), target, k, weights)
    release = PublishedTable(frame, target)
    published = score_as_published(release, folds, seed=expert) if folds else None
    return {"ngil": ngil, "published": published, "proper": score_properly(release)}


def run_original(target: str, rows: int, folds: int) -> Mapping[str, Any]:
    """Score rows as they were."""
    frame = first_rows(rows)
    published = score_as_published(PublishedTable(frame, target), folds)
    return {"published": published, "proper": score_properly(PublishedTable(frame, target))}


def _equal_items(size: Size, code: str, rows: int) -> Iterator[Item]:
    folds = ONE_FOLD if size == "miniature" else FOLDS
    for draw in range(_draws(size, code, rows)):
        tested = NOT_AS_PUBLISHED if draw or rows != PUBLISHED_ROWS else folds
        for target in _targets(size):
            for k in _ks(size, rows):
                what = (code, target, rows, k, "equal", 0, equal_weights(target))
                yield _dataset(*what, tested, draw)


def _expert_items(size: Size, done: Finished, code: str, rows: int) -> Iterator[Item]:
    """The vectors of people, each on one of the draws that equal weights were tried on too."""
    folds = ONE_FOLD if rows == PUBLISHED_ROWS else NOT_AS_PUBLISHED
    draws, places = _draws(size, code, rows), _places()
    for k in reversed(_ks(size, rows)):  # the cheapest first
        for expert in _cast(size):
            who, draw = (expert.target, rows, k), places[expert.number] % draws
            yield _dataset(code, *who, "bias", expert.number, expert.sliders, folds, draw)
            learned = _learned(done, expert, code)
            if learned is not None:
                yield _dataset(code, *who, "iml", expert.number, learned, folds, draw)


def _draws(size: Size, code: str, rows: int) -> int:
    """Draws of rows: one for the original's code, the whole train part and shorter runs."""
    return DRAWS if (size, code) == ("full", "today") and rows < TRAIN_ROWS else 1


def _places() -> dict[int, int]:
    """Number the experts of a target and kind, so that each kind meets every draw."""
    seen: Counter[tuple[str, str]] = Counter()
    places = {}
    for expert in experts():
        places[expert.number] = seen[expert.target, expert.kind]
        seen[expert.target, expert.kind] += 1
    return places


def _targets(size: Size) -> tuple[str, ...]:
    return TARGETS[:1] if size == "miniature" else TARGETS


def _ks(size: Size, rows: int) -> tuple[int, ...]:
    if size == "full":
        return SMALL_KS if rows == TRAIN_ROWS else KS
    return SMALL_KS[1:2] if size == "miniature" else SMALL_KS


def _cast(size: Size) -> list[StudyExpert]:
    """All experts, or the first of each kind for each target."""
    if size == "full":
        return list(experts())
    return [
        next(e for e in experts() if (e.target, e.kind) == (target, kind))
        for target in _targets(size)
        for kind in (KINDS[:1] if size == "miniature" else KINDS)
    ]


def _learned(done: Finished, expert: StudyExpert, code: str) -> Mapping[str, float] | None:
    """What an expert's interview taught, if it has taken place."""
    item = _today(expert) if code == "today" else _on_paper_page(expert)
    if item not in done:
        return None
    weights: Mapping[str, float] = done[item]["weights"]
    return weights


def _today(expert: StudyExpert) -> Item:
    """A session about the whole table."""
    settings = {"expert": expert.number, "learner": "posterior", "rows": TRAIN_ROWS}
    return Item("interview", settings)


def _on_paper_page(expert: StudyExpert) -> Item:
    """One of the paper's two pages, which had 35 and 28 sessions and showed 500 rows."""
    page = "cafebabe" if expert.number % 9 < 5 else "cafedood"
    settings = {"expert": expert.number, "learner": page, "rows": SHOWN_TO_PEOPLE}
    return Item("interview", settings)


def _dataset(
    code: str,
    target: str,
    rows: int,
    k: int,
    way: str,
    expert: int,
    weights: Mapping[str, float],
    folds: int,
    draw: int,
) -> Item:
    settings = {"code": code, "target": target, "rows": rows, "k": k, "way": way, "folds": folds}
    who = {"expert": expert, "draw": draw, "weights": dict(weights)}
    return Item("dataset", {**settings, **who})


def _release(
    code: str, frame: pl.DataFrame, target: str, k: int, weights: Mapping[str, float]
) -> tuple[pl.DataFrame, float]:
    """Anonymize rows; return them as published, and the information lost."""
    table = as_table(frame, target)
    spaces = build_spaces(table, hierarchies=people().hierarchies, weights=dict(weights))
    if code == "legacy":
        groups = legacy_groups(frame, target, weights, k)
        loss = measure_loss(spaces, Grouping(groups.labels))
        return groups.published(frame, target), loss.ngil
    problem = Problem(table, spaces, (KAnonymity(k),))
    grouping = SaNGreeA(weights, order="common", refine=False).fit(problem).grouping_
    recoded = Generalize(people().hierarchies).recode(table, grouping, spaces)
    published = recoded.aligned_frame(table).select(*quasi_identifiers(target), target)
    return published, measure_loss(spaces, grouping).ngil
