"""What the rows that fit a person say about a sensitive value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.risk.attacks._base import AttackResult
from shoal.risk.attacks._rates import mean_over_people
from shoal.risk.attacks._scene import AttackScene
from shoal.table import Table
from shoal.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Secret:
    """A sensitive column of a scene: who is told to have what.

    Values are numbered by what the release prints; a value that it does not print is -1.
    """

    scene: AttackScene
    name: str

    @cached_property
    def counts(self) -> IntArray:
        """Released rows of each group (rows) that print each value (columns)."""
        distinct = self.scene.released.cells.distinct(self.name)
        n_values = len(distinct.texts) + 1
        groups = self.scene.groups
        cells = groups.labels * n_values + distinct.codes
        return np.bincount(cells, minlength=groups.n_groups * n_values).reshape(-1, n_values)

    @cached_property
    def prior(self) -> FloatArray:
        """Share of each value in the whole release."""
        total: FloatArray = self.counts.sum(axis=0) / self.counts.sum()
        return total

    def true_values(self, table: Table, rows: IntArray) -> IntArray:
        """Number of the value that people really have."""
        printed = self.scene.released.cells.distinct(self.name).texts.to_list()
        number = {text: i for i, text in enumerate(printed)}
        distinct = table.cells.distinct(self.name)
        recode = [number.get(text, -1) for text in distinct.texts.to_list()]
        return np.array([*recode, len(printed)], dtype=np.int64)[distinct.codes][rows]

    def posterior(self, values: IntArray) -> FloatArray:
        """Chance of each value for each person, from all rows that fit; the prior if none does."""
        found = self.scene.matching.sums(values, self.counts)
        total = found.sum(axis=1, keepdims=True)
        chances: FloatArray = np.where(total > 0, found / np.maximum(total, 1), self.prior)
        return chances


@dataclass(frozen=True, eq=False)
class Believed:
    """What an attacker believes of some people, and what is true of them."""

    posterior: FloatArray
    truth: IntArray
    prior: FloatArray
    fitting: FloatArray

    @property
    def chance_of_truth(self) -> FloatArray:
        """Chance that the attacker gives to what is true."""
        return pick(self.posterior, self.truth)


def believe(secret: Secret) -> Believed:
    """Let an attacker look at all rows that fit each person of the release."""
    scene = secret.scene
    return scene.once(  # type: ignore[no-any-return]
        f"beliefs about {secret.name}",
        lambda: _believe(secret, scene.original, scene.rows, scene.values_of_original(scene.rows)),
    )


def believe_of_control(secret: Secret) -> Believed | None:
    """Let an attacker look at all rows that fit each person held out."""
    scene, held_out = secret.scene, secret.scene.values_of_control()
    if held_out is None or scene.control is None:
        return None
    table, rows = scene.control, np.arange(len(held_out))
    return scene.once(  # type: ignore[no-any-return]
        f"beliefs about {secret.name}, held out", lambda: _believe(secret, table, rows, held_out)
    )


def _believe(secret: Secret, table: Table, rows: IntArray, values: IntArray) -> Believed:
    return Believed(
        secret.posterior(values),
        secret.true_values(table, rows),
        secret.prior,
        secret.scene.matching.count(values),
    )


def pick(chances: FloatArray, which: IntArray) -> FloatArray:
    """Take one entry of each row, 0 where ``which`` is negative."""
    taken = chances[np.arange(len(which)), np.maximum(which, 0)]
    return np.where(which >= 0, taken, 0.0)


def guess(chances: FloatArray, truth: IntArray) -> FloatArray:
    """How likely the likeliest value is the true one; values that are as likely share the guess.

    >>> guess(np.array([[0.5, 0.5, 0.0], [0.2, 0.8, 0.0]]), np.array([0, 1])).tolist()
    [0.5, 1.0]
    """
    best = chances >= chances.max(axis=1, keepdims=True) - 1e-12
    return pick(best / best.sum(axis=1, keepdims=True), truth)


def attack_secrets(
    scene: AttackScene,
    name: str,
    success: Callable[[Believed], FloatArray],
    baseline: Callable[[Believed], FloatArray],
    note: str = "",
) -> AttackResult:
    """Attack every sensitive column alike, and tell of the one where the release adds most."""
    results = [_attack(scene, name, secret, success, baseline, note) for secret in secrets(scene)]
    if not results:
        return AttackResult.skipped(name, "No column is sensitive.")
    return max(results, key=lambda result: (result.risk, result.rate))


def secrets(scene: AttackScene) -> Iterator[Secret]:
    """Sensitive columns, or the target where none is named."""
    return (Secret(scene, name) for name in scene.secrets)


def _attack(
    scene: AttackScene,
    name: str,
    secret: Secret,
    success: Callable[[Believed], FloatArray],
    baseline: Callable[[Believed], FloatArray],
    note: str,
) -> AttackResult:
    rows, told, others = scene.rows, believe(secret), believe_of_control(secret)
    rate, people = mean_over_people(success(told), scene.people_of(rows))
    guessed, _ = mean_over_people(baseline(told), scene.people_of(rows))
    control = None if others is None else float(success(others).mean())
    return AttackResult(
        name, rate, guessed, control, people, note or f"Worst of all: {secret.name}."
    )
