"""Pseudonym linkage: two releases with the same pseudonyms, laid over each other."""

from __future__ import annotations

from typing import ClassVar

import polars as pl

from shoal.privacy import group_by_text
from shoal.risk._row_tokens import sample_people
from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._scene import AttackScene
from shoal.table import Table


class PseudonymLinkage(Attack):
    """The attacker has another release of the same people and matches pseudonyms.

    The person's crowd is found in both releases, and only pseudonyms that are in both crowds are
    left. The control is the same attacker where nothing joins the two, as under another key: the
    smaller of the two crowds. Whoever is known to be in this release only is sought among the
    pseudonyms of their crowd that the other release lacks (``newcomers`` in the details).
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
        everybody = _seen(_named(scene.released), _named(scene.beside))
        both = everybody.get_column("theirs").is_not_null()
        randomness = scene.randomness(self.name)
        some = sample_people(everybody.height, scene.at_most, randomness)
        chances = everybody[some]
        came = chances.filter(pl.col("theirs").is_null()).get_column("came").to_numpy()
        return AttackResult.of_chances(
            self.name,
            everybody.height,
            chances.get_column("joined").to_numpy(),
            chances.get_column("apart").to_numpy(),
            note="" if both.any() else "The two releases share no pseudonym.",
            details={"in_both": _share(both), "newcomers": float(came.sum()) / max(1, came.size)},
        )


def _named(table: Table) -> pl.DataFrame:
    """The pseudonym and the crowd of each row that has one."""
    who = table.text(str(table.roles.person)).alias("who")
    cells = pl.Series("cell", group_by_text(table).labels)
    return pl.DataFrame([who, cells]).drop_nulls()


def _seen(here: pl.DataFrame, there: pl.DataFrame) -> pl.DataFrame:
    """For each person one of their crowds in either release, and the chances to point at them.

    ``joined`` is by both, ``apart`` by the smaller one, ``came`` by who is not in the other.
    """
    mine = here.group_by("who").agg(pl.col("cell").min().alias("ours"))
    others = there.group_by("who").agg(pl.col("cell").min().alias("theirs"))
    in_both = here.unique().join(there.unique(), on="who", suffix="_there")
    only_here = here.join(there, on="who", how="anti")
    return (
        mine.join(others, on="who", how="left")
        .join(_chance(here, ["cell"], "first", ["ours"]), on="ours", how="left")
        .join(_chance(there, ["cell"], "second", ["theirs"]), on="theirs", how="left")
        .join(
            _chance(in_both, ["cell", "cell_there"], "joined", ["ours", "theirs"]),
            on=["ours", "theirs"],
            how="left",
        )
        .join(_chance(only_here, ["cell"], "came", ["ours"]), on="ours", how="left")
        .with_columns(
            pl.col("joined").fill_null(pl.col("first")),
            pl.max_horizontal("first", "second").alias("apart"),
        )
        .sort("who")
    )


def _chance(rows: pl.DataFrame, cells: list[str], name: str, called: list[str]) -> pl.DataFrame:
    """One by as many people as share a cell."""
    keys = [pl.col(cell).alias(other) for cell, other in zip(cells, called, strict=True)]
    return rows.group_by(keys).agg((1 / pl.col("who").n_unique()).alias(name))


def _share(flags: pl.Series) -> float:
    return float(flags.sum()) / max(1, flags.len())
