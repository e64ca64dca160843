"""Inference by a model that learned from the release itself."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._rates import mean_over_people
from shoal.risk.attacks._scene import AttackScene
from shoal.table import Table
from shoal.typing import IntArray

_ROWS_TO_LEARN = 30_000
_MOST_CLASSES = 100
_ENOUGH_NUMBERS = 10


class ModelInference(Attack):
    """A model learns the secret from the released rows and predicts it for the people in them.

    The baseline always says the commonest value. Beyond the control (people held out) it has
    learned persons, not patterns. Numbers are guessed by tenths of their range.
    """

    name: ClassVar[str] = "model_inference"
    title: ClassVar[str] = "Can a model learn the secret?"
    goal: ClassVar[str] = "value"
    scenario: ClassVar[str] = (
        "Somebody trains a model on the release and asks it for the sensitive value of a person"
        " whose quasi-identifiers they know."
    )
    citation: ClassVar[str] = "D. Kifer. Attacks on privacy and deFinetti's theorem. SIGMOD 2009."

    def run(self, scene: AttackScene) -> AttackResult:
        """Train on the release, predict the people."""
        results = [self._on(scene, name) for name in scene.secrets]
        if not results or not scene.names:
            return AttackResult.skipped(self.name, "No column is sensitive.")
        return max(results, key=lambda result: (result.risk, result.rate))

    def _on(self, scene: AttackScene, secret: str) -> AttackResult:
        from sklearn.ensemble import ExtraTreesClassifier

        answers = _Answers(scene.released, secret)
        rows = scene.randomness(self.name).permutation(scene.released.n_rows)[:_ROWS_TO_LEARN]
        encoder = _encoder(scene)
        known = encoder.fit(scene.released).transform(scene.released)
        model = ExtraTreesClassifier(20, random_state=0)  # grown to the last leaf: it memorizes
        told = answers.of(scene.released)
        model.fit(known[rows], told[rows])
        targets = scene.some_rows(self.name)
        right = model.predict(encoder.transform(scene.original)[targets])
        hits = (right == answers.of(scene.original)[targets]).astype(np.float64)
        rate, people = mean_over_people(hits, scene.people_of(targets))
        commonest = np.bincount(told).argmax()
        control = None
        if scene.control is not None:
            there = model.predict(encoder.transform(scene.control))
            control = float((there == answers.of(scene.control)).mean())
        return AttackResult(
            self.name,
            rate=rate,
            baseline=float((answers.of(scene.original)[targets] == commonest).mean()),
            control=control,
            people=people,
            note=f"Worst of all: {secret}.",
        )


class _Answers:
    """Numbers of the classes of a secret: its values, or tenths of a number's range."""

    def __init__(self, released: Table, name: str) -> None:
        self.name = name
        column = released.column(name)
        self.number = {label: i for i, label in enumerate(column.labels)}
        self.edges = None
        if column.numbers is not None and len(column.labels) > _ENOUGH_NUMBERS:
            cuts = np.quantile(
                column.numbers[column.codes[column.codes < len(column.labels)]],
                np.linspace(0, 1, _ENOUGH_NUMBERS + 1)[1:-1],
            )
            self.edges = np.unique(cuts)
        elif len(column.labels) > _MOST_CLASSES:
            common = np.argsort(-np.bincount(column.codes, minlength=len(column.labels)))
            kept = common[:_MOST_CLASSES].tolist()
            self.number = {
                column.labels[i]: n for n, i in enumerate(kept) if i < len(column.labels)
            }

    def of(self, table: Table) -> IntArray:
        """Class of each row; what the release does not print is one more."""
        column = table.column(self.name)
        if self.edges is not None:
            if column.numbers is None:  # no numbers here: nothing that the release prints
                return np.full(table.n_rows, self.edges.size + 1, dtype=np.int64)
            numbers = np.append(column.numbers, np.nan)[column.codes]
            found = np.searchsorted(self.edges, numbers)
            return np.where(np.isnan(numbers), self.edges.size + 1, found)
        recode = [self.number.get(label, len(self.number)) for label in column.labels]
        return np.array([*recode, len(self.number)], dtype=np.int64)[column.codes]


def _encoder(scene: AttackScene) -> Any:
    from shoal.utility import GeneralizedEncoder

    return GeneralizedEncoder(
        hierarchies={n: h for n, h in scene.hierarchies.items() if n in scene.names},
        kinds={n: scene.original.kinds[n] for n in scene.names if n not in scene.hierarchies},
        quasi_identifiers=scene.names,
        orders=scene.original.orders,
    )
