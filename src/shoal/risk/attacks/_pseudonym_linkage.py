"""Pseudonym linkage: two releases with the same pseudonyms, laid over each other."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import polars as pl

from shoal.privacy import group_by_text
from shoal.risk._row_tokens import RowTokens, sample_people
from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._scene import AttackScene
from shoal.table import Table
from shoal.typing import FloatArray, IntArray


class PseudonymLinkage(Attack):
    """The attacker has another release of the same people and matches pseudonyms.

    The person's crowd is found in both releases, and only pseudonyms that are in both crowds are
    left. The control is what the attacker has without the second release, or with one under
    another key: the crowd of the first.
    """

    name: ClassVar[str] = "pseudonym_linkage"
    title: ClassVar[str] = "By pseudonyms of another release"
    scenario: ClassVar[str] = (
        "Somebody has two releases of the same people, finds a person's crowd in each, keeps the"
        " pseudonyms that are in both, and points at one."
    )
    citation: ClassVar[str] = (
        "S. Ganta, S. Kasiviswanathan, A. Smith. Composition attacks and auxiliary information in"
        " data privacy. KDD 2008."
    )

    def run(self, scene: AttackScene) -> AttackResult:
        """Align the two releases; the baseline points at anybody."""
        person = scene.released.roles.person
        if person is None:
            return AttackResult.skipped(self.name, "The release has no pseudonyms.")
        if scene.beside is None or scene.beside.roles.person is None:
            return AttackResult.skipped(self.name, "There is no other release with pseudonyms.")
        here, there = _named(scene.released), _named(scene.beside)
        names = np.unique(here.get_column("who").to_numpy())
        both = np.isin(names, there.get_column("who").to_numpy())
        randomness = scene.randomness(self.name)
        who = np.searchsorted(names, here.get_column("who").to_numpy())
        alone = RowTokens.of(who, here.get_column("cell").to_numpy())
        some = sample_people(names.size, scene.at_most, randomness)
        first, _ = alone.chances(1, some, randomness)
        return AttackResult.of_chances(
            self.name,
            names.size,
            np.where(both[some], _joined(here, there, some), first),
            first,
            note="" if both.any() else "The two releases share no pseudonym.",
            details={"in_both": float(both.mean())},
        )


def _named(table: Table) -> pl.DataFrame:
    """The pseudonym and the crowd of each row that has one."""
    who = table.text(str(table.roles.person)).alias("who")
    cells = pl.Series("cell", group_by_text(table).labels)
    return pl.DataFrame([who, cells]).drop_nulls()


def _joined(here: pl.DataFrame, there: pl.DataFrame, some: IntArray) -> FloatArray:
    """Chance to point at each person, given one of their crowds in each of the two releases."""
    pairs = here.group_by("who").agg(pl.col("cell").min()).rename({"cell": "ours"})
    others = there.group_by("who").agg(pl.col("cell").min()).rename({"cell": "theirs"})
    known = pairs.join(others, on="who", how="left")
    met = here.unique().join(there.unique(), on="who", suffix="_there")
    sizes = met.group_by(pl.col("cell").alias("ours"), pl.col("cell_there").alias("theirs")).agg(
        pl.col("who").n_unique().alias("left")
    )
    found = known.join(sizes, on=["ours", "theirs"], how="left").sort("who")
    left = found.get_column("left").fill_null(1).to_numpy()
    return 1 / left[some]
