"""Rehearsal: a plan tried on part of its table, attacked with the people who were held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from shoal._progress import SILENT, Progress
from shoal.exceptions import InvalidParameterError
from shoal.plan._plan import Plan
from shoal.release import read_release
from shoal.risk import AttackReport, AttackScene, run_attacks
from shoal.table import Table
from shoal.typing import BoolArray

HELD_OUT = 0.2


@dataclass(frozen=True)
class Rehearsal:
    """What attackers gained, and how many rows were released and held out for it."""

    report: AttackReport
    scene: AttackScene
    released: int
    held_out: int


def rehearse(
    plan: Plan,
    attacks: Sequence[str] | None = None,
    *,
    hold_out: float = HELD_OUT,
    preset: str | None = None,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Rehearsal:
    """Run a plan on most people of its table and attack that, with the others as control.

    What an attacker learns of people who were held out, everybody could learn from the rest:
    only what goes beyond that is a leak (Giomi et al. 2023). Nothing is kept, and the ledger
    hears nothing of it.

    Parameters
    ----------
    plan : Plan
        What would be released.
    attacks : sequence of str, optional
        Attacks to try; all if not given.
    hold_out : float
        Share of people left out, all their rows with them.
    preset : str, optional
        Whose threshold judges; the plan's own, or internal.
    seed : int
        Which people.
    """
    if not 0 < hold_out < 1:
        raise InvalidParameterError("The share held out must lie between 0 and 1.")
    if plan.edges is not None:
        raise InvalidParameterError(
            "Nobody can be held out of a network: their friends would miss them.",
            hint="Attack it as it is: attack_network(plan), or shoal attack --plan plan.toml.",
        )
    table = plan.table()
    out = _held_out(table, hold_out, seed)
    rest, others = table.take(~out), table.take(out)
    with TemporaryDirectory(prefix="shoal-") as folder:
        release = plan.anonymizer(rest).fit(rest, progress).release_
        release.write(Path(folder) / "release", ledger="off")
        opened = read_release(Path(folder) / "release")
        told: dict[str, Any] = {"folder": opened.folder, "k": opened.k, "moved": opened.moved}
        scene = AttackScene(opened.table, rest, others, plan.trees(table), **told)
        judge = preset or plan.preset or "internal"
        report = run_attacks(scene, attacks, preset=judge, progress=progress)
    return Rehearsal(report, scene, rest.n_rows, others.n_rows)


def _held_out(table: Table, share: float, seed: int) -> BoolArray:
    """Draw people, not rows."""
    person = table.roles.person
    people = np.arange(table.n_rows) if person is None else table.codes(person)
    everybody = np.unique(people)
    count = round(share * everybody.size)
    if not 0 < count < everybody.size:
        raise InvalidParameterError("There are too few people to hold some of them out.")
    drawn = np.random.default_rng(seed).choice(everybody, count, replace=False)
    return np.isin(people, drawn)
