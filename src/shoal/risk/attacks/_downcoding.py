"""Downcoding: cells written back from what a minimal generalization gives away."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import BoolArray, FloatArray, IntArray

_MOST_PAIRS = 4_000_000_000  # people times crowds; each pair is looked at


class Downcoding(Attack):
    """The attacker rewrites the release: two rows of each crowd get the ends of its intervals.

    The rate is the share of all cells that are generalized and recovered so, in a crowd of two
    all of them. A published end counts as recovered if somebody who fits the crowd has it. The
    baseline writes back two values drawn at random from inside the interval.
    """

    name: ClassVar[str] = "downcoding"
    title: ClassVar[str] = "Can cells be written back?"
    goal: ClassVar[str] = "form"
    scenario: ClassVar[str] = (
        "Somebody knows that nothing was generalized more than needed, so both ends of every"
        " interval, and both halves of a label with two, are people of that crowd."
    )
    citation: ClassVar[str] = "A. Cohen. Attacks on deidentification's defenses. USENIX 2022."

    def run(self, scene: AttackScene) -> AttackResult:
        """Write back every generalized cell of every crowd."""
        if not scene.names:
            return AttackResult.skipped(self.name, "No column is a quasi-identifier.")
        if scene.original.n_rows * scene.groups.n_groups > _MOST_PAIRS:
            return AttackResult.skipped(self.name, "Too many rows: attack a part of them.")
        forced, lucky = _guesses(scene)
        if not np.isfinite(forced).any():
            return AttackResult.skipped(self.name, "Nothing is published as an interval.")
        n_cells = scene.released.n_rows * len(scene.names)
        held_out = scene.values_of_control()
        control = None if held_out is None else _true(scene, held_out, forced).sum() / n_cells
        return AttackResult(
            self.name,
            rate=float(_true(scene, scene.everybody, forced).sum() / n_cells),
            baseline=float(_true(scene, scene.everybody, lucky).sum() / n_cells),
            control=None if control is None else float(control),
            people=scene.released.n_rows,
            note="Counted in cells of released rows.",
        )


def _guesses(scene: AttackScene) -> tuple[FloatArray, FloatArray]:
    """Places written back, groups by columns by two: the ends, and two drawn from inside."""
    rng = scene.randomness(Downcoding.name)
    texts = scene.matching.texts
    forced = np.full((*texts.shape, 2), np.nan)
    lucky = forced.copy()
    for column, meaning in enumerate(scene.meanings.values()):
        low, high = meaning.lows[texts[:, column]], meaning.highs[texts[:, column]]
        wide = meaning.spans[texts[:, column]]
        if meaning.nominal:
            wide &= high == low + 1  # only a label of two leaves gives both away
        steps = np.round((high[wide] - low[wide]) / meaning.granule) + 1
        some = np.floor(rng.random((int(wide.sum()), 2)) * steps[:, None]) * meaning.granule
        forced[wide, column] = np.stack([low[wide], high[wide]], axis=1)
        lucky[wide, column] = low[wide][:, None] + some
    return forced, lucky


def _true(scene: AttackScene, people: IntArray, guesses: FloatArray) -> BoolArray:
    """Which written-back places some person who fits the crowd has."""
    found = np.zeros(guesses.shape, dtype=np.bool_)
    for begin, fits in scene.matching.walk(people):
        for column, meaning in enumerate(scene.meanings.values()):
            at = meaning.values[people[begin : begin + len(fits), column]]
            for place in (0, 1):
                same = at[:, None] == guesses[:, column, place]
                found[:, column, place] |= (fits & same).any(axis=0)
    return found
