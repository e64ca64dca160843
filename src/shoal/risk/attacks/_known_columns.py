"""Known columns: a phone number, a timestamp, a case number that is published as it is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._rates import mean_over_people
from shoal.risk.attacks._scene import AttackScene
from shoal.table import Table
from shoal.typing import FloatArray, IntArray

_PAIRED = 12  # columns that pairs are made of: those that tell most by themselves
_SHOWN = 5


class KnownColumns(Attack):
    """The attacker knows one or two columns that nobody declared, and looks for the row.

    Quasi-identifiers are what a steward thought of. A unique phone number or an exact time of
    admission, published as it is, finds the row whatever crowd it stands in. The attacker knows
    the one column, or the two, that find most people; the rate is theirs. Secrets are left out:
    whoever knows a secret has nothing to look for.
    """

    name: ClassVar[str] = "known_columns"
    title: ClassVar[str] = "By columns that are published as they are"
    scenario: ClassVar[str] = (
        "Somebody knows a person's phone number, case number or time of admission, finds the rows"
        " that show it, and points at one."
    )
    citation: ClassVar[str] = (
        "A. Narayanan, V. Shmatikov. Robust de-anonymization of large sparse datasets. 2008."
    )

    def run(self, scene: AttackScene) -> AttackResult:
        """Look everybody up by the columns that tell most; the baseline points at any row."""
        columns = _published_as_is(scene)
        if not columns:
            return AttackResult.skipped(self.name, "No column is published as it is.")
        rows = scene.rows
        alone = {name: self._rate(scene, (name,), rows) for name in columns}
        told = sorted(columns, key=lambda name: (-alone[name], name))
        known: tuple[str, ...] = (told[0],)
        rate = alone[told[0]]
        for pair in combinations(told[:_PAIRED], 2):
            found = self._rate(scene, pair, rows)
            if found > rate:
                known, rate = pair, found
        everybody = np.arange(0 if scene.control is None else scene.control.n_rows)
        return AttackResult(
            self.name,
            rate=rate,
            baseline=1 / scene.released.n_rows,
            control=None
            if scene.control is None
            else float(_chances(scene.released, scene.control, known)[everybody].mean()),
            people=mean_over_people(np.zeros(rows.size), scene.people_of(rows))[1],
            note=f"Known: {' and '.join(known)}.",
            control_counts=False,
            details={name: round(alone[name], 4) for name in told[:_SHOWN]},
        )

    def _rate(self, scene: AttackScene, known: tuple[str, ...], rows: IntArray) -> float:
        chances = _chances(scene.released, scene.original, known)[rows]
        return mean_over_people(chances, scene.people_of(rows))[0]


def _published_as_is(scene: AttackScene) -> list[str]:
    """Name the columns of the release that are neither recoded nor secret."""
    roles = scene.released.roles
    left_out = {*scene.names, *roles.sensitive, roles.target, *scene.secrets}
    tables = [table for table in (scene.original, scene.control) if table is not None]
    return [
        name
        for name in scene.released.column_names
        if name not in left_out and all(name in table.column_names for table in tables)
    ]


def _chances(released: Table, people: Table, known: tuple[str, ...]) -> FloatArray:
    """Chance to be right about each person: one in so many rows as show what is known."""
    columns = [f"c{place}" for place in range(len(known))]
    shown = pl.DataFrame([*_texts(released, known, columns)])
    wanted = pl.DataFrame([*_texts(people, known, columns)])
    counted = shown.group_by(columns).len()
    fitting = wanted.join(
        counted, on=columns, how="left", nulls_equal=True, maintain_order="left"
    ).get_column("len")
    return (1 / fitting.cast(pl.Float64)).fill_null(0.0).to_numpy()


def _texts(table: Table, known: tuple[str, ...], columns: list[str]) -> Iterator[pl.Series]:
    for name, column in zip(known, columns, strict=True):
        yield table.text(name).rename(column)
