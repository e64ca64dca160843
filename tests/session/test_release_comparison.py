"""The three ways compared: on tables as people have them, with texts that mean missing."""

import numpy as np
import polars as pl

from shoal._progress import SILENT
from shoal.plan import Plan
from shoal.session import Session, compare_releases
from shoal.table import Roles


def test_declared_missing_values_stay_missing(tmp_path):
    rng = np.random.default_rng(5)
    ages = [str(age) if age % 7 else "?" for age in rng.integers(20, 60, size=80).tolist()]
    frame = pl.DataFrame(
        {
            "age": ages,
            "sex": rng.choice(["f", "m", "?"], size=80),
            "ill": rng.choice(["no", "yes"], size=80),
        }
    )
    path = tmp_path / "people.csv"
    frame.write_csv(path)
    plan = Plan(
        source=str(path),
        roles=Roles(quasi_identifiers=["age", "sex"], target="ill"),
        kinds={"age": "numeric"},
        missing=("?",),
        k=3,
    )
    table = plan.table()
    session = Session(table, plan)
    found = compare_releases(session, SILENT)
    assert [way.name for way in found.ways] == ["equal"]
    assert found.rows_tested == 20
    assert set(found.original) == set(found.ways[0].scores)
    assert all(0 <= score <= 1 for score in found.original.values())
