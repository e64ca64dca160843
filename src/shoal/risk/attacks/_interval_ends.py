"""Interval ends: the smallest span around a crowd begins and ends at somebody's value."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._meanings import Meaning
from shoal.risk.attacks._rates import mean_over_people
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import FloatArray, IntArray


class IntervalEnds(Attack):
    """The attacker says that the target sits at an end of the published interval.

    Counted where a real interval is published. The baseline is the chance of the same widths on a
    grid that knows nobody: two ends among all values that the interval could hold. Without a map
    from rows to people, a person is in every crowd that fits, weighed so that all rows of the
    release are somebody's (`Matching.balanced`).
    """

    name: ClassVar[str] = "interval_ends"
    title: ClassVar[str] = "Are the ends of intervals people?"
    goal: ClassVar[str] = "form"
    scenario: ClassVar[str] = (
        "Somebody sees [23, 31] and knows that such intervals are drawn as tight as possible: one"
        " person in it is exactly 23, and one is exactly 31."
    )
    citation: ClassVar[str] = "A. Cohen. Attacks on deidentification's defenses. USENIX 2022."

    def run(self, scene: AttackScene) -> AttackResult:
        """Look at every numeric quasi-identifier, and tell of the worst."""
        results = [
            self._on(scene, name, column)
            for column, name in enumerate(scene.names)
            if not scene.meanings[name].nominal and scene.meanings[name].spans.any()
        ]
        if not results:
            return AttackResult.skipped(self.name, "No interval is published.")
        return max(results, key=lambda result: (result.risk, result.rate))

    def _on(self, scene: AttackScene, name: str, column: int) -> AttackResult:
        rows = scene.some_rows(self.name, 10 * scene.at_most)
        values = scene.values_of_original(rows)
        sizes = scene.groups.sizes.astype(np.float64)
        weights = sizes if scene.truth is not None else scene.matching.balanced(values)
        if scene.truth is None:
            hits, by_chance = _at_an_end(scene, values, column, weights)
        else:
            hits, by_chance = _at_own_end(scene, rows, values, column)
        rate, people = mean_over_people(hits, scene.people_of(rows))
        baseline, _ = mean_over_people(by_chance, scene.people_of(rows))
        held_out = scene.values_of_control()
        control = None
        if held_out is not None:
            control = float(_at_an_end(scene, held_out, column, weights)[0].mean())
        note = f"Worst of all: {name}."
        return AttackResult(self.name, rate, baseline, control, people, note)


def _at_an_end(
    scene: AttackScene, values: IntArray, column: int, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Share of the fitting rows whose interval ends at the person's value; and by chance."""
    meaning = list(scene.meanings.values())[column]
    texts, sizes = scene.matching.texts[:, column], weights.astype(np.float32)
    real, chance = meaning.spans[texts], _chance(meaning)[texts]
    hits, lucky = np.zeros(len(values)), np.zeros(len(values))
    for begin, fits in scene.matching.walk(values):
        part = slice(begin, begin + len(fits))
        at = meaning.values[values[part, column]][:, None]
        end = ((at == meaning.lows[texts]) | (at == meaning.highs[texts])) & real
        total = np.maximum(fits @ sizes, 1e-9)
        hits[part] = (fits & end) @ sizes / total
        lucky[part] = (fits @ (sizes * chance)) / total
    return hits, lucky


def _at_own_end(
    scene: AttackScene, rows: IntArray, values: IntArray, column: int
) -> tuple[FloatArray, FloatArray]:
    """Whether the interval of a person's own released row ends at their value; and by chance."""
    meaning = list(scene.meanings.values())[column]
    own = np.asarray(scene.truth)[rows]
    texts = scene.texts_of_rows[np.maximum(own, 0), column]
    at = meaning.values[values[:, column]]
    end = ((at == meaning.lows[texts]) | (at == meaning.highs[texts])) & meaning.spans[texts]
    return (end & (own >= 0)).astype(np.float64), _chance(meaning)[texts] * (own >= 0)


def _chance(meaning: Meaning) -> FloatArray:
    """Two ends among the values that each interval could hold, one granule apart."""
    holds = (meaning.highs - meaning.lows) / meaning.granule + 1
    chance: FloatArray = np.where(meaning.spans, np.minimum(1.0, 2 / np.maximum(holds, 1)), 0.0)
    return chance
