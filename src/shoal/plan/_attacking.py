"""Attacks on the network of a plan: groups are formed again, since no release says who is where."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from shoal._progress import SILENT, Progress
from shoal.exceptions import InputError, InvalidParameterError
from shoal.plan._plan import Plan
from shoal.risk import AttackReport, find_threshold


def attack_network(
    plan: Plan,
    release: str | PathLike[str] | None = None,
    attacks: Sequence[str] | None = None,
    *,
    preset: str | None = None,
    progress: Progress = SILENT,
) -> AttackReport:
    """Try what an attacker would on the network that a plan publishes.

    Parameters
    ----------
    plan : Plan
        With edges; its table and its edges are read, and groups are formed as for the release.
    release : path, optional
        The folder of the release, which must be the one that this plan makes.
    attacks : sequence of str, optional
        Names of attacks, as in `shoal.risk.networks.NETWORK_ATTACKS`; all if not given.
    preset : str, optional
        Whose threshold judges; the plan's own, or ``internal``.
    progress : Progress
        Whom to tell.
    """
    from shoal.risk.networks import NetworkScene, run_network_attacks

    if plan.edges is None:
        raise InvalidParameterError("The plan names no edges, so there is no network to attack.")
    table = plan.table()
    anonymizer = plan.anonymizer(table)
    anonymizer.bound = False
    made = anonymizer.fit(table, progress).release_
    if release is not None and _papers_in(Path(release), tuple(made.papers)) != dict(made.papers):
        raise InputError(
            "The network in that folder is not the one that the plan makes.",
            hint="Name the plan, table and edges it was made with, or leave out the release.",
        )
    graph = anonymizer.recipe_.grouper.graph  # type: ignore[attr-defined]  # it has edges
    progress.phase("attacking")
    results = run_network_attacks(NetworkScene(graph, anonymizer.grouping_.labels), attacks)
    return AttackReport(results, find_threshold(preset or plan.preset))


def _papers_in(folder: Path, names: tuple[str, ...]) -> dict[str, str]:
    try:
        return {name: (folder / name).read_text("utf-8") for name in names}
    except OSError:
        raise InputError(f"There is no network in {folder.name!r}.") from None
