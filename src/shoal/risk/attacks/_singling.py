"""Singling out: a description made from the release that fits one person and nobody else."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.random import Generator

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import FloatArray, IntArray

_TRIES = 2000


class LoneDescription(Attack):
    """The attacker describes released rows that are alone, and hopes that so are the people.

    Each released row is read as one value per cell, drawn from what the cell may stand for. A row
    becomes a description: words as they are, a number as "at least" above the median and "at
    most" below it. Those that fit exactly one row of the release are tried on the people. The
    baseline draws values at random from the domain of each column.

    Parameters
    ----------
    columns : int, optional
        Cells in a description, drawn for each; all quasi-identifiers if not given.
    tries : int
        Descriptions to try.
    """

    name: ClassVar[str] = "singling_out"
    title: ClassVar[str] = "Does a description fit exactly one person?"
    scenario: ClassVar[str] = (
        "Somebody makes descriptions from released rows that are alone (“at least 80, from Linz,"
        " widowed”) and hopes that they fit exactly one person."
    )
    citation: ClassVar[str] = "M. Giomi et al. A unified framework (anonymeter). PETS 2023."

    def __init__(self, columns: int | None = None, tries: int = _TRIES) -> None:
        self.columns = columns
        self.tries = tries

    def run(self, scene: AttackScene) -> AttackResult:
        """Try descriptions on the people."""
        if not scene.names:
            return AttackResult.skipped(self.name, "No column is a quasi-identifier.")
        rng = scene.randomness(self.name)
        read = _decode(scene, rng)
        wanted, columns = self._descriptions(scene, read, rng)
        if not len(wanted):
            return AttackResult(self.name, 0.0, people=self.tries, note="No row is alone.")
        people, held_out = _places(scene, scene.everybody), scene.values_of_control()
        naive = _anything(scene, len(wanted), rng)
        control = None
        if held_out is not None:
            control = float((_count(scene, _places(scene, held_out), wanted, columns) == 1).mean())
        return AttackResult(
            self.name,
            rate=float((_count(scene, people, wanted, columns) == 1).mean()),
            baseline=float((_count(scene, people, naive, columns) == 1).mean()),
            control=control,
            people=len(wanted),
            note=f"Descriptions of {columns.shape[1]} cells, one try each.",
        )

    def _descriptions(
        self, scene: AttackScene, read: FloatArray, rng: Generator
    ) -> tuple[FloatArray, IntArray]:
        """Describe rows of the release, as many as asked for, that are alone in it."""
        wide = len(scene.names)
        rows = rng.permutation(len(read))[: 2 * self.tries]
        columns = np.argsort(rng.random((rows.size, wide)), axis=1)[:, : self.columns or wide]
        alone = np.flatnonzero(_count(scene, read, read[rows], columns) == 1)[: self.tries]
        return read[rows[alone]], columns[alone]


def _decode(scene: AttackScene, rng: Generator) -> FloatArray:
    """Draw a place for each released cell from what it may stand for; NaN stays missing."""
    texts = scene.texts_of_rows
    places = np.empty(texts.shape)
    for column, meaning in enumerate(scene.meanings.values()):
        low, high = meaning.lows[texts[:, column]], meaning.highs[texts[:, column]]
        drawn = low + rng.random(len(texts)) * (high - low + meaning.nominal)
        places[:, column] = np.floor(drawn) if meaning.nominal else drawn
    return places


def _anything(scene: AttackScene, tries: int, rng: Generator) -> FloatArray:
    places = np.empty((tries, len(scene.names)))
    for column, meaning in enumerate(scene.meanings.values()):
        domain = meaning.values[~np.isnan(meaning.values)]
        places[:, column] = rng.choice(domain, tries) if domain.size else np.nan
    return places


def _places(scene: AttackScene, people: IntArray) -> FloatArray:
    columns = [m.values[people[:, c]] for c, m in enumerate(scene.meanings.values())]
    return np.column_stack(columns)


def _count(scene: AttackScene, at: FloatArray, wanted: FloatArray, columns: IntArray) -> IntArray:
    """Count for each description how many rows of ``at`` it fits."""
    nominal = [meaning.nominal for meaning in scene.meanings.values()]
    by_column = [np.ascontiguousarray(column) for column in at.T]
    middle = [float(np.nanmedian(c)) if np.isfinite(c).any() else 0.0 for c in by_column]
    counts = np.zeros(len(wanted), dtype=np.int64)
    for number, (row, chosen) in enumerate(zip(wanted, columns.tolist(), strict=True)):
        fits = np.ones(len(at), dtype=np.bool_)
        for column in chosen:
            value, place = row[column], by_column[column]
            if np.isnan(value):
                fits &= np.isnan(place)
            elif nominal[column]:
                fits &= place == value
            else:
                fits &= place >= value if value >= middle[column] else place <= value
        counts[number] = fits.sum()
    return counts
