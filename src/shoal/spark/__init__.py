"""The same plan on a cluster: fragments of people who look alike, one global verdict.

`anonymize` takes a Spark frame and a plan, `run_plan` reads what the plan names.
Rows are routed to fragments (`ROUTINGS`), each fragment runs the very same groupers, recoders and
models as the local engine, a boundary pass mends what cutting cost, and what was written is
counted again by Spark SQL. `select_file` counts for feature selection by map and reduce.
"""

from shoal.spark._anonymize import (
    ROUTING,
    ROWS_PER_FRAGMENT,
    anonymize,
    refuse_local_only,
    run_plan,
)
from shoal.spark._database import jdbc_driver, jdbc_settings, plan_source
from shoal.spark._network import Network, NetworkInputs
from shoal.spark._release import SparkRelease
from shoal.spark._routing import ROUTINGS, check_routing
from shoal.spark._select import SparkCounts, check_formats, select_file, select_frame
from shoal.spark._session import check_spark, spark_session
from shoal.spark._source import Source, check_place, is_database, read_source

__all__ = [
    "ROUTING",
    "ROUTINGS",
    "ROWS_PER_FRAGMENT",
    "Network",
    "NetworkInputs",
    "Source",
    "SparkCounts",
    "SparkRelease",
    "anonymize",
    "check_formats",
    "check_place",
    "check_routing",
    "check_spark",
    "is_database",
    "jdbc_driver",
    "jdbc_settings",
    "plan_source",
    "read_source",
    "refuse_local_only",
    "run_plan",
    "select_file",
    "select_frame",
    "spark_session",
]
