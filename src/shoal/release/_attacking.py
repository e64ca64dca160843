"""Attacks on a release that is still in memory, before it is handed to anybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

from shoal._progress import SILENT, Progress
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Hierarchy
from shoal.release._release import Release
from shoal.risk import AttackReport, AttackScene, run_attacks
from shoal.table import Roles, Table, read_table


def attack_release(
    release: Release,
    attacks: Iterable[str] | None = None,
    *,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    control: Table | None = None,
    folder: str | PathLike[str] | None = None,
    preset: str | None = None,
    progress: Progress = SILENT,
) -> AttackReport:
    """Try what an attacker would on a release that was just made.

    `shoal.report.attacks_section` draws the result as a part of a page.

    Parameters
    ----------
    release : Release
        The release; it knows the table it was made from.
    attacks : iterable of str, optional
        Names of attacks; all if not given.
    hierarchies : mapping of str to Hierarchy, optional
        The trees its labels come from.
    control : Table, optional
        People like them, held out before anonymizing.
    folder : path, optional
        Where it was written, to look into the files too.
    preset : str, optional
        Whose threshold judges; that of the release, or ``internal``.
    progress : Progress
        Whom to tell.

    Examples
    --------
    >>> import polars as pl
    >>> import shoal
    >>> town = pl.DataFrame({"age": [30, 31, 50, 52], "ill": ["flu", "cold", "flu", "cold"]})
    >>> release = shoal.anonymize(town, quasi_identifiers="age", sensitive="ill", k=2)
    >>> print(attack_release(release, ["exact_linkage"]).results[0])
    exact_linkage: 0.5000 [0.1500, 0.8500] (guessing 0.2500; 4 people)
    """
    if release.lineage is None:
        raise InvalidParameterError("Nobody knows which table this release was made from.")
    summary = release.summary
    known = {name: role for name, role in summary.columns.items() if name in release.frame.columns}
    named = {name: told["of"] for name, told in summary.pseudonyms.items()}
    roles = Roles(
        identifiers=[name for name, of in named.items() if of != "person"],
        person=next((name for name, of in named.items() if of == "person"), None),
        quasi_identifiers=summary.quasi_identifiers,
        sensitive=summary.sensitive,
        target=next((name for name, role in known.items() if role == "target"), None),
    )
    scene = AttackScene(
        read_table(release.frame, roles=roles),
        release.lineage.table,
        control,
        hierarchies or {},
        folder=None if folder is None else Path(folder),
        k=summary.k,
        moved=summary.moved,
    )
    return run_attacks(scene, attacks, preset=preset or summary.preset, progress=progress)
