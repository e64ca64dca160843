"""Pointing at the best released row: ties, the truth, and what to expect without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from shoal.risk.attacks._meanings import Meaning
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import BoolArray, FloatArray, IntArray

#: Costs of the texts of one column (columns) for some values (rows); the lowest sum wins.
Costs: TypeAlias = Callable[[Meaning, IntArray, FloatArray], FloatArray]

_AT_ONCE = 64
_EVEN = 1e-9


@dataclass(frozen=True, eq=False)
class Picks:
    """How likely each person's pick is right, and how near it was (0 is a perfect fit)."""

    right: FloatArray
    cost: FloatArray


def pick_rows(
    scene: AttackScene, values: IntArray, costs: Costs, rows: IntArray | None = None
) -> Picks:
    """Let an attacker point at the released row of lowest cost for each person.

    Rows that cost the same share the guess. Whether the own row is among them is known with
    ``scene.truth``. Without, a pick that fits the person is taken for theirs. One that does not
    is wrong if the release is generalized; if all its cells are plain values that may have been
    moved, it counts if nobody of the original is nearer to it than this person.

    ``rows`` are the original rows of the people; None for people who are not in the release:
    then every pick counts as a claim.
    """
    first = scene.groups.order[scene.groups.starts[:-1]]
    texts, sizes = scene.texts_of_rows[first], scene.groups.sizes.astype(np.float64)
    right, cost = np.zeros(len(values)), np.zeros(len(values))
    for begin in range(0, len(values), _AT_ONCE):
        chunk = slice(begin, begin + _AT_ONCE)
        total = _total(scene, values[chunk], texts, sizes, costs)
        cost[chunk] = total.min(axis=1)
        best = total <= cost[chunk][:, None] + _EVEN
        chance = 1 / (best @ sizes)
        if rows is not None:
            chance = chance * _may_be_right(scene, values[chunk], rows[chunk], best, texts, costs)
        right[chunk] = chance
    return Picks(right, cost)


def _total(
    scene: AttackScene, values: IntArray, texts: IntArray, sizes: FloatArray, costs: Costs
) -> FloatArray:
    total = np.zeros((len(values), len(texts)))
    for column, meaning in enumerate(scene.meanings.values()):
        rows_of_text: FloatArray = np.bincount(
            texts[:, column], weights=sizes, minlength=meaning.lows.size
        ).astype(np.float64)
        total += costs(meaning, values[:, column], rows_of_text)[:, texts[:, column]]
    return total


def _may_be_right(
    scene: AttackScene,
    values: IntArray,
    rows: IntArray,
    best: BoolArray,
    texts: IntArray,
    costs: Costs,
) -> BoolArray:
    if scene.truth is not None:
        own = np.asarray(scene.truth)[rows]
        group = scene.groups.labels[np.maximum(own, 0)]
        known: BoolArray = best[np.arange(len(rows)), group] & (own >= 0)
        return known
    fits: BoolArray = np.asarray((best & scene.matching.fits(values)).any(axis=1))
    if not all(meaning.plain for meaning in scene.meanings.values()):
        return fits  # generalized: a row that does not fit is not theirs
    for person in np.flatnonzero(~fits):
        pick = texts[int(best[person].argmax())]
        fits[person] = _nearest_of_all(scene, values[person], pick)
    return fits


def _nearest_of_all(scene: AttackScene, values: IntArray, pick: IntArray) -> bool:
    """Tell whether nobody of the original is nearer to a released row than this person."""
    everybody = scene.everybody
    far, own = np.zeros(len(everybody)), 0.0
    for column, meaning in enumerate(scene.meanings.values()):
        present, which = np.unique(everybody[:, column], return_inverse=True)
        of_value = meaning.distance_to(present, int(pick[column]))
        far += of_value[which]
        own += float(meaning.distance_to(values[column : column + 1], int(pick[column]))[0])
    return bool(own <= far.min() + _EVEN)
