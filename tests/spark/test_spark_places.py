"""What Spark does not read is refused before anything is started."""

from __future__ import annotations

import pytest

from shoal.exceptions import InputError
from shoal.plan import Plan
from shoal.spark import check_place, run_plan


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("mysql+pymysql://host/db", "reads PostgreSQL"),
        ("sqlite:///people.db", "reads PostgreSQL"),
        ("survey.sav", "not .sav"),
        ("people.xlsx", "not .xlsx"),
    ],
)
def test_databases_and_workbooks_are_refused(place: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_place(place)
    with pytest.raises(InputError, match=message):
        run_plan(Plan(source=place))


def test_what_spark_reads_passes() -> None:
    for place in ("people.csv", "hdfs://cluster/people.parquet", "s3a://bucket/people"):
        check_place(place)


def test_a_database_needs_a_driver_and_a_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOAL_JDBC_DRIVER", "/nowhere/postgresql.jar")
    with pytest.raises(InputError, match="through a JDBC driver, and there is none"):
        run_plan(Plan(source="postgresql://host/db", source_table="people"))
    with pytest.raises(InputError, match="not by a socket"):
        run_plan(Plan(source="postgresql:///db?host=/tmp", source_table="people"))
