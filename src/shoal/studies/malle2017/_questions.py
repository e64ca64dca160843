"""The paper's open questions: how few rows suffice, and why linear SVC rises at high k."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from shoal._random import spawn
from shoal.grouping import Problem, SaNGreeA
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.spaces import build_spaces
from shoal.studies._base import Item, Size
from shoal.studies._census._models import Counted, teach_and_ask
from shoal.studies._census._people import KS, TARGETS, TRAIN_ROWS, first_rows
from shoal.studies._census._scoring import (
    PublishedTable,
    looks,
    macro_f1,
    published_features,
    score_folds,
    score_properly,
)
from shoal.table import Roles, read_table

FEWER_ROWS = (500, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, TRAIN_ROWS)
DRAWS = 5
SHARES = (0.5, 0.75, 0.9)  # of the commoner class, in the made-up tables
MADE_UP_ROWS = 3_000
FOLDS_OF_MADE_UP = 5
LINEAR = ("linear_svc", "logistic_regression")
SEED = 2017


def question_items(size: Size) -> Iterator[Item]:
    """List the tables to try."""
    rows = {"miniature": (500,), "small": (500, 1_500, 3_000)}.get(size, FEWER_ROWS)
    for n in rows:
        for target in TARGETS[:1] if size == "miniature" else TARGETS:
            for draw in range(1 if size != "full" else 1 if n == TRAIN_ROWS else DRAWS):
                yield Item("fewer rows", {"target": target, "rows": n, "draw": draw})
    for share in SHARES if size == "full" else SHARES[:2]:
        for k in (50,) if size == "miniature" else KS:
            for draw in range(DRAWS if size == "full" else 1):
                yield Item("made up", {"share": share, "k": k, "draw": draw})


def run_fewer_rows(target: str, rows: int, draw: int) -> Mapping[str, Any]:
    """Teach models as few original rows, drawn at random, and test them on untouched ones."""
    chance = spawn(SEED, f"{rows} rows, draw {draw}")
    drawn = chance.choice(TRAIN_ROWS, size=rows, replace=False)
    frame = first_rows(TRAIN_ROWS)[np.sort(drawn)]
    return {"proper": score_properly(PublishedTable(frame, target))}


def run_made_up(share: float, k: int, draw: int) -> Mapping[str, Any]:
    """Score linear models on a made-up release whose commoner class has this share.

    Three numbers and three categories, each of which tells a little about the class.
    """
    people = _make_up(share, f"people {draw}")
    names = people.columns[:-1]
    table = read_table(people, roles=Roles(quasi_identifiers=names, target="class"))
    spaces = build_spaces(table)
    problem = Problem(table, spaces, (KAnonymity(k),))
    grouping = SaNGreeA(order="common", refine=False).fit(problem).grouping_
    release = Generalize().recode(table, grouping, spaces).aligned_frame(table).select(names)
    answers, look = people["class"].cast(pl.Int64).to_numpy(), looks(release)
    features = published_features(release, names[:3])
    published = score_folds(features, look, answers, FOLDS_OF_MADE_UP, 10, 0)
    return {
        "published": {m: published["f1"][m] for m in (*LINEAR, "constant")},
        "says_most_common": {m: published["says_most_common"][m] for m in LINEAR},
        "proper": _on_others(release, look, answers, share, draw),
    }


def _on_others(
    release: pl.DataFrame, look: np.ndarray[Any, Any], answers: Any, share: float, draw: int
) -> dict[str, float]:
    """Macro F1 on other people of the same world, as they are."""
    from shoal.utility import GeneralizedEncoder

    others = _make_up(share, f"others {draw}")
    encoder = GeneralizedEncoder(kinds=dict.fromkeys(release.columns[:3], "numeric"))
    encoder.fit(others.select(release.columns))
    counted = Counted(encoder.transform(release), look, answers)
    truth, asked = others["class"].cast(pl.Int64).to_numpy(), encoder.transform(others)
    told = {name: teach_and_ask(name, counted, asked) for name in LINEAR}
    told["constant"] = np.full(truth.size, int(np.bincount(answers).argmax()))
    return {name: macro_f1(truth, answer) for name, answer in told.items()}


def _make_up(share: float, name: str) -> pl.DataFrame:
    chance = spawn(SEED, name)
    rare = chance.random(MADE_UP_ROWS) > share
    columns: dict[str, Any] = {
        f"number {i}": np.round(chance.normal(50 + 8 * rare, 10)).astype(int) for i in range(3)
    }
    for i in range(3):
        pick = chance.binomial(7, np.where(rare, 0.6, 0.4))
        columns[f"category {i}"] = [f"c{value}" for value in pick]
    return pl.DataFrame({**columns, "class": rare.astype(int).astype(str)})
