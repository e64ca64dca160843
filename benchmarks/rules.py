"""Rules: what each costs beside k alone, on 100,000 rows; and tables of other shapes.

A run is `Anonymizer.fit` on a table in memory, from codes to the verdict, without a bound: CPU
seconds of all threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from measuring import timed
from shoal import Anonymizer, read_table
from shoal.datasets import people
from shoal.grouping import Auto
from shoal.privacy import DistinctLDiversity, KAnonymity, PrivacyModel, TCloseness
from shoal.recoding import Generalize
from shoal.table import Roles, Table

ROWS = 100_000
LARGE = 300_000
K = 10
L, T = 3, 0.3
VISITS = 1.4  # rows of a person, as in a register of hospital stays
WIDEST = 40  # years that a limit allows; everybody of a made-up census finds company there


def measure() -> dict[str, Any]:
    """Measure the plain run, each rule beside it, and each shape."""
    table = people(ROWS).table()
    _fit(people(2_000).table())  # load the kernels
    plain = _fit(table)
    k = KAnonymity(K)
    rules = {
        f"l = {L}": _fit(table, (k, DistinctLDiversity(L, "diagnosis"))),
        f"t = {T}": _fit(table, (k, TCloseness(T, "diagnosis"))),
        "people with several rows": _fit(_with_people(table)),
        f"limit: {WIDEST} years of age": _fit(table, limits={"age": WIDEST}),
        "grid: 5 years of age": _fit(table, grid={"age": 5}),
    }
    return {
        "rows": ROWS,
        "k": K,
        "plain": plain,
        "rules": {name: spent | _times(spent, plain) for name, spent in rules.items()},
        "large": _large(),
        "shapes": {name: _fit(shaped) for name, shaped in _shapes().items()},
    }


def _fit(table: Table, models: tuple[PrivacyModel, ...] = (KAnonymity(K),), **recoding: Any) -> Any:
    anonymizer = Anonymizer(Auto(effort="quick"), Generalize(**recoding), models, bound=False)
    run = timed(lambda: anonymizer.fit(table))
    print(f"  {run.cpu_seconds:.1f} CPU s, loss {anonymizer.loss_.ngil:.4f}", flush=True)
    return {"cpu_seconds": run.cpu_seconds, "ngil": anonymizer.loss_.ngil}


def _large() -> dict[str, Any]:
    """A table three times as large, without a rule and with t, which looks at the whole table."""
    table = people(LARGE).table()
    plain, t = _fit(table), _fit(table, (KAnonymity(K), TCloseness(T, "diagnosis")))
    return {"rows": LARGE, "plain": plain, f"t = {T}": t | _times(t, plain)}


def _times(spent: dict[str, float], plain: dict[str, float]) -> dict[str, float]:
    return {"times": spent["cpu_seconds"] / plain["cpu_seconds"]}


def _with_people(table: Table) -> Table:
    """The same rows, as those of fewer people."""
    whose = np.random.default_rng(0).integers(0, round(ROWS / VISITS), ROWS)
    frame = table.frame.with_columns(patient=pl.Series(whose.astype(str)))
    roles = Roles(
        identifiers=table.roles.identifiers,
        quasi_identifiers=table.roles.quasi_identifiers,
        sensitive=table.roles.sensitive,
        person="patient",
    )
    return read_table(frame, roles=roles)


def _shapes() -> dict[str, Table]:
    """Tables as people have them: wide, with one column of many values, half empty."""
    random, frame = np.random.default_rng(1), people(ROWS).frame
    quasi = people(1).roles.quasi_identifiers

    def answers(n: int, values: int) -> dict[str, pl.Series]:
        drawn = random.integers(0, values, (n, ROWS)).astype(str)
        return {f"answer_{i}": pl.Series(column) for i, column in enumerate(drawn)}

    def read(shaped: pl.DataFrame, names: tuple[str, ...]) -> Table:
        shaped = shaped.drop("name", "person_id")
        return read_table(shaped, roles=Roles(quasi_identifiers=names, sensitive="diagnosis"))

    half = [name for i, name in enumerate(frame.columns) if i % 2]
    gaps = [pl.when(pl.Series(random.random(ROWS) < 0.5)).then(pl.col(name)) for name in half]
    extra = answers(12, 4)
    places = pl.Series(random.integers(0, 50_000, ROWS).astype(str))
    return {
        "20 quasi-identifiers": read(frame.with_columns(**extra), (*quasi, *extra)),
        "200 columns published as they are": read(frame.with_columns(**answers(200, 5)), quasi),
        "a quasi-identifier of 50,000 values": read(
            frame.with_columns(place=places), (*quasi, "place")
        ),
        "half of the cells missing in half of the columns": read(frame.with_columns(gaps), quasi),
    }
