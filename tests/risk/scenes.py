"""A small town to attack: raw, hidden in crowds of ten, and people who were held out."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from shoal.anonymizer import Anonymizer
from shoal.datasets import people
from shoal.privacy import DistinctLDiversity, KAnonymity
from shoal.recoding import Generalize
from shoal.risk import AttackScene
from shoal.table import Roles, Table, read_table

QUASI = ("age", "sex", "zip", "education")
SECRET = "diagnosis"
K = 10


@cache
def town() -> tuple[Table, Table]:
    """People of the table, and people like them who are not in it."""
    data = people(1500)
    frame = data.frame.select(*QUASI, SECRET)
    roles = Roles(quasi_identifiers=QUASI, sensitive=SECRET)
    kinds = {name: data.kinds[name] for name in (*QUASI, SECRET)}
    return (
        read_table(frame[:1000], roles=roles, kinds=kinds),
        read_table(frame[1000:], roles=roles, kinds=kinds),
    )


@cache
def trees():
    data = people(1500)
    return {name: tree for name, tree in data.hierarchies.items() if name in QUASI}


@cache
def anonymizer(k: int = K, l: int = 1) -> Anonymizer:
    models = [KAnonymity(k), *([DistinctLDiversity(l, SECRET)] if l > 1 else [])]
    return Anonymizer(recoding=Generalize(trees()), privacy=models).fit(town()[0])


def as_released(frame: pl.DataFrame) -> Table:
    return read_table(frame, roles=Roles(quasi_identifiers=QUASI, sensitive=SECRET))


def scene(released: pl.DataFrame, **more) -> AttackScene:
    original, control = town()
    settings = {"control": control, "hierarchies": trees(), "k": K} | more
    return AttackScene(as_released(released), original, **settings)


@cache
def raw() -> AttackScene:
    """The table as it is."""
    return scene(town()[0].frame)


@cache
def hidden() -> AttackScene:
    """The table in crowds of ten."""
    return scene(anonymizer().release_.frame)


def written(folder: Path, frame: pl.DataFrame | None = None) -> AttackScene:
    """The release of crowds of ten, in a folder."""
    anonymizer().release_.write(folder)
    return scene(anonymizer().release_.frame if frame is None else frame, folder=folder)


def aligned() -> pl.DataFrame:
    """Generalized rows in the order of the original."""
    return anonymizer().recoded_.aligned_frame(town()[0])


def pushed_back(share: float = 0.1) -> tuple[AttackScene, np.ndarray]:
    """Ages of the oldest moved towards the middle, all else untouched; and who was moved."""
    original = town()[0]
    ages = original.frame["age"].to_numpy()
    limit = np.quantile(ages, 1 - share)
    moved = np.flatnonzero(ages > limit)
    frame = original.frame.with_columns(age=pl.Series(np.minimum(ages, int(limit))))
    return scene(frame, truth=np.arange(original.n_rows), targets=moved), moved
