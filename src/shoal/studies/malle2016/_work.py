"""Forget a share of the people in one of four ways, and test what models learn from the rest."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from shoal._random import spawn
from shoal.grouping import Problem, SaNGreeA
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.studies._census._models import MODELS
from shoal.studies._census._people import as_table, drawn_rows, people
from shoal.studies._census._scoring import PublishedTable, score_properly
from shoal.table import Grouping
from shoal.typing import BoolArray, IntArray

K, TARGET, SEED = 10, "income", 2016
#: How somebody can be forgotten, and what that leaves to learn from.
WAYS = {
    "un-anonymized": "rows as they were, without those who left",
    "made anew": "those who stay are grouped again",
    "rows leave": "the same release, without the rows of those who left",
    "crowds leave": "the same release, without every crowd that somebody left",
}
#: Who asks to be forgotten: how many times as likely high earners are to.
LEAVERS = {"anybody": 1.0, "high earners first": 4.0}


def run_forget(rows: int, who: str, way: str, share: float, draw: int) -> Mapping[str, Any]:
    """Forget people, count the crowds that are left, and score models on untouched originals."""
    left = _forgotten(rows, who, share, draw)
    published, crowds = _remaining(rows, draw, way, ~left)
    sizes = np.bincount(crowds)[crowds] if crowds.size else crowds
    return {
        "rows_left": published.height,
        "below_k": float((sizes < K).mean()) if sizes.size else 0.0,
        "f1": _scores(published),
    }


def _forgotten(rows: int, who: str, share: float, draw: int) -> BoolArray:
    """Draw who leaves; a larger share holds everybody of a smaller one."""
    high = (drawn_rows(rows, draw)[TARGET] == ">50K").to_numpy()
    chance = np.where(high, LEAVERS[who], 1.0)
    times = spawn(SEED, f"{who} {draw}").exponential(size=rows) / chance
    left: BoolArray = np.zeros(rows, dtype=np.bool_)
    left[np.argsort(times, kind="stable")[: round(share * rows)]] = True
    return left


def _remaining(rows: int, draw: int, way: str, stay: BoolArray) -> tuple[pl.DataFrame, IntArray]:
    """What is left to learn from, and the crowd of each of its rows."""
    frame = drawn_rows(rows, draw)
    if way == "un-anonymized":
        return frame.filter(pl.Series(stay)), np.arange(int(stay.sum()))
    if way == "made anew":
        return _anonymized(frame.filter(pl.Series(stay)))
    released, crowds = _first_release(rows, draw)
    if way == "crowds leave":
        stay = ~np.isin(crowds, crowds[~stay])
    return released.filter(pl.Series(stay)), crowds[stay]


@cache
def _first_release(rows: int, draw: int) -> tuple[pl.DataFrame, IntArray]:
    return _anonymized(drawn_rows(rows, draw))


def _anonymized(frame: pl.DataFrame) -> tuple[pl.DataFrame, IntArray]:
    table, recoder = as_table(frame, TARGET), Generalize(people().hierarchies)
    spaces = recoder.spaces(table, {})
    problem = Problem(table, spaces, (KAnonymity(K),))
    grouping: Grouping = SaNGreeA(order="common", refine=False).fit(problem).grouping_
    return recoder.recode(table, grouping, spaces).aligned_frame(table), grouping.labels


def _scores(published: pl.DataFrame) -> dict[str, float] | None:
    """Macro F1 of each model; None where one class, or next to nobody, is left."""
    if published.height < 2 * K or published[TARGET].n_unique() < 2:
        return None
    found: dict[str, float] = score_properly(PublishedTable(published, TARGET))["f1"]
    return {name: found[name] for name in (*MODELS, "constant")}
