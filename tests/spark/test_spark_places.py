"""What Spark does not read is refused before anything is started."""

from __future__ import annotations

import pytest

from shoal.exceptions import InputError
from shoal.plan import Plan
from shoal.spark import check_place, run_plan


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("postgresql://host/db", "JDBC driver"),
        ("mysql+pymysql://host/db", "JDBC driver"),
        ("sqlite:///people.db", "JDBC driver"),
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
