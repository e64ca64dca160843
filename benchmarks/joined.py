"""Attacks that need what joins rows: pseudonyms of two releases, several rows of a person."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from shoal import anonymize
from shoal.datasets import hospital
from shoal.projects import DateShift
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
    records = [_two_releases(tables), _rows(tables), _dates(tables, "admitted")]
    records.append(_dates(tables, "admitted", "discharged"))
    return {"patients": PATIENTS, "k": K, "records": records}


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


def _dates(tables: dict[str, pl.DataFrame], *columns: str) -> dict[str, Any]:
    """Shift dates: one column whose rows a pseudonym joins, or two in rows that nothing joins."""
    stays = tables["stays"].join(tables["patients"], on="patient_no")
    frame = stays.select("patient_no", "sex", *columns)
    joined = len(columns) == 1
    made = anonymize(
        frame,
        quasi_identifiers="sex",
        person="patient_no",
        shift=DateShift(columns),
        pseudonyms={"patient_no": "project"} if joined else None,
        k=K,
        bound=False,
    )
    roles = Roles(quasi_identifiers="sex", person="patient_no" if joined else None)
    original = read_table(frame, roles=Roles(person="patient_no"))
    scene = AttackScene(read_table(made.frame, roles=roles), original)
    found = run_attacks(scene, ["date_gaps"]).results[0].to_dict()
    return {"release": f"shifted {' and '.join(columns)}", "attacks": {"date_gaps": found}}


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
