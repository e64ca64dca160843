"""Known columns: a phone number, a timestamp, a case number that is published as it is."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any, ClassVar

import numpy as np
import polars as pl

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._meanings import Meaning
from shoal.risk.attacks._rates import mean_over_people
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import FloatArray, IntArray

_PAIRED = 12  # columns that pairs are made of: those that tell most by themselves
_SHOWN = 5
_AT_ONCE = 2_000  # distinct people
_VALUE, _TEXT = "\0value", "\0text"  # no column is called so


class KnownColumns(Attack):
    """The attacker knows one or two published columns, one of them as it is, and seeks the row.

    Quasi-identifiers are what a steward thought of. A unique phone number or an exact time of
    admission, published as it is, finds the row whatever crowd it stands in; a day of admission
    does so beside an age. The attacker knows the one column, or the two, that find most people;
    the rate is theirs. Secrets are left out: whoever knows a secret has nothing to look for.
    """

    name: ClassVar[str] = "known_columns"
    title: ClassVar[str] = "By columns that are published as they are"
    scenario: ClassVar[str] = (
        "Somebody knows a person's phone number, case number or time of admission, perhaps the age"
        " as well, finds the rows that fit, and points at one."
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
        alone = {name: _rate(scene, (name,), rows) for name in columns}
        told = sorted(columns, key=lambda name: (-alone[name], name))
        known = self._best(scene, told)
        return AttackResult(
            self.name,
            rate=_rate(scene, known, rows),
            baseline=1 / scene.released.n_rows,
            control=None if scene.control is None else float(_chances(scene, known, None).mean()),
            people=mean_over_people(np.zeros(rows.size), scene.people_of(rows))[1],
            note=f"Known: {' and '.join(known)}.",
            control_counts=False,
            details={name: round(alone[name], 4) for name in told[:_SHOWN]},
        )

    def _best(self, scene: AttackScene, told: list[str]) -> tuple[str, ...]:
        """Find the one or two columns that find most people, of some that are tried."""
        some = scene.some_rows(self.name)
        few = told[:_PAIRED]
        beside = () if scene.moved or scene.truth is not None else scene.names
        tried = [(told[0],), *combinations(few, 2), *product(few, beside)]
        rates = [_rate(scene, known, some) for known in tried]
        return tried[int(np.argmax(rates))]


def _rate(scene: AttackScene, known: tuple[str, ...], rows: IntArray) -> float:
    return mean_over_people(_chances(scene, known, rows), scene.people_of(rows))[0]


def _chances(scene: AttackScene, known: tuple[str, ...], rows: IntArray | None) -> FloatArray:
    """Chance to be right about people of the release, or those held out: one in so many that fit.

    A column as it is fits if it reads the same, a generalized one if it may stand for the value.
    """
    plain = [name for name in known if name not in scene.names]
    quasi = [name for name in known if name in scene.names]
    people, values = scene.original, None
    if rows is None:
        assert scene.control is not None
        people, rows = scene.control, np.arange(scene.control.n_rows)
        values = scene.values_of_control()
    elif quasi:
        values = scene.values_of_original(rows)
    wanted = pl.DataFrame([people.text(name)[rows].rename(name) for name in plain])
    shown = pl.DataFrame([scene.released.text(name).rename(name) for name in plain])
    if not quasi:
        return _one_in(wanted.join(shown.group_by(plain).len(), **_alike(plain))["len"])
    assert values is not None
    place = scene.names.index(quasi[0])
    meaning, texts = scene.meanings[quasi[0]], scene.texts_of_rows[:, place]
    wanted = wanted.with_columns(pl.Series(_VALUE, values[:, place]))
    shown = shown.with_columns(pl.Series(_TEXT, texts)).group_by([*plain, _TEXT]).len()
    counted = [
        _count_fitting(part, shown, plain, meaning)
        for part in wanted.unique(maintain_order=True).iter_slices(_AT_ONCE)
    ]
    found = wanted.join(pl.concat(counted), **_alike([*plain, _VALUE]))["len"]
    return _one_in(found)


def _count_fitting(
    wanted: pl.DataFrame, shown: pl.DataFrame, plain: list[str], meaning: Meaning
) -> pl.DataFrame:
    """Count the released rows that show these columns and a text that may stand for the value."""
    beside = wanted.join(shown, on=plain, how="inner", nulls_equal=True)
    fits = meaning.fits(beside[_VALUE].to_numpy(), beside[_TEXT].to_numpy())
    return beside.filter(pl.Series(fits)).group_by([*plain, _VALUE]).agg(pl.col("len").sum())


def _alike(columns: list[str]) -> dict[str, Any]:
    return {"on": columns, "how": "left", "nulls_equal": True, "maintain_order": "left"}


def _one_in(fitting: pl.Series) -> FloatArray:
    return (1 / fitting.cast(pl.Float64)).fill_null(0.0).to_numpy()


def _published_as_is(scene: AttackScene) -> list[str]:
    """Name the columns of the release that are neither recoded nor secret."""
    roles = scene.released.roles
    left_out = {*scene.names, *roles.sensitive, roles.target, *roles.dropped, *scene.secrets}
    tables = [table for table in (scene.original, scene.control) if table is not None]
    return [
        name
        for name in scene.released.column_names
        if name not in left_out and all(name in table.column_names for table in tables)
    ]
