"""The plan that a study chose, run on Spark."""

from __future__ import annotations

import pytest

from shoal.plan import Plan
from shoal.spark import anonymize, read_source
from shoal.table import Roles, read_table
from shoal.tuning import Search, Stepwise, tune

QUASI = ["age", "sex", "marital_status"]


@pytest.mark.parametrize("search", [Search(k=(6, 6)), Stepwise()], ids=["search", "stepwise"])
def test_the_plan_of_a_study_runs_on_spark_too(spark, town, tmp_path, search):
    found = tune(
        read_table(town / "data.csv"), target="readmitted", quasi_identifiers=QUASI, trials=3,
        hierarchies=town / "hierarchies", models="logistic_regression", search=search,
        plan=Plan(
            source=str(town / "data.csv"), hierarchy_folder=str(town / "hierarchies"),
            roles=Roles((), QUASI, (), "readmitted"),
        ),
    )  # fmt: skip
    local = found.write(tmp_path / "local")
    plan = Plan.read(tmp_path / "local" / "plan.toml")
    with anonymize(read_source(spark, plan.source), plan) as release:
        assert release.ngil == pytest.approx(found.anonymizer.loss_.ngil, abs=1e-6)
        written = release.write(tmp_path / "spark")
    assert written.verification.holds
    assert written.verification.recount.k == local.verification.recount.k >= plan.k
