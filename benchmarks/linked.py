"""Linked tables: what three tables lose together, who is found, and how long it takes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import polars as pl

from shoal.datasets import hospital
from shoal.linked import Family, LinkedPlan, anonymize_linked, attack_linked, read_linked
from shoal.plan import Plan
from shoal.table import Roles

K, PATIENTS = 5, 10_000
BOUNDED = 2_000
MANY_PATIENTS, MANY_STAYS = 100_000, 10.0
ROLES = {
    "patients": Roles(quasi_identifiers=["age", "sex", "zip"], person="patient_no"),
    "stays": Roles(
        quasi_identifiers=["admitted", "ward"],
        sensitive="diagnosis",
        person="patient_no",
        drop="discharged",
    ),
    "labs": Roles(quasi_identifiers=["taken", "test"], sensitive="result", person="patient_no"),
}


def measure() -> dict[str, Any]:
    """Release three tables and attack them; then many rows, from files to a verified folder."""
    with TemporaryDirectory() as folder, _house(folder):
        return {
            "k": K,
            "three": three(Path(folder)),
            "km": km(Path(folder)),
            "many": many(Path(folder)),
        }


def three(folder: Path) -> dict[str, Any]:
    """Measure losses beside those of each table alone, and attackers who know m rows."""
    plan = _plan(folder / "three", hospital(PATIENTS))
    release = anonymize_linked(Family.read(plan), plan)
    written = release.write(folder / "three" / "out", ledger="off")
    before = attack_linked(Family.read(plan)).to_dict()
    after = attack_linked(read_linked(written.folder)[0]).to_dict()
    return {
        "patients": PATIENTS,
        "rows": release.rows_in,
        "crowds": release.crowds.n_groups,
        "suppressed": release.share_suppressed,
        "k_joined": dict(written.recount.joined),
        "loss": dict(release.losses),
        "loss_alone": dict(release.alone),
        "attack_originals": before,
        "attack": after,
    }


def km(folder: Path) -> dict[str, Any]:
    """The same with every pair of rows bounded, and what other sizes of crowds would cost."""
    plan = _plan(folder / "km", hospital(BOUNDED), km=2)
    release = anonymize_linked(Family.read(plan), plan)
    written = release.write(folder / "km" / "out", ledger="off")
    return {
        "patients": BOUNDED,
        "m": 2,
        "crowds": release.crowds.n_groups,
        "trials": [
            {"crowd": t.crowd, "suppressed": t.suppressed, **t.losses} for t in release.trials
        ],
        "recounted": written.recount.combined,
        "suppressed": release.share_suppressed,
        "loss": dict(release.losses),
        "attack": attack_linked(read_linked(written.folder)[0]).to_dict(),
    }


def many(folder: Path) -> dict[str, Any]:
    """Time 100,000 patients with a million stays: read, hidden, written and recounted."""
    tables = hospital(MANY_PATIENTS, MANY_STAYS)
    plan = _plan(folder / "many", {name: tables[name] for name in ("patients", "stays")})
    began, cpu = perf_counter(), process_time()
    release = anonymize_linked(Family.read(plan), plan)
    hidden = perf_counter()
    release.write(folder / "many" / "out", ledger="warn")
    return {
        "patients": MANY_PATIENTS,
        "stays": tables["stays"].height,
        "crowds": release.crowds.n_groups,
        "suppressed": release.share_suppressed,
        "loss": dict(release.losses),
        "seconds_hiding": round(hidden - began, 1),
        "seconds": round(perf_counter() - began, 1),
        "cpu_seconds": round(process_time() - cpu, 1),
    }


def _plan(folder: Path, tables: dict[str, pl.DataFrame], **more: Any) -> LinkedPlan:
    folder.mkdir()
    for name, frame in tables.items():
        frame.write_csv(folder / f"{name}.csv")
    parts = {n: Plan(source=str(folder / f"{n}.csv"), roles=ROLES[n]) for n in tables}
    return LinkedPlan(parts, k=K, **more)


@contextmanager
def _house(folder: str) -> Iterator[None]:
    before = os.environ.get("SHOAL_HOME")
    os.environ["SHOAL_HOME"] = str(Path(folder) / "house")
    try:
        yield
    finally:
        os.environ.pop("SHOAL_HOME")
        if before is not None:
            os.environ["SHOAL_HOME"] = before
