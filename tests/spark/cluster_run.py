"""One run on a cluster, in a process of its own: says when it shuffles, then what came out.

``python cluster_run.py MASTER PLAN OUTPUT``
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from shoal.plan import Plan
from shoal.spark import anonymize, read_source, spark_session

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # a Java that starts fast


class Telling:
    """Says on standard output which phase begins."""

    cancelled = False

    def phase(self, name, total=None):
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()

    def advance(self, steps=1):
        """Steps are not told."""


def main(master, plan_file, output):
    plan = Plan.read(plan_file)
    settings = {
        "spark.driver.extraJavaOptions": QUICK,
        "spark.executor.extraJavaOptions": QUICK,
        "spark.executor.memory": "1g",
        "spark.executor.cores": "1",
        "spark.sql.shuffle.partitions": "6",
        "spark.task.maxFailures": "8",
    }
    if master.startswith("local"):  # a cluster has Pythons that import for themselves
        paths = (str(Path(__file__).parent), os.environ.get("PYTHONPATH"))
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        settings["spark.python.daemon.module"] = "imported_daemon"
    with (
        spark_session(master, settings) as spark,
        anonymize(
            read_source(spark, plan.source), plan, rows_per_fragment=250, progress=Telling()
        ) as release,
    ):
        written = release.write(output)
        digests = [f["sha256"] for n, f in written.manifest["files"].items() if "part" in n]
        executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
    found = {
        "ngil": release.ngil,
        "k": written.verification.recount.k,
        "rows": written.verification.recount.rows,
        "digests": digests,
        "executors": executors,
    }
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
