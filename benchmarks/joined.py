"""Attacks that need what joins rows: pseudonyms of two releases, several rows of a person."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from shoal import anonymize
from shoal.datasets import hospital
from shoal.release import Release
from shoal.risk import AttackScene, run_attacks
from shoal.table import Roles, Table, read_table

PATIENTS, K = 10_000, 5
KNOWN = ("age", "sex", "zip")


def measure() -> dict[str, Any]:
    """Attack two releases of one hospital's patients, and one release of all their stays."""
    with TemporaryDirectory() as house:
        os.environ["SHOAL_HOME"] = str(Path(house) / "house")
        tables = hospital(PATIENTS)
    return {"patients": PATIENTS, "k": K, "records": [_two_releases(tables), _rows(tables)]}


def _two_releases(tables: dict[str, pl.DataFrame]) -> dict[str, Any]:
    people = tables["patients"]
    first = _released(people, KNOWN, "project")
    others = {"same key": "project", "another key": "release"}
    found: dict[str, Any] = {}
    for name, scope in others.items():
        beside = _table(_released(people, ("age", "zip"), scope, drop="sex"))
        scene = AttackScene(_table(first), read_table(people), beside=beside)
        found[name] = run_attacks(scene, ["pseudonym_linkage"]).results[0].to_dict()
    attacks = {"pseudonym_linkage": found["same key"]}
    return {"release": "two releases", "attacks": attacks, "without": found["another key"]}


def _rows(tables: dict[str, pl.DataFrame]) -> dict[str, Any]:
    stays = tables["stays"].join(tables["patients"], on="patient_no").drop("discharged")
    kinds = ("age", "sex", "ward", "admitted")
    made = _released(stays, kinds, "project", drop=["zip", "diagnosis"])
    scene = AttackScene(_table(made), read_table(stays))
    return {
        "release": "all stays as one table",
        "attacks": {"known_rows": run_attacks(scene, ["known_rows"]).results[0].to_dict()},
    }


def _released(frame: pl.DataFrame, known: tuple[str, ...], scope: str, **more: Any) -> Release:
    return anonymize(
        frame,
        quasi_identifiers=known,
        person="patient_no",
        pseudonyms={"patient_no": scope},
        k=K,
        bound=False,
        **more,
    )


def _table(release: Release) -> Table:
    roles = Roles(quasi_identifiers=release.summary.quasi_identifiers, person="patient_no")
    return read_table(release.frame, roles=roles)
